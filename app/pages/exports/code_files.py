"""The Python files of lessons, which students download: a problem set, a lab, and the programs that mark them."""

from collections.abc import Callable, Mapping
from functools import partial

from sims.instruments.hand_derived import bug_lab
from sims.paths import ROOT

FOLDER = ROOT / "sims" / "pytorch" / "exercises"


def _as_it_is(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


CODE_FILES: Mapping[str, Callable[[], str]] = {
    "problem_set.py": partial(_as_it_is, "problem_set.py"),
    "mark_problems.py": partial(_as_it_is, "mark_problems.py"),
    bug_lab.NAME: bug_lab.lab_file,
    bug_lab.MARKER: bug_lab.marking_file,
}
"""Name of a file → what writes its text"""


def code_file(name: str) -> str:
    """The text of a file. Raises KeyError if there is none of that name."""
    return CODE_FILES[name]()
