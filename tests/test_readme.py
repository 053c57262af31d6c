"""Every block of code in README and in the manual for authors does what the text says: it runs when it is pasted."""

import json
import os
import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from app.pages.document.page import Library
from app.pages.markdown.prose import compile_page
from app.standalone.cli_args import parse_simulation
from authoring.__main__ import main

ROOT = Path(__file__).parent.parent
TEXT = "\n\n".join((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/authoring.md"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
FRONT = "---\ntitle: A page\nslug: page\nquestion: Why?\nlede: Because.\n---\n"


class Block(NamedTuple):
    """A fenced block, and the line of text before it."""

    language: str
    code: str
    before: str


BLOCKS = [
    Block(language, textwrap.dedent(code), before)
    for before, _indent, language, code in re.findall(
        r"^([^\n]*)\n\n( *)```(\w*)\n(.*?)^\2```$", TEXT, re.DOTALL | re.MULTILINE
    )
]
MARKDOWN = [block.code for block in BLOCKS if block.language == "markdown"]
LINES = [line.partition("#")[0].strip() for block in BLOCKS if not block.language for line in block.code.splitlines()]


def test_every_block_is_run_here() -> None:
    assert TEXT.count("```") == 2 * len(BLOCKS)
    assert len(BLOCKS) == len(MARKDOWN) + sum(not block.language for block in BLOCKS)
    assert len(MARKDOWN) >= 3
    assert {shlex.split(line)[0] for line in LINES} <= {
        "make",
        "docker",
        "SKIP_DASK_SCHEDULER=tcp://scheduler:8786",
        ".venv/bin/python",
        ".venv/bin/panel",
    }


@pytest.mark.parametrize("text", MARKDOWN, ids=lambda text: text.split("\n", 1)[0])
def test_a_piece_of_a_chapter_is_a_page(text: str) -> None:
    whole = text if text.startswith("---") else FRONT + text
    slug = re.findall(r"^slug: (\S+)$", whole, re.MULTILINE)[0]
    html = str(compile_page(whole, Path("page.md"), Library(slugs=frozenset({slug}), written=frozenset({slug}))).html)
    assert re.findall(r"\{\w+\}`|^:::", html, re.MULTILINE) == []


@pytest.mark.parametrize("line", [line for line in LINES if line.startswith(".venv/bin/python")])
def test_a_simulation_runs_without_a_browser(line: str) -> None:
    words = shlex.split(line)
    answer = subprocess.run([sys.executable, *words[1:]], cwd=ROOT, capture_output=True, text=True, check=True)
    assert answer.stderr == ""
    if "--json" in words:
        assert json.loads(answer.stdout)["quantities"]
    else:
        assert len(answer.stdout.splitlines()) > 5


@pytest.mark.parametrize("verb", sorted({word for line in LINES for word in re.findall(r"^make ([\w-]+)", line)}))
def test_make_has_the_verb(verb: str) -> None:
    assert re.search(rf"^{verb}:", MAKEFILE, re.MULTILINE)


def test_every_verb_of_make_is_documented_once() -> None:
    table = (ROOT / "docs" / "make.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`make [^|]*)\|", table, re.MULTILINE)
    verbs = re.findall(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)[0].split()
    assert sorted(verb for row in rows for verb in re.findall(r"make ([\w-]+)", row)) == sorted(verbs)


def test_the_readme_takes_five_minutes() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 130


@pytest.mark.parametrize("line", [line for line in LINES if line.startswith(".venv/bin/panel serve app/one.py")])
def test_one_simulation_is_chosen_by_what_is_pasted(line: str) -> None:
    simulation = parse_simulation(shlex.split(line.partition("--args")[2]))
    assert simulation.settings()["depth"] == 20


def test_the_composition_has_the_profile_and_the_setting() -> None:
    text = (ROOT / "compose.yaml").read_text()
    profiles = {name for service in yaml.safe_load(text)["services"].values() for name in service.get("profiles", [])}
    for line in LINES:
        for profile in re.findall(r"--profile (\w+)", line):
            assert profile in profiles
        for setting in re.findall(r"^(SKIP_\w+)=", line):
            assert setting in text


@pytest.mark.parametrize("line", [line for line in LINES if line.startswith("make new-")])
def test_the_templates_are_written_by_what_is_pasted(line: str, tmp_path: Path) -> None:
    for folder in ("sims/simulations/shortcuts", "app/pages/data", "content/chapters"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "sims/simulations/shortcuts/__init__.py").touch()
    (tmp_path / "app/pages/data/result_names.toml").touch()
    (tmp_path / "content/chapters/9-last.md").touch()
    dry = [*shlex.split(line), "--dry-run", "--assume-old=.venv/dependencies"]
    # Under `make test` a second make would say that it enters a folder.
    alone = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = subprocess.run(dry, cwd=ROOT, env=alone, capture_output=True, text=True, check=True).stdout
    python, _m, module, *arguments = shlex.split(command)
    assert (python, module) == (".venv/bin/python", "authoring")
    assert main(arguments, tmp_path) == 0
    written = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*my*")}
    assert written in (
        {
            "sims/simulations/shortcuts/my_idea.py",
            "app/views/shortcuts/my_idea.py",
            "tests/simulations/shortcuts/test_my_idea.py",
        },
        {"content/chapters/10-my-topic.md"},
    )
