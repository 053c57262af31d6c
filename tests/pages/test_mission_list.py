"""The list of missions on a page: readable as it stands, and complete or refused."""

from pathlib import Path

import pytest

from app.pages.errors import BuildError
from app.pages.page import Library
from app.pages.prose import compile_page
from sims.comparisons.missions import DATA, MISSIONS

FRONT = "---\ntitle: t\nslug: s\nquestion: q\nlede: l\n---\n"
WORDS = "\n".join(f"{name}: Do *{name}*." for name in MISSIONS)
SIMULATION = ":::{simulation} explorer\n:::\n"


def html(words: str, before: str = SIMULATION, place: str = "explorer") -> str:
    return str(
        compile_page(f"{FRONT}{before}\n:::{{missions}} {place}\n{words}\n:::\n", Path("page.md"), Library()).html
    )


def test_every_mission_stands_on_the_page_in_its_order_with_what_it_asks_of_two_runs() -> None:
    made = html(WORDS)
    assert [f"Do <em>{name}</em>." in made for name in MISSIONS] == [True] * len(MISSIONS)
    places = [made.index(f'data-mission="{name}"') for name in MISSIONS]
    assert places == sorted(places)
    assert made.count("data-after=") == sum(bool(each.after) for each in MISSIONS.values())
    assert f'data-after="level" data-same="{" ".join(DATA)} depth seeds seed" data-most="1"' in made
    assert '<span class="state"></span>' in made


@pytest.mark.parametrize(
    ("words", "before", "place", "said"),
    [
        (WORDS.replace("tame:", "shame:"), SIMULATION, "explorer", "tame is missing"),
        (f"{WORDS}\nmore: words", SIMULATION, "explorer", "unknown: more"),
        (WORDS, SIMULATION, "arena", "'arena' is no simulation of this page"),
    ],
)
def test_other_lists_are_refused(words: str, before: str, place: str, said: str) -> None:
    with pytest.raises(BuildError, match=said):
        html(words, before, place)
