"""A copy of the project as `pip install .` makes it, without what it needs: that is installed here already."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
WINGS = ("app", "content", "sims")
FILES = ("CHANGELOG.md", "LICENSE", "README.md", "pyproject.toml", "setup.py")


def install(folder: Path) -> Path:
    """A folder for `PYTHONPATH` in which the package lies as in `site-packages`."""
    source, target = folder / "source", folder / "installed"
    source.mkdir()
    for wing in WINGS:
        shutil.copytree(ROOT / wing, source / wing, ignore=shutil.ignore_patterns("__pycache__", ".cache"))
    for file in (*FILES, *(path.name for path in ROOT.glob("requirements*.txt"))):
        shutil.copy(ROOT / file, source)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    options = ["--no-deps", "--no-index", "--no-build-isolation", "--target", str(target)]
    subprocess.run([*pip, *options, str(source)], check=True)
    return target
