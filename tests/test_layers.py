"""The layers: app → content, sims; sims → numbers only; content → nothing. And no module outgrows one idea."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LONGEST = 320
WEB = {"panel", "bokeh", "tornado", "app"}
MATHEMATICS = {"torch", "numba", "scipy", "sims.training", "sims.networks", "sims.blocks"}


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


def within(names: set[str], forbidden: set[str]) -> set[str]:
    return {name for name in names if any(name == each or name.startswith(each + ".") for each in forbidden)}


def modules(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("path", modules("sims"), ids=lambda path: str(path.relative_to(ROOT)))
def test_numbers_know_nothing_of_the_web(path: Path) -> None:
    assert not within(imported(path), WEB)


@pytest.mark.parametrize("path", modules("app"), ids=lambda path: str(path.relative_to(ROOT)))
def test_pictures_hold_no_mathematics(path: Path) -> None:
    assert not within(imported(path), MATHEMATICS)


@pytest.mark.parametrize("path", modules("sims") + modules("app"), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_is_one_idea(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= LONGEST


def test_words_hold_no_code() -> None:
    assert not [path for path in (ROOT / "content").rglob("*") if path.suffix in (".py", ".js", ".html")]


def test_importing_every_simulation_loads_neither_web_nor_torch() -> None:
    code = (
        "import sys; from sims.registry import simulations; assert simulations(); "
        "print([m for m in ('panel', 'bokeh', 'tornado', 'torch') if m in sys.modules])"
    )
    answer = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"
