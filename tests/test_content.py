"""The words hold together with the numbers: pages build, names resolve, and what can be computed is not typed."""

import re
from functools import cache
from pathlib import Path

import pytest

from app import edition
from app.edition import CONTENT
from sims import parameters, registry
from sims.base import Training
from sims.frame import Frame

SITE = edition.current()
CHAPTERS = sorted((CONTENT / "chapters").glob("*.md"))
WRITTEN = [path for path in (*CHAPTERS, CONTENT / "home.md") if "status: stub" not in path.read_text()]
written = pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)


@cache
def first_frame(name: str) -> Frame:
    simulation = registry.find(name)()
    return simulation.frame(simulation.start()) if isinstance(simulation, Training) else simulation.compute()


@pytest.mark.parametrize("slug", SITE.slugs)
def test_a_page_builds_and_its_links_within_the_site_lead_somewhere(slug: str) -> None:
    html = SITE.document(slug).html.decode()
    ids = set(re.findall(r'\bid="([^"]+)"', html))
    for target in re.findall(r'<a[^>]* href="([^"]*)"', html):
        if re.match(r"https?:|mailto:|references\.bib", target):
            continue
        place, _, fragment = target.partition("#")
        place = place.partition("?")[0]
        assert place in ("", "./", *SITE.slugs), f"{target} leads nowhere"
        if fragment and place in ("", slug):
            assert fragment in ids, f"{target} has no place on its page"


def test_every_simulation_is_on_a_page() -> None:
    used = {name for path in WRITTEN for name in re.findall(r"^:+\{simulation\} (\w+)", path.read_text(), re.M)}
    assert used == set(registry.simulations())


@written
def test_a_live_value_is_a_result_of_its_simulation(path: Path) -> None:
    text = path.read_text()
    places = dict(re.findall(r"^:+\{simulation\} (\w+)\n(?:(?!:::).*\n)*?id: (\w+)", text, re.M))
    names = {identifier: name for name, identifier in places.items()}
    for place, result in re.findall(r"\{value\}`(\w+)\.(\w+)", text):
        assert result in first_frame(names.get(place, place)).results, f"{place} has no result {result}"


@written
def test_a_simulation_in_a_page_starts_from_possible_values(path: Path) -> None:
    for name, body in re.findall(r"^:+\{simulation\} (\w+)\n((?:(?!:::).*\n)*)", path.read_text(), re.M):
        given = dict(re.findall(r"^(\w+): (.*)$", body, re.M))
        known = parameters.control_names(registry.find(name))
        _, notes = parameters.read(registry.find(name), {key: text for key, text in given.items() if key in known})
        assert notes == []


SETTING = re.compile(r"\b\d+(?:\.\d+)?(?:\s?%|\s?×(?!\s?\d)|e-?\d+)")
"""What looks like a result: a percentage, a factor, a power of ten."""


@written
def test_no_result_is_typed(path: Path) -> None:
    prose = re.sub(r"\A---\n.*?\n---\n", "", path.read_text(), flags=re.S)
    prose = re.sub(r"\{\w+(?::\w+)?\}`[^`]*`|\$\$.*?\$\$|\$[^$\n]*\$|`[^`]*`|```.*?```", "N", prose, flags=re.S)
    assert SETTING.findall(prose) == []
