"""The list of missions on a page: readable as it stands, and complete or refused."""

from pathlib import Path

import pytest

from app.pages.document.page import Library
from app.pages.markdown.prose import compile_page
from app.pages.text.errors import BuildError
from sims.comparisons.missions import DATA, FIRST_MINUTE, MISSIONS

FRONT = "---\ntitle: t\nslug: s\nquestion: q\nlede: l\n---\n"
WORDS = "\n".join(f"{name}: Do *{name}*." for name in MISSIONS)
SIMULATION = ":::{simulation} explorer\n:::\n"


def html(words: str, before: str = SIMULATION, place: str = "explorer") -> str:
    return str(
        compile_page(f"{FRONT}{before}\n:::{{missions}} {place}\n{words}\n:::\n", Path("page.md"), Library()).html
    )


def test_every_mission_is_on_the_page_in_order_with_its_conditions_on_two_runs() -> None:
    markup = html(WORDS)
    assert [f"Do <em>{name}</em>." in markup for name in MISSIONS] == [True] * len(MISSIONS)
    places = [markup.index(f'data-mission="{name}"') for name in MISSIONS]
    assert places == sorted(places)
    assert markup.count("data-after=") == sum(bool(mission.after) for mission in MISSIONS.values())
    assert f'data-after="level" data-same="{" ".join(DATA)} depth seeds seed" data-most="1"' in markup
    assert '<span class="state"></span>' in markup


@pytest.mark.parametrize(
    ("words", "before", "place", "message"),
    [
        (WORDS.replace("tame:", "shame:"), SIMULATION, "explorer", "tame is missing"),
        (f"{WORDS}\nmore: words", SIMULATION, "explorer", "unknown: more"),
        (WORDS, SIMULATION, "arena", "'arena' is no simulation of this page"),
    ],
)
def test_other_lists_are_refused(words: str, before: str, place: str, message: str) -> None:
    with pytest.raises(BuildError, match=message):
        html(words, before, place)


def test_the_steps_of_a_first_minute_may_be_above_their_figure() -> None:
    words = "\n".join(f"{name}: Do *{name}*." for name in FIRST_MINUTE)
    page = f"{FRONT}:::{{steps}} explorer\n{words}\n:::\n\n{SIMULATION}"
    markup = str(compile_page(page, Path("page.md"), Library()).html)
    assert markup.index('data-list="first_minute" data-word="Step"') < markup.index('id="explorer"')
    places = [markup.index(f'data-mission="{name}"') for name in FIRST_MINUTE]
    assert places == sorted(places)
    assert 'data-labels="{&#34;task&#34;' in markup
    assert markup.count("data-own") == sum(step.own for step in FIRST_MINUTE.values())


def test_a_step_may_hold_a_link_that_sets_the_figure_below_it() -> None:
    words = "\n".join(f"{name}: >\n  Take {{preset}}`8 layers <explorer: depth=8>`." for name in FIRST_MINUTE)
    page = f"{FRONT}:::{{steps}} explorer\n{words}\n:::\n\n{SIMULATION}"
    markup = str(compile_page(page, Path("page.md"), Library()).html)
    assert markup.count('data-for="explorer"') == len(FIRST_MINUTE)
