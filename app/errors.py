"""What is wrong with the words, and where."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


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
