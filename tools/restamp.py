"""`python -m tools.restamp COMMIT`: gives kept results new versions without computing them again.

A kept number or run gets the version that the current rules give to the current code, if two conditions hold: the code
at an earlier commit made it, according to the rules of that commit; and the current rules see no difference between the
code of that commit and the current code. So a change of the rules does not require new computations.
"""

import json
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from subprocess import PIPE

from sims import registry
from sims.kept.book import NumberStore, maker_of
from sims.kept.provenance import Provenance
from sims.kept.results import SHIPPED
from sims.numbers.call import parse
from sims.paths import CONTENT, ROOT

Maker = tuple[str, str, frozenset[str] | None]
"""What makes a result: the dotted name of a module, a name that it defines, and the texts in a number's arguments"""

ASK = """
import inspect, json, sys
from sims.kept.provenance import version
takes_texts = "texts" in inspect.signature(version).parameters
def known(module, name, texts):
    try:
        return version(module, name, **{"texts": frozenset(texts)} if takes_texts and texts is not None else {})
    except KeyError:
        return None
print(json.dumps([known(*maker) for maker in json.load(sys.stdin)]))
"""
"""Program that asks the code of another commit for its own versions"""


def check_out(commit: str, folder: Path) -> None:
    """Write `sims` as it is at a commit to a folder. Raises CalledProcessError if there is no such commit."""
    archive = subprocess.run(["git", "archive", "--format=tar", commit, "sims"], cwd=ROOT, check=True, stdout=PIPE)
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as files:
        files.extractall(folder, filter="data")


def earlier_module(earlier: Path, module: str) -> str:
    """Return the name that a current module had in an earlier tree, in any folder of `sims`.

    A module whose file was renamed is not found.
    """
    if (earlier / f"{module.replace('.', '/')}.py").is_file():
        return module
    files = list((earlier / "sims").rglob(f"{module.rpartition('.')[2]}.py"))
    return ".".join(files[0].relative_to(earlier).with_suffix("").parts) if len(files) == 1 else module


def renewed_versions(earlier: Path, makers: Iterable[Maker]) -> dict[Maker, tuple[str, str]]:
    """Return maker → the version that the earlier code gives to itself, and the current version.

    `earlier` is a folder with the `sims` of an earlier commit. Makers that have changed since, or that one of the two
    trees lacks, are left out.
    """
    unique = list(dict.fromkeys(makers))
    questions = [
        (earlier_module(earlier, module), name, None if texts is None else sorted(texts))
        for module, name, texts in unique
    ]
    answer = subprocess.run(
        [sys.executable, "-c", ASK],
        cwd=earlier,
        check=True,
        input=json.dumps(questions),
        stdout=PIPE,
        text=True,
    )
    before, today = Provenance(earlier), Provenance()
    versions = {}
    for maker, its_own in zip(unique, json.loads(answer.stdout), strict=True):
        module, name, texts = maker
        try:
            then = before.version((earlier_module(earlier, module), name), texts=texts)
            now = today.version((module, name), texts=texts)
        except KeyError:
            continue
        if its_own and then == now:
            versions[maker] = its_own, now
    return versions


def renew_numbers(book: NumberStore, versions: Mapping[Maker, tuple[str, str]]) -> int:
    """Replace earlier versions of numbers by the current ones, and return how many were replaced."""
    renewed = {}
    for call, entry in book.entries.items():
        earlier, today = versions.get(maker_of(*parse(call)), ("", ""))
        if entry.code == earlier != today:
            renewed[call] = replace(entry, code=today)
    book.replace(renewed)
    return len(renewed)


def renew_runs(folder: Path, versions: Mapping[Maker, tuple[str, str]]) -> int:
    """Rename files of runs from earlier versions to the current ones, and return how many were renamed."""
    renewed = 0
    for path in sorted(folder.glob("*.npz")):
        settings, code, _ending = path.name.rsplit(".", 2)
        earlier, today = versions.get(simulation_classes().get(settings.partition("-")[0], ("", "", None)), ("", ""))
        if code == earlier != today:
            path.rename(path.with_name(f"{settings}.{today}.npz"))
            renewed += 1
    return renewed


def simulation_classes() -> dict[str, Maker]:
    """Return the name of a simulation's class → where it is defined."""
    classes = {registry.class_name(name): name for name in registry.names()}
    return {name: (registry.find(module).__module__, name, None) for name, module in classes.items()}


def main() -> None:
    """Renew the versions of all numbers and of all runs that come with the code."""
    book = NumberStore(CONTENT / "numbers.json")
    makers: list[Maker] = [*(maker_of(*parse(call)) for call in book.entries), *simulation_classes().values()]
    with tempfile.TemporaryDirectory() as folder:
        check_out(sys.argv[1] if sys.argv[1:] else "HEAD", Path(folder))
        versions = renewed_versions(Path(folder), makers)
    numbers, runs = renew_numbers(book, versions), renew_runs(SHIPPED, versions)
    print(f"{numbers} numbers and {runs} runs have new versions; {len(book.entries) - numbers} numbers keep theirs")


if __name__ == "__main__":
    main()
