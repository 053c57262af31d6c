"""Every block of code in README does what README says: it runs when it is pasted."""

import json
import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

import app.views
import sims
from app.pages.page import Library
from app.pages.prose import compile_page
from app.views.base import view_of
from sims import __main__ as command_line
from sims import registry, simulations
from tests.messages import assert_moves

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
FRONT = "---\ntitle: A page\nslug: page\nquestion: Why?\nlede: Because.\n---\n"


class Block(NamedTuple):
    """A fenced block, and the line of text before it."""

    language: str
    code: str
    before: str


BLOCKS = [
    Block(language, textwrap.dedent(code), before)
    for before, _indent, language, code in re.findall(
        r"^([^\n]*)\n\n( *)```(\w*)\n(.*?)^\2```$", README, re.DOTALL | re.MULTILINE
    )
]
MARKDOWN = [block.code for block in BLOCKS if block.language == "markdown"]
LISTINGS = {re.findall(r"`(.+?\.py)`", block.before)[0]: block.code for block in BLOCKS if block.language == "python"}
LINES = [line.partition("#")[0].strip() for block in BLOCKS if not block.language for line in block.code.splitlines()]


def test_every_block_is_run_here() -> None:
    assert README.count("```") == 2 * len(BLOCKS)
    assert len(BLOCKS) == len(MARKDOWN) + len(LISTINGS) + sum(not block.language for block in BLOCKS)
    assert list(LISTINGS) == ["sims/simulations/doubling.py", "app/views/doubling.py"]
    assert len(MARKDOWN) >= 3
    assert {shlex.split(line)[0] for line in LINES} <= {
        "make",
        "docker",
        "SKIP_DASK_SCHEDULER=tcp://scheduler:8786",
        ".venv/bin/python",
    }


@pytest.mark.parametrize("text", MARKDOWN, ids=lambda text: text.split("\n", 1)[0])
def test_a_piece_of_a_chapter_is_a_page(text: str) -> None:
    whole = text if text.startswith("---") else FRONT + text
    slug = re.findall(r"^slug: (\S+)$", whole, re.MULTILINE)[0]
    html = str(compile_page(whole, Path("page.md"), Library(slugs=frozenset({slug}), written=frozenset({slug}))).html)
    assert re.findall(r"\{\w+\}`|^:::", html, re.MULTILINE) == []


@pytest.mark.parametrize("line", [line for line in LINES if line.startswith(".venv")])
def test_a_simulation_runs_without_a_browser(line: str) -> None:
    words = shlex.split(line)
    answer = subprocess.run([sys.executable, *words[1:]], cwd=ROOT, capture_output=True, text=True, check=True)
    assert answer.stderr == ""
    if "--json" in words:
        assert json.loads(answer.stdout)["quantities"]
    else:
        assert len(answer.stdout.splitlines()) > 5


@pytest.mark.parametrize("verb", sorted({word for line in LINES for word in re.findall(r"^make (\w+)", line)}))
def test_make_has_the_verb(verb: str) -> None:
    assert re.search(rf"^{verb}:", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_the_composition_has_the_profile_and_the_setting() -> None:
    text = (ROOT / "compose.yaml").read_text()
    profiles = {each for service in yaml.safe_load(text)["services"].values() for each in service.get("profiles", [])}
    for line in LINES:
        for profile in re.findall(r"--profile (\w+)", line):
            assert profile in profiles
        for setting in re.findall(r"^(SKIP_\w+)=", line):
            assert setting in text


@pytest.fixture
def pasted(tmp_path: Path) -> Iterator[None]:
    """The listings in files of their own, beside those of the product."""
    for name, code in LISTINGS.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code)
    added = {
        sims: tmp_path / "sims",
        simulations: tmp_path / "sims" / "simulations",
        app.views: tmp_path / "app" / "views",
    }
    for package, folder in added.items():
        package.__path__.append(str(folder))
    yield
    for package, folder in added.items():
        package.__path__.remove(str(folder))
    for name in ("sims.simulations.doubling", "app.views.doubling"):
        sys.modules.pop(name, None)
    registry.find.cache_clear()


@pytest.mark.usefixtures("pasted")
def test_the_added_simulation_computes_speaks_moves_and_stands_in_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    doubling = registry.find("doubling")
    frame = doubling().compute()
    assert frame["powers"].tolist() == [1, 2, 4, 8, 16, 32]
    assert doubling().describe(frame) == "After 5 doublings, one has become 32."
    other = doubling(steps=3)
    assert_moves(view_of("doubling", doubling()), ({"steps": 5}, frame), ({"steps": 3}, other.compute()))
    page = compile_page(f"{FRONT}\n:::{{simulation}} doubling\n:::\n", Path("page.md"), Library())
    assert doubling.title() in str(page.html)
    assert command_line.main(["doubling", "--steps", "20"]) == 0
    assert "one has become 1,048,576." in capsys.readouterr().out
    assert "doubling" in registry.names()
