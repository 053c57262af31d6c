"""Finds modules by name in any subfolder of a package."""

from pathlib import Path
from types import ModuleType


def module_named(package: ModuleType, name: str) -> str | None:
    """Return the dotted name of the module of that name in a package or one of its subpackages; None if there is none.

    Nothing is imported.
    """
    if not name.isidentifier() or name.startswith("__"):
        return None
    for folder in map(Path, package.__path__):
        for path in sorted(folder.rglob(f"{name}.py")):
            return dotted(package, folder, path)
    return None


def modules(package: ModuleType) -> dict[Path, str]:
    """Return file → dotted name for all modules of a package and its subpackages, without the packages themselves."""
    return {
        path: dotted(package, folder, path)
        for folder in map(Path, package.__path__)
        for path in sorted(folder.rglob("*.py"))
        if path.stem != "__init__"
    }


def dotted(package: ModuleType, folder: Path, path: Path) -> str:
    """Return the dotted name of a file in a folder of a package."""
    return ".".join([package.__name__, *path.relative_to(folder).with_suffix("").parts])
