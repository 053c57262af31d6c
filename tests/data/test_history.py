"""The file of the history: complete, in order, and never surer than the references are."""

from itertools import pairwise
from pathlib import Path

import pytest

from app.pages.data.bibliography import read
from app.pages.files.sources import EXTRAS, Sources
from sims.comparisons.ancestors import ANCESTORS
from sims.data import history
from sims.data.history import DISPUTED, EVIDENCE, KINDS, MEMORY, SECOND_HAND, VERIFIED

REFERENCES = Path(__file__).parent.parent.parent / "content" / "references.bib"
SURE = {VERIFIED: 2, SECOND_HAND: 1, MEMORY: 0}
LONGEST = 125


def test_there_are_more_than_fifty_five_entries_each_with_its_own_name_and_title():
    entries = history.entries()
    assert len(entries) > 55
    for names in (
        [entry.name for entry in entries],
        [entry.title for entry in entries],
        [entry.short for entry in entries],
    ):
        assert len(set(names)) == len(entries)
    assert history.counted() == len(entries)
    assert history.counted(confidence=DISPUTED) >= 2


def test_the_oldest_is_first():
    assert [pair for pair in pairwise(history.entries()) if pair[0].time > pair[1].time] == []


@pytest.mark.parametrize("entry", history.entries(), ids=lambda entry: entry.name)
def test_an_entry_is_complete(entry):
    assert entry.kind in KINDS
    assert entry.confidence in EVIDENCE
    assert entry.sources
    assert entry.people
    assert entry.sentence.endswith(".")
    assert len(entry.sentence) <= LONGEST
    assert 0 < len(entry.short) <= 32
    assert entry.month is None or 1 <= entry.month <= 12
    assert str(entry.year) in entry.date


@pytest.mark.parametrize("entry", history.entries(), ids=lambda entry: entry.name)
def test_no_entry_is_surer_than_its_sources_allow(entry):
    references = read(REFERENCES)
    assert set(entry.sources) <= set(references)
    if entry.confidence != DISPUTED:
        first = references[entry.sources[0]]
        assert SURE[entry.confidence] <= SURE[first.status]


def test_every_ancestor_has_its_source():
    assert {ancestor.source for ancestor in ANCESTORS.values()} <= set(read(REFERENCES))


def test_the_month_is_that_of_the_preprint():
    references = read(REFERENCES)
    for entry in history.entries():
        number = references[entry.sources[0]].arxiv
        if number:
            assert (2000 + int(number[:2]), int(number[2:4])) == (entry.year, entry.month), entry.name


def test_nothing_before_1986_was_opened():
    assert min(entry.year for entry in history.entries() if entry.confidence == VERIFIED) == 1986


def test_every_link_leads_to_a_page():
    pages = {*Sources().slugs(), *EXTRAS}
    assert {entry.page for entry in history.entries() if entry.page} <= pages


def test_every_depth_belongs_to_an_entry():
    for depth in history.depths():
        assert history.find(depth.name)
        assert depth.count > 0


def test_depths_are_found_by_their_task():
    assert history.depth(name="resnet") == 152
    assert history.depth(name="resnet", task="CIFAR-10") == 1202
    with pytest.raises(KeyError):
        history.depth(name="lstm")
    with pytest.raises(KeyError):
        history.find("nobody")
