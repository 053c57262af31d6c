"""A card says what it rests on; what can be computed comes out as it was worked out, and as its picture has it."""

import ast
import re
from functools import cache

import pytest

from app.pages.data import claims
from app.pages.data.claims import DEPENDS, HOLDS, JUDGMENTS, Claim
from app.pages.document.figure_placement import FigurePlacement
from app.pages.text.numerals import typeset
from app.pictures.base.evidence import SIGNS
from app.pictures.base.theme import DARK, LIGHT
from sims.contract.calculation import Number
from sims.contract.frame import Frame
from sims.contract.simulation import Simulation
from sims.numbers.call import parse
from sims.paths import CONTENT, ROOT
from tests.colors import TEXT_CONTRAST, contrast, values
from tests.site import CHAPTERS, html_of, site

CARDS = list(claims.read(CONTENT / "claims.yaml").cards.values())


def html(claim: Claim) -> str:
    """The card on the page of claims."""
    page = html_of("claims")
    return page[page.index(f'id="{claim.id}"') :].partition("</section>")[0]


@cache
def named_in(file: str) -> dict[str, str]:
    """The tests of a file, with the first text in each."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return {node.name: ast.get_docstring(node) or "" for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_no_card_is_without_a_source_or_a_computation() -> None:
    for claim in CARDS:
        assert claim.sources or claim.test, claim.id
        assert bool(claim.test) == bool({"computed", "algebra"} & set(claim.evidence)), claim.id


def test_a_card_names_its_sources_and_how_far_each_was_verified() -> None:
    for claim in CARDS:
        for key in claim.sources:
            paper = site().library.papers[key]
            badge = f'<span class="badge {paper.status}" data-sign="{SIGNS[paper.status]}">'
            source = rf'#{key}"[^>]*>[^<]*{paper.dated}</a> {badge}'
            assert re.search(source, html(claim)), (claim.id, key)


def test_a_card_names_the_chapters_that_treat_it() -> None:
    for claim in CARDS:
        treated = html(claim).partition("Treated in")[2]
        chapters = [slug for slug in CHAPTERS if claim.id in site().page(slug).claims]
        for slug in chapters + [slug for slug in CHAPTERS if slug == claim.chapter]:
            assert f'<a href="{slug}">' in treated, (claim.id, slug)


def test_the_test_of_a_card_is_there_and_names_the_card() -> None:
    for claim in CARDS:
        if claim.test:
            file, _colons, name = claim.test.partition("::")
            words = f"{name} {named_in(file)[name]}"
            assert claim.id in words or f"_{claim.id.lower().replace('-', '_')}_" in words
            assert claim.test in html(claim)


def computed(call: str) -> Number:
    calculation, arguments = parse(call)
    value = site().library.numbers.value(calculation, arguments) if calculation.long else calculation(**arguments)
    assert value is not None
    return value


@pytest.mark.parametrize("claim", [claim for claim in CARDS if claim.expected], ids=lambda claim: claim.id)
def test_what_is_computed_is_what_was_expected(claim: Claim) -> None:
    for bound in claim.expected:
        call, _bar, form = bound.calc.partition("|")
        value = computed(call)
        assert not isinstance(value, str)
        assert bound.low <= value <= bound.high or typeset(value, form) == typeset(bound.low, form)
        assert bound.calc.replace("\\|", "|") in " ".join(claim.correction.split())


IN_PICTURE = {
    "B-01": ("exact.product(factor=0.7, count=20)", "total"),
    "B-02": ("exact.product(factor=1.3, count=100)", "total"),
    "B-05": ("exact.direct_share(gain=0.3, blocks=3)", "direct_share"),
    "D-08": ("by_hand.share()", "share"),
    "E-17": ("last_op.mean(blocks=20)", "mean"),
}
"""Card → a number on it, and which result of its simulation, in the state of its button, is the same"""


def opened(claim: Claim) -> Simulation:
    """The simulation of a card in the state that its button opens."""
    assert claim.check is not None
    page = site().page(claim.check["page"])
    (place,) = [place for place in page.places.values() if place.anchor == claim.check["simulation"]]
    settings = {**place.settings, **{name: str(value) for name, value in claim.check["parameters"].items()}}
    return FigurePlacement(place.anchor, place.name, settings).simulation()


def in_state(claim: Claim) -> Frame:
    """What it computes there."""
    return opened(claim).compute()


@pytest.mark.parametrize("name", IN_PICTURE)
def test_a_number_on_a_card_is_the_one_in_its_picture(name: str) -> None:
    claim = site().claims.cards[name]
    call, result = IN_PICTURE[name]
    assert call in " ".join(claim.correction.split())
    assert in_state(claim).results[result] == pytest.approx(computed(call), rel=1e-12)


@pytest.mark.parametrize("name", ["A-09", "A-17"])
def test_the_published_errors_on_a_card_are_those_in_its_picture(name: str) -> None:
    claim = site().claims.cards[name]
    frame, simulation = in_state(claim), opened(claim)
    calls = re.findall(r"`(publications\.[^`|]+)\|", " ".join(claim.correction.split()))
    assert len(calls) == 2
    assert all(f"{computed(call):.2f}%" in simulation.describe(frame) for call in calls)


def test_a_button_leads_to_a_figure_of_the_page_in_the_state_of_the_card() -> None:
    for claim in CARDS:
        assert ("Show it" in html(claim)) == bool(claim.check)
        if claim.check:
            assert claim.check["simulation"] in site().page(claim.check["page"]).simulations


def test_a_card_says_why_it_is_believed_before_it_is_judged_and_its_condition_after() -> None:
    for claim in CARDS:
        before, _box, after = html(claim).partition('<div class="check">')
        assert before.index('<p class="why">') < before.index("<fieldset>"), claim.id
        assert before.count('type="radio"') == len(JUDGMENTS)
        assert f'<span class="verdict {claim.judgment}">{claim.verdict.capitalize()}</span>' in after
        assert ('class="condition"' in after) == (claim.judgment == DEPENDS), claim.id


def test_at_least_a_third_of_the_statements_hold_and_no_judgment_wins_by_itself() -> None:
    shares = {judgment: sum(claim.judgment == judgment for claim in CARDS) / len(CARDS) for judgment in JUDGMENTS}
    assert shares[HOLDS] >= 1 / 3
    assert max(shares.values()) < 1 / 2
    assert min(shares.values()) > 0


def test_verdicts_are_legible_in_both_themes_and_differ_in_glyph_and_word_too() -> None:
    style = (ROOT / "app" / "static" / "style" / "exercises" / "claims.css").read_text(encoding="utf-8")
    glyphs = []
    for judgment in JUDGMENTS:
        (color,) = re.findall(rf"\.verdict\.{judgment} {{\n  color: var\(--(\w+)\);", style)
        glyphs += re.findall(rf'\.verdict\.{judgment}::before {{\n  content: "(.)";', style)
        for theme in (LIGHT, DARK):
            assert contrast(values(theme[color]), values(theme["panel"])) >= TEXT_CONTRAST, judgment
    assert len(set(glyphs)) == len(JUDGMENTS)


def test_a_card_has_a_page_of_its_own() -> None:
    for claim in CARDS:
        page = html_of(f"claim-{claim.id}")
        assert f"<h1>Claim {claim.id}</h1>" in page
        assert page.count('<section class="claim"') == 1, claim.id
        assert html(claim).partition('<div class="check">')[2] in page, claim.id
        title = re.findall(r'<meta property="og:title" content="(.*?)">', page)
        assert len(title) == 1, claim.id
        assert title[0].startswith("“"), claim.id
        assert "<" not in title[0], claim.id


def test_the_pages_of_claims_lead_from_one_to_the_next() -> None:
    names = [claim.id for claim in CARDS]
    first = next(name for name in names if name.startswith("B"))
    assert 'rel="prev"' not in html_of(f"claim-{names[0]}")
    assert f'rel="next" href="claim-{names[1]}"' in html_of(f"claim-{names[0]}")
    assert f'rel="prev" href="claim-{names[names.index(first) - 1]}"' in html_of(f"claim-{first}")
    with pytest.raises(KeyError):
        html_of("claim-Z-99")
