"""What others show for a link: only figures of ours, only what they take, and never a word of the link as it came."""

from dataclasses import replace

import pytest

from app.pages.data.renames import RENAMES, Renames
from app.pages.document.figure_placement import FigurePlacement
from app.pages.files import stills
from app.pages.files.sources import Sources
from app.server.http import oembed
from app.server.http.oembed import MOST, Link, answer, discovery, read, size
from sims.paths import CONTENT

SITE = "https://example.org/skip/"
EMBEDS = Sources().embeds()
PLACE = FigurePlacement("degradation", "degradation", {"depth": "56"})
HOSTILE = '"><script>alert(1)</script>'


@pytest.mark.parametrize(
    ("address", "slug", "texts"),
    [
        ("embed/degradation?depth=20&v=2", "embed/degradation", {"depth": "20", "v": "2"}),
        ("embed/home.teaser", "embed/home.teaser", {}),
        ("degradation?degradation.depth=20&v=2#degradation", "embed/degradation", {"depth": "20"}),
        ("degradation?failures.depth=9&degradation.depth=20", "embed/failures", {"depth": "9"}),
        ("degradation?failures.depth=9&degradation.depth=20#degradation", "embed/degradation", {"depth": "20"}),
        ("degradation#degradation", "embed/degradation", {}),
        ("#teaser", "embed/home.teaser", {}),
        ("?teaser.strength=0.5", "embed/home.teaser", {"strength": "0.5"}),
        ("gradient-paths?jacobian_walk.sigma=0.8&v=2#jacobian_walk", "embed/jacobian_walk", {"sigma": "0.8"}),
        ("embed/gradient-paths.two_gradients", "embed/matrices.two_gradients", {}),
    ],
)
def test_a_link_to_a_figure_is_understood(address: str, slug: str, texts: dict[str, str]) -> None:
    link = read(SITE + address, SITE, EMBEDS)
    assert link is not None
    assert (link.slug, link.texts) == (slug, texts)


@pytest.mark.parametrize(
    "url",
    [
        "",
        SITE,
        f"{SITE}degradation",
        f"{SITE}degradation?nothing.depth=8",
        f"{SITE}nowhere#degradation",
        f"{SITE}embed/nothing",
        f"{SITE}embed/../degradation#degradation",
        f"{SITE}embed/degradation/",
        f"{SITE}//evil.example/embed/degradation",
        "https://example.org/embed/degradation",
        "https://example.org.evil.example/skip/embed/degradation",
        "https://evil.example/?https://example.org/skip/embed/degradation",
        "http://example.org/skip/embed/degradation",
        "javascript:alert(1)",
        "//example.org/skip/embed/degradation",
        f"{SITE}embed/degradation?depth={'9' * 5_000}",
        f"{SITE}embed/degradation?{'a=1&' * 900}",
        f"{SITE}[",
    ],
)
def test_anything_else_is_not(url: str) -> None:
    assert read(url, SITE, EMBEDS) is None


def test_a_site_that_does_not_know_where_it_is_answers_for_nobody() -> None:
    assert read("embed/degradation", "", EMBEDS) is None
    assert discovery("degradation", "degradation.depth=8", "") == ""


def answer_to(texts: dict[str, str], version: str = "", most: tuple[int, int] = (MOST, MOST)) -> dict[str, object]:
    return answer(Link("embed/degradation", texts, version), "degradation", PLACE, SITE, "One plus sign", most)


def test_the_answer_follows_the_standard() -> None:
    payload = answer_to({"depth": "20"})
    assert (payload["version"], payload["type"], payload["provider_url"]) == ("1.0", "rich", SITE)
    assert f'<iframe src="{SITE}embed/degradation?depth=20&amp;v=2"' in str(payload["html"])
    assert f'width="{payload["width"]}" height="{payload["height"]}"' in str(payload["html"])
    assert payload["thumbnail_url"].startswith(f"{SITE}cards/degradation.png")  # type: ignore[attr-defined]


def test_only_what_the_figure_takes_is_in_it() -> None:
    hostile = {"depth": HOSTILE, HOSTILE: "8", "norm": "9" * 3_000, "theme": "dark", "width": "16"}
    html = str(answer_to(hostile)["html"])
    assert 'embed/degradation?width=16&amp;v=2"' in html
    assert "script" not in html
    assert 'embed/degradation"' in str(answer_to({"depth": "9999"})["html"])


def test_an_old_link_shows_what_it_showed_then(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "learning_rate=0.05" in str(answer_to({"depth": "20"}, "1")["html"])
    assert "learning_rate" not in str(answer_to({"depth": "20"}, "2")["html"])
    renamed = replace(RENAMES, parameters={"degradation": {"layers": "depth"}}, simulations={"old": "degradation"})
    monkeypatch.setattr(oembed, "RENAMES", replace(renamed, pages={"beginning": "degradation"}))
    assert "depth=20" in str(answer_to({"layers": "20"})["html"])
    for address in ("embed/old?layers=8", "beginning?degradation.layers=8"):
        link = read(SITE + address, SITE, EMBEDS)
        assert link is not None
        assert (link.slug, link.texts) == ("embed/degradation", {"layers": "8"})


def test_the_table_of_today_names_what_there_is() -> None:
    assert isinstance(RENAMES, Renames)
    places = {anchor for _page, anchor in EMBEDS.values()}
    assert {anchor for figures in RENAMES.unsaid.values() for anchor in figures} <= places
    assert not RENAMES.pages.keys() & {page for page, _anchor in EMBEDS.values()}


@pytest.mark.parametrize("text", ["", "0", "-3", "1e3", "²", "10001", "9" * 99])
def test_a_size_is_taken_where_it_is_one(text: str) -> None:
    assert size(text) == MOST
    assert size("500") == 500


def test_it_fits_into_what_is_allowed() -> None:
    small = answer_to({}, most=(400, 300))
    assert (small["width"], small["height"]) == (400, 300)
    measured = stills.still(CONTENT / "stills", "degradation", "degradation")
    assert stills.fitting(measured, 400) > stills.fitting(measured, 960)
    assert stills.fitting(None, 960) > 500


def test_a_page_says_where_its_answer_is_whatever_its_query() -> None:
    link = discovery("degradation", f"degradation.depth={HOSTILE}", SITE)
    assert link.startswith(
        '<link rel="alternate" type="application/json+oembed" href="https://example.org/skip/oembed?'
    )
    assert link.count("<") == link.count(">") == 1
    assert link.count('"') == 6
    assert discovery("degradation", "x=" + "9" * 5_000, SITE) == ""
