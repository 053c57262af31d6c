"""`python -m tools.prose`: finds the mechanical habits that `content/STYLE.md` bans, in whatever readers read.

The habits are data, in `prose.toml`. Only prose is read: in Markdown no code, formulas, calculations or citations; in
YAML the values; in Python the texts that are not docstrings.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml
from markdown_it import MarkdownIt

from sims.paths import ROOT

RULES = Path(__file__).with_suffix(".toml")
MARKDOWN = MarkdownIt("commonmark").enable("table").disable("code")  # what is indented in a directive is no code
HIDDEN = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|\]\([^)]*\)|(?<!\})`[^`]*`", re.DOTALL)
ROLE = re.compile(r"\{([a-z:]+)\}`([^`<]*)[^`]*`", re.DOTALL)
SHOWN = ("term", "preset")


@dataclass(frozen=True)
class Habit:
    """A banned habit: what finds it, what to write instead, and an example of each."""

    name: str
    find: re.Pattern[str]
    use: str
    bad: str
    good: str


def habits() -> list[Habit]:
    """The habits in the file of rules."""
    rules = tomllib.loads(RULES.read_text(encoding="utf-8"))
    read = []
    for entry in rules["habits"]:
        pattern = entry["find"].replace(" ", r"\s+")
        for word, meaning in rules["words"].items():
            pattern = pattern.replace(word, meaning.replace(" ", r"\s+"))
        read.append(Habit(**{**entry, "find": re.compile(pattern, re.IGNORECASE)}))
    return read


def files() -> list[Path]:
    """The files to check."""
    rules = tomllib.loads(RULES.read_text(encoding="utf-8"))
    apart = {ROOT / name for name in rules["quotes"]}
    return sorted({path for pattern in rules["files"] for path in ROOT.glob(pattern)} - apart)


def plain(text: str) -> str:
    """Prose with its line breaks, without code, formulas and addresses; a role is its words, or its name in braces."""
    words = ROLE.sub(lambda role: role[2] if role[1] in SHOWN else f"{{{role[1]}}}" + "\n" * role[0].count("\n"), text)
    return HIDDEN.sub(lambda hidden: "…" + "\n" * hidden[0].count("\n"), words)


def passages(path: Path) -> Iterator[tuple[int, str]]:
    """The prose of a file in pieces, each with the number of its first line."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        line = 0
        for token in MARKDOWN.parse(text):
            line = token.map[0] if token.map else line  # cells have none, their rows do
            if token.type == "inline":
                yield line + 1, plain(token.content)
    elif path.suffix == ".yaml":
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            if isinstance(event, yaml.ScalarEvent) and event.start_mark and event.end_mark:
                source = text[event.start_mark.index : event.end_mark.index]
                yield event.start_mark.line + 1, plain(source)
    else:
        tree = ast.parse(text)
        notes = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in notes:
                yield node.lineno, node.value


def offenses(path: Path, rules: list[Habit]) -> Iterator[str]:
    """What is to be mended in a file, as lines that editors can open."""
    for line, text in passages(path):
        for habit in rules:
            for match in habit.find.finditer(text):
                at = line + text[: match.start()].count("\n")
                words = " ".join(match[0].split())
                yield f"{path.relative_to(ROOT)}:{at}: {words!r} → {habit.use} [{habit.name}]"


def main(names: list[str]) -> int:
    """Check these files, or all of them."""
    rules, checked = habits(), files()
    chosen = [path for path in map(Path.resolve, map(Path, names)) if path in checked] if names else checked
    lines = [line for path in chosen for line in offenses(path, rules)]
    print("\n".join(lines) or f"prose: {len(chosen)} files, {len(rules)} habits, nothing to mend")
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
