"""`python -m tools.wheels FOLDER`: writes two small packages that need torch and nothing else.

`residual-xray` is the X-ray as one module, `xray`. `residual-blocks` is the package `residual_blocks`:
`sims/pytorch/library.py` with what it imports. Both have the version of the site. Nothing is fetched.
"""

import ast
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from app.pages.data import changelog
from app.pages.data.site_url import base_url
from sims.paths import ROOT
from sims.xray import single_file

XRAY, BLOCKS = "residual-xray", "residual-blocks"
PACKAGE = "residual_blocks"
PROJECT = "sims.pytorch"
LIBRARY = f"{PROJECT}.library"

SETTINGS = """[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "{name}"
version = "{version}"
description = "{description}"
readme = "README.md"
requires-python = ">=3.11"
license = "MIT"
license-files = ["LICENSE"]
dependencies = ["torch>={torch}"]

[tool.setuptools]
{contents}
"""


def library_files() -> dict[str, str]:
    """The files of the package of blocks: path → text, with the package's own name in imports.

    Raises ValueError if one of them imports anything of the project that is outside `sims.pytorch`.
    """
    files: dict[str, str] = {}
    waiting = [LIBRARY]
    while waiting:
        module = waiting.pop()
        source = (ROOT / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
        name = PACKAGE if module == LIBRARY else module.replace(PROJECT, PACKAGE)
        path = f"{PACKAGE}/__init__.py" if module == LIBRARY else f"{name.replace('.', '/')}.py"
        if path in files:
            continue
        files[path] = source.replace(LIBRARY, PACKAGE).replace(f"from {PROJECT}.", f"from {PACKAGE}.")
        if module != LIBRARY:
            folder = Path(path).parent
            start = ROOT / PROJECT.replace(".", "/") / folder.name / "__init__.py"
            files[f"{folder.as_posix()}/__init__.py"] = start.read_text(encoding="utf-8")
        waiting += _imported(module, source)
    return {**files, f"{PACKAGE}/py.typed": ""}


def _imported(module: str, source: str) -> list[str]:
    names = []
    for node in ast.walk(ast.parse(source)):
        found = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            found = [node.module]
        own = [name for name in found if name.partition(".")[0] in ("sims", "app")]
        if wrong := [name for name in own if not name.startswith(f"{PROJECT}.")]:
            raise ValueError(f"{module} imports {', '.join(wrong)}, which the package of blocks does not have")
        names += own
    return names


def sources() -> dict[str, dict[str, str]]:
    """What each package is built from: name → path → text."""
    version = changelog.releases()[0].version
    library = library_files()
    folders = sorted({Path(path).parent.as_posix().replace("/", ".") for path in library})
    xray = single_file.text(base_url())
    return {
        XRAY: {
            single_file.NAME: xray,
            "README.md": _readme(XRAY, xray),
            "pyproject.toml": SETTINGS.format(
                name=XRAY,
                version=version,
                description="Finds and measures the residual additions of a PyTorch network while it runs",
                torch="2.1",
                contents='py-modules = ["xray"]',
            ),
        },
        BLOCKS: {
            **library,
            "README.md": _readme(BLOCKS, library[f"{PACKAGE}/__init__.py"]),
            "pyproject.toml": SETTINGS.format(
                name=BLOCKS,
                version=version,
                description="Residual blocks for PyTorch, starts for their branches, and checks for any network",
                torch="2.5",
                contents=f'packages = {folders}\npackage-data = {{ "{PACKAGE}" = ["py.typed"] }}'.replace("'", '"'),
            ),
        },
    }


def _readme(name: str, source: str) -> str:
    return f"# {name}\n\n{ast.get_docstring(ast.parse(source))}\n"


def build(folder: Path) -> list[Path]:
    """Write the wheels into a folder and return their paths. Raises CalledProcessError if one cannot be built."""
    folder.mkdir(parents=True, exist_ok=True)
    return [_built(files, folder) for files in sources().values()]


def _built(files: Mapping[str, str], folder: Path) -> Path:
    with tempfile.TemporaryDirectory() as place:
        tree, wheels = Path(place) / "source", Path(place) / "wheels"
        for path, text in files.items():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).write_text(text, encoding="utf-8")
        shutil.copy(ROOT / "LICENSE", tree / "LICENSE")
        command = [*(sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"), str(tree)]
        options = ["--no-index", "--no-deps", "--no-build-isolation", "--no-cache-dir", "--wheel-dir", str(wheels)]
        subprocess.run([*command, *options], check=True)
        (wheel,) = wheels.glob("*.whl")
        return Path(shutil.copy(wheel, folder / wheel.name))


def main() -> None:
    """Build both packages into the folder that the command names."""
    for path in build(Path(sys.argv[1])):
        print(f"{path}, {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
