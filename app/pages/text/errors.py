"""Mistakes in the content, with file and line."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from sims.paths import ROOT


class Mistake(ValueError):
    """A mistake on a known line; a caller knows the file."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


class BuildError(Exception):
    """A page cannot be built. The message begins with file and line, as compilers write them."""

    def __init__(self, message: str, file: Path, line: int) -> None:
        place = file.relative_to(ROOT) if file.is_relative_to(ROOT) else file
        super().__init__(f"{place}:{line}: {message}")
        self.line = line


Result = TypeVar("Result")


def attempt(file: Path, line: int, work: Callable[[], Result]) -> Result:
    """The result of `work`; its mistakes become BuildErrors with file and line."""
    try:
        return work()
    except (ValueError, KeyError, TypeError) as error:
        message = str(error.args[0]) if error.args else type(error).__name__
        raise BuildError(message, file, getattr(error, "line", line)) from error
