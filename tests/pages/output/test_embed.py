"""A figure alone: nothing of its page but what its words need, and everything that its picture needs."""

import re

import pytest

from app.pages.files.sources import EMBED
from sims import registry
from tests.site import SOURCES, html_of, site

EMBEDS = SOURCES.embeds()


def test_every_simulation_can_be_embedded_from_its_first_place() -> None:
    assert {f"{EMBED}{name}" for name in registry.names()} <= EMBEDS.keys()
    assert EMBEDS["embed/corrections"] == ("shortcut", "corrections")
    assert EMBEDS["embed/home.teaser"] == ("home", "teaser")
    assert len(set(EMBEDS.values())) == len(EMBEDS)


@pytest.mark.parametrize("slug", EMBEDS)
def test_it_is_whole(slug: str) -> None:
    home, anchor = EMBEDS[slug]
    html = html_of(slug)
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert html.count('<figure class="simulation') == html.count("<h1") == 1
    assert set(re.findall(r'(?:data-card|aria-labelledby)="([^"]+)"', html)) <= set(ids)
    assert 'href="#' not in html
    assert 'href="?' not in html
    assert "data-covered" not in html
    page = site().page(slug)
    (picture,) = page.places
    assert f'data-picture="shelf/{picture}"' in html
    assert page.places[picture] == site().page(home).places[picture]
    assert f'<a data-home href="{"./" if home == "home" else home}#{anchor}"' in html


@pytest.mark.parametrize(("slug", "page"), [("embed/tower", EMBEDS["embed/tower"][0]), ("embed/home.machine", "./")])
def test_its_presets_lead_to_its_page(slug: str, page: str) -> None:
    links = re.findall(r'<a class="preset" href="([^"?#]*)[^"]*#', html_of(slug))
    assert set(links) == {page}


def test_it_has_the_title_that_its_figure_has_on_the_page() -> None:
    page = site().page("embed/matrices.two_gradients")
    assert page.meta["title"] != page.simulations["two_gradients"].title()
    assert page.meta["title"] in page.html


def test_a_page_names_the_address_of_each_of_its_figures() -> None:
    html = html_of("degradation")
    assert 'data-embed="embed/degradation"' in html
    assert 'data-embed="embed/failures"' in html


def test_one_that_is_not_there_is_none() -> None:
    with pytest.raises(KeyError):
        site().page("embed/nothing")
