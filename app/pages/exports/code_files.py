"""The Python files that readers download: a problem set, a lab, the programs that mark them, and the X-ray."""

from collections.abc import Callable, Mapping
from functools import partial

from app.pages.data.changelog import code_license
from app.pages.files.sources import Sources
from sims.instruments.hand_derived import bug_lab
from sims.paths import ROOT
from sims.xray import single_file

FOLDER = ROOT / "sims" / "pytorch" / "exercises"


def _as_it_is(name: str, _address: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


CODE_FILES: Mapping[str, Callable[[str], str]] = {
    "problem_set.py": partial(_as_it_is, "problem_set.py"),
    "mark_problems.py": partial(_as_it_is, "mark_problems.py"),
    bug_lab.NAME: lambda _address: bug_lab.lab_file(),
    bug_lab.MARKER: lambda _address: bug_lab.marking_file(),
    single_file.NAME: single_file.text,
}
"""Name of a file → what writes its text for the site at an address"""


def code_file(name: str, address: str) -> str:
    """The text of a file, after the line about its license with the address of the site, if it has one.

    Raises KeyError if there is none of that name.
    """
    line = ", ".join(filter(None, [code_license(Sources().title()), address]))
    return f"# {line}\n{CODE_FILES[name](address)}"
