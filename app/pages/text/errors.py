"""What is wrong with the words, and where."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from sims.paths import ROOT


class Mistake(ValueError):
    """Something wrong on a known line of a file that is known further up."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


class BuildError(Exception):
    """A page cannot be made. The message begins with file and line, as compilers write them."""

    def __init__(self, message: str, file: Path, line: int) -> None:
        place = file.relative_to(ROOT) if file.is_relative_to(ROOT) else file
        super().__init__(f"{place}:{line}: {message}")
        self.line = line


Result = TypeVar("Result")


def attempt(file: Path, line: int, work: Callable[[], Result]) -> Result:
    """The result of `work`, with its mistakes as BuildErrors that know file and line."""
    try:
        return work()
    except (ValueError, KeyError, TypeError) as error:
        message = str(error.args[0]) if error.args else type(error).__name__
        raise BuildError(message, file, getattr(error, "line", line)) from error
