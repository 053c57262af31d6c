"""Which code made a result: a short hash over a module of `sims` and every module of `sims` that it imports."""

import ast
import hashlib
import importlib.metadata
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
LIBRARIES = ("numpy", "numba", "torch")
"""Their versions belong to the hash: another release may round differently."""


def _source(module: str) -> Path | None:
    """The file of a module given by its dotted name; None where `sims` has no such module."""
    base = ROOT.parent.joinpath(*module.split("."))
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if path.is_file():
            return path
    return None


def _imports(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return {name for name in names if name.split(".")[0] == ROOT.name}


def modules(module: str) -> dict[str, Path]:
    """The module and all of `sims` that it imports, however far away, as dotted name → file."""
    found: dict[str, Path] = {}
    ahead = [module]
    while ahead:
        name = ahead.pop()
        path = _source(name)
        if path is None or name in found:
            continue
        found[name] = path
        ahead.extend(_imports(path))
    return found


@cache
def code_version(module: str) -> str:
    """Twelve hexadecimal digits that change when the module, anything below it, its data or a library changes.

    Data is a file of `sims/data/files` that one of these modules names.
    """
    digest = hashlib.sha256()
    sources = [path.read_bytes() for _, path in sorted(modules(module).items())]
    files = sorted((ROOT / "data" / "files").glob("*"))
    data = [path for path in files if any(path.name.encode() in each for each in sources)]
    for content in (*sources, *(path.read_bytes() for path in data)):
        digest.update(hashlib.sha256(content).digest())
    for library in LIBRARIES:
        digest.update(f"{library}={importlib.metadata.version(library)}\0".encode())
    return digest.hexdigest()[:12]
