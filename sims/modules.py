"""Modules that are found by name, in whichever subfolder of a package they stand."""

from pathlib import Path
from types import ModuleType


def module_named(package: ModuleType, name: str) -> str | None:
    """The dotted name of the module of that name in a package or in one of its subpackages; None where there is none.

    Nothing is imported.
    """
    if not name.isidentifier() or name.startswith("__"):
        return None
    for folder in map(Path, package.__path__):
        for path in sorted(folder.rglob(f"{name}.py")):
            return dotted(package, folder, path)
    return None


def modules(package: ModuleType) -> dict[Path, str]:
    """File → dotted name, for all modules of a package and of its subpackages, packages themselves left out."""
    return {
        path: dotted(package, folder, path)
        for folder in map(Path, package.__path__)
        for path in sorted(folder.rglob("*.py"))
        if path.stem != "__init__"
    }


def dotted(package: ModuleType, folder: Path, path: Path) -> str:
    """The dotted name of a file in a folder of a package."""
    return ".".join([package.__name__, *path.relative_to(folder).with_suffix("").parts])
