"""A simulation and a chapter from the templates keep every contract in a copy of the tree, as they are written."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from authoring.__main__ import main

ROOT = Path(__file__).parent.parent
PARTS = ("app", "authoring", "content", "sims", "tests", "tools", "pyproject.toml", "CHANGELOG.md", "README.md")
MADE = (
    ["simulation", "my_idea", "--title", "What my idea does"],
    [
        "simulation",
        "my_training",
        "--title",
        "What a chain of blocks learns",
        "--training",
        "yes",
        "--subject",
        "depth",
    ],
    ["chapter", "tested-topic", "--simulation", "my_idea"],
)

PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "my_")

BUILD = """
from app.pages.output.build import Builder
made = Builder().page("tested-topic")
assert not made.error, made.error
assert 'data-simulation="my_idea"' in made.html and "What my idea does" in made.html
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with two simulations and an eleventh chapter in it."""
    copy = tmp_path_factory.mktemp("tree")
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__", "stills", "cards"))
        else:
            shutil.copy(ROOT / part, copy)
    for arguments in MADE:
        assert main(arguments, copy) == 0
    return copy


def run(tree: Path, *arguments: str) -> None:
    environment = {**os.environ, "SKIP_CACHE": str(tree / ".cache"), "PYTHONPATH": str(tree)}
    for name in ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "PYTEST_CURRENT_TEST"):
        environment.pop(name, None)
    answer = subprocess.run([sys.executable, *arguments], cwd=tree, env=environment, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stdout[-4000:] + answer.stderr[-4000:]


@pytest.mark.exhaustive
def test_they_keep_the_contract_of_every_simulation_and_pass_their_own_tests(tree: Path) -> None:
    own = ["tests/simulations/shortcuts/test_my_idea.py", "tests/simulations/depth/test_my_training.py"]
    run(tree, *PYTEST, "tests/every_simulation", *own)


@pytest.mark.exhaustive
def test_the_house_takes_them_in(tree: Path) -> None:
    run(tree, *PYTEST, "tests/test_layers.py", "tests/test_names.py")


@pytest.mark.exhaustive
def test_the_chapter_keeps_the_rules_of_pages(tree: Path) -> None:
    run(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "tested-topic", "tests/test_reading_order.py")


def test_the_chapter_has_a_picture_for_the_home_page(tree: Path) -> None:
    [chapter] = (tree / "content" / "chapters").glob("*-tested-topic.md")
    assert "\npicture: my_idea\n" in chapter.read_text(encoding="utf-8")


@pytest.mark.exhaustive
def test_their_results_are_listed_in_their_place(tree: Path) -> None:
    run(tree, *PYTEST, "tests/pages/data/test_result_names.py")
    lines = (tree / "app" / "pages" / "data" / "result_names.toml").read_text(encoding="utf-8").splitlines()
    assert 'my_idea = ["growth"]' in lines
    names = [line.partition(" = ")[0] for line in lines if " = " in line and not line.startswith("#")]
    assert names == sorted(names)


def test_the_command_line_and_the_page_have_them(tree: Path) -> None:
    run(tree, "-m", "sims", "my_idea", "--blocks", "3", "--json")
    run(tree, "-c", BUILD)


def test_they_are_written_as_the_rest_is(tree: Path) -> None:
    paths = [str(path) for path in tree.rglob("*my_*.py")]
    assert len(paths) == 6
    run(tree, "-m", "ruff", "check", *paths)
    run(tree, "-m", "ruff", "format", "--check", *paths)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (MADE[0], "already"),
        (MADE[2], "already"),
        (["simulation", "My Idea"], "no name for a simulation"),
        (["simulation", "../evil"], "no name for a simulation"),
        (["simulation", "my_idea", "--subject", "depth"], "already"),
        (["simulation", "my_own", "--subject", "nothing"], "no subject; there are "),
        (["simulation", "my_own", "--subject", "../evil"], "no subject; there are "),
        (["chapter", "my_topic"], "no name for a page"),
    ],
)
def test_nothing_is_written_over(
    tree: Path, arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(tree.rglob("*"))
    assert main(arguments, tree) == 2
    assert complaint in capsys.readouterr().err
    assert sorted(tree.rglob("*")) == before


def test_an_author_hears_what_was_chosen_and_what_is_left_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "content" / "chapters"
    folder.mkdir(parents=True)
    (folder / "9-last.md").touch()
    assert main(["chapter", "tested-topic", "--simulation", "highway"], tmp_path) == 0
    named = capsys.readouterr().out
    assert "No simulation was named" not in named
    assert all(
        word in named
        for word in ("/tested-topic", "make numbers", "tools.stills tested-topic", "tools.cards", "README.md")
    )
    assert main(["chapter", "another", "--simulation", ""], tmp_path) == 0
    assert "No simulation was named, so its figure shows `paths`." in capsys.readouterr().out


@pytest.mark.parametrize("verb", ["new-simulation", "new-chapter"])
def test_make_has_the_verb(verb: str) -> None:
    assert f"\n{verb}: " in (ROOT / "Makefile").read_text(encoding="utf-8")
