"""Begin a simulation or a chapter: files that work already, to be changed into what their author has in mind.

`make new-simulation NAME=my_idea TITLE="What my idea does" TRAINING=yes SUBJECT=gradients` and
`make new-chapter NAME=my-topic TITLE="My topic" SIMULATION=my_idea` call it; nothing that is there is written over.
"""

import argparse
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from string import Template

ROOT = Path(__file__).parent.parent
TEMPLATES = Path(__file__).parent / "templates"
RESULTS = {"instant": '["growth"]', "training": '["error", "product"]'}
"""Results of the first frame of each template"""

SUBJECT = "shortcuts"
"""Where a simulation goes whose author names no subject"""

SHOWN = "paths"
"""The simulation of a chapter whose author names none"""

NEXT = {
    "simulation": """\
Next: `make write` shows it as you change it, in a chapter with `:::{{simulation}} {name}`.
Before `make test` passes:
- a page that shows it, and the images of that page: `.venv/bin/python -m tools.stills SLUG`
- its first run, if it trains: `make numbers`""",
    "chapter": """\
Next: `make write`, and read /{name}.
Before `make test` passes:
- its long numbers and first runs: `make numbers`
- images of its figures: `.venv/bin/python -m tools.stills {name}`
- its card, for links from other sites: `.venv/bin/python -m tools.cards {name}`
By hand: a route in content/home.md, and its topic in README.md.""",
}
"""What an author does next"""


def subjects(root: Path) -> list[str]:
    """The subfolders of `sims/simulations`: views and tests have the same."""
    return sorted(path.parent.name for path in (root / "sims" / "simulations").glob("*/__init__.py"))


def simulation(root: Path, name: str, title: str, kind: str, subject: str) -> list[Path]:
    """Write a simulation, its view and its test, and name its results. Returns the files.

    Raises ValueError for a name that is none and for a subject that there is not, FileExistsError where there is such a
    simulation, of whichever subject.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name):
        raise ValueError(f"{name!r} is no name for a simulation: lower case, digits and underscores, as in my_idea")
    if subject not in subjects(root):
        raise ValueError(f"{subject!r} is no subject; there are {', '.join(subjects(root))}")
    words = {
        "name": name,
        "subject": subject,
        "kind": "".join(word.capitalize() for word in name.split("_")),
        "title": title,
    }
    places = {
        "simulation": root / "sims" / "simulations" / subject / f"{name}.py",
        "view": root / "app" / "views" / subject / f"{name}.py",
        "test": root / "tests" / "simulations" / subject / f"test_{name}.py",
    }
    _refuse([*(root / "sims" / "simulations").rglob(f"{name}.py"), *places.values()])
    for part, place in places.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(_filled(f"{kind}_{part}.py.txt", words), encoding="utf-8")
    listed = root / "app" / "pages" / "data" / "result_names.toml"
    listed.write_text(_with_line(listed.read_text(encoding="utf-8"), name, RESULTS[kind]), encoding="utf-8")
    return [*places.values(), listed]


def chapter(root: Path, slug: str, title: str, name: str) -> list[Path]:
    """Write a chapter with the next number, with a figure of the simulation `name`. Returns its file.

    Raises ValueError for a name that is none, FileExistsError where there is such a page.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", slug):
        raise ValueError(f"{slug!r} is no name for a page: lower case, digits and hyphens, as in my-topic")
    folder = root / "content" / "chapters"
    _refuse([*folder.glob(f"*-{slug}.md"), *(root / "content" / "deep-dives").glob(f"*-{slug}.md")])
    number = 1 + max(int(path.name.partition("-")[0]) for path in folder.glob("*.md"))
    place = folder / f"{number}-{slug}.md"
    place.write_text(_filled("chapter.md.txt", {"slug": slug, "title": title, "shown": name}), encoding="utf-8")
    return [place]


def _refuse(places: Iterable[Path]) -> None:
    existing = [str(place) for place in dict.fromkeys(places) if place.exists()]
    if existing:
        raise FileExistsError(f"there is {', '.join(existing)} already")


def _filled(template: str, words: dict[str, str]) -> str:
    return Template((TEMPLATES / template).read_text(encoding="utf-8")).substitute(words)


def _with_line(text: str, name: str, results: str) -> str:
    """The list of results with one more line, in alphabetical order."""
    later = (line.start() for line in re.finditer(r"^(\w+) = ", text, re.MULTILINE) if line[1] > name)
    after = next(later, len(text))
    return f"{text[:after]}{name} = {results}\n{text[after:]}"


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Write what is asked for, and say what comes next. Returns the exit status: 2 where nothing was written."""
    parser = argparse.ArgumentParser(prog="python -m authoring", description=__doc__)
    kinds = parser.add_subparsers(dest="what", required=True)
    one = kinds.add_parser("simulation")
    one.add_argument("name")
    one.add_argument("--title", default="")
    one.add_argument("--subject", default="", help=f"one of {', '.join(subjects(root))}; {SUBJECT} if it is left out")
    one.add_argument("--training", default="no", choices=("yes", "no", ""))
    other = kinds.add_parser("chapter")
    other.add_argument("name")
    other.add_argument("--title", default="")
    other.add_argument("--simulation", default="", help=f"what its figure shows; {SHOWN} if it is left out")
    options = parser.parse_args(arguments)
    title = options.title or re.sub(r"[-_]", " ", options.name).capitalize()
    try:
        if options.what == "simulation":
            kind = "training" if options.training == "yes" else "instant"
            written = simulation(root, options.name, title, kind, options.subject or SUBJECT)
        else:
            written = chapter(root, options.name, title, options.simulation or SHOWN)
    except (ValueError, FileExistsError) as error:
        print(f"{error}; nothing was written.", file=sys.stderr)
        return 2
    print("\n".join(str(path.relative_to(root)) for path in written))
    if options.what == "chapter" and not options.simulation:
        print(f"No simulation was named, so its figure shows `{SHOWN}`.")
    print(NEXT[options.what].format(name=options.name))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
