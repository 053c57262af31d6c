"""Every rule of a recipe has sources that exist: papers, places on this site, lines of code at a fixed commit."""

import re

import pytest

from app.pages.data.bibliography import read
from sims.data.recipe_evidence import GRADES, drop_path, language_rate, layer_scale, rules, sources
from sims.paths import CONTENT
from tests.site import SLUGS


def test_each_source_is_a_paper_a_place_or_an_address() -> None:
    known = read(CONTENT / "references.bib")
    for name, source in sources().items():
        assert sum(map(bool, (source.cite, source.page, source.address))) == 1, name
        assert source.words
        if source.cite:
            assert source.cite in known, name
        if source.page:
            assert source.page.partition("#")[0] in SLUGS, name
        if source.address:
            assert source.address.startswith("https://"), name


def test_each_rule_has_a_grade_and_all_but_conventions_and_counts_have_sources() -> None:
    for name, rule in rules().items():
        assert rule.grade in GRADES, name
        assert rule.by or rule.grade in ("convention", "counted"), name
        if rule.grade == "measured":
            assert any(source.page for source in rule.by), f"{name}: no run"
        if rule.grade == "shipped":
            assert any(source.cite or source.address for source in rule.by), name
        assert not rule.against or rule.against.endswith("."), name
        assert rule.against or not rule.against_by, name


def test_no_source_is_unused() -> None:
    used = {source for rule in rules().values() for source in (*rule.by, *rule.against_by)}
    assert not [name for name, source in sources().items() if source not in used]


def test_code_of_others_is_fixed_to_a_commit() -> None:
    """A branch moves; only pages without a copy of ours to fix are named by their branch."""
    moving = [source.address for source in sources().values() if re.search(r"/blob/(main|master)/", source.address)]
    assert {address.split("/")[4] for address in moving} <= {"bert", "vision"}


def test_the_lists_give_the_row_of_a_named_model() -> None:
    assert language_rate(768, 12).rate == 6e-4
    assert language_rate(12288, 96).name == "175B"
    assert [layer_scale(blocks) for blocks in (12, 24, 36)] == [0.1, 1e-5, 1e-6]
    assert drop_path("vit", 1024) == 0.45
    assert drop_path("image", 768, blocks=18) == 0.1
    assert drop_path("image", 768, blocks=36) == 0.4
    assert drop_path("vit", 384, overfits=True) == 0.2


def test_an_unknown_family_has_no_list() -> None:
    with pytest.raises(ValueError, match="empty"):
        drop_path("recurrent", 64)
