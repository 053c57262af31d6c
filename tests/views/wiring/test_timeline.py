"""Marks by evidence, the card of the chosen entry, and a press that chooses."""

from types import SimpleNamespace

import pytest

from app.pictures.base.evidence import SIGNS
from app.views.wiring.timeline import BESIDE, MARKS, YEARS, TimelineView
from sims.data import history
from sims.simulations.wiring.timeline import NARROW, PERIODS, WIDE, WIDTHS, Timeline
from tests.showing import showing
from tests.tiers import first


def shown(**settings):
    simulation = Timeline(**settings)
    return showing(TimelineView(simulation), simulation.compute())


def test_every_evidence_has_a_marker_of_its_own():
    assert set(MARKS) == set(history.EVIDENCE)
    assert len({(marker, fill) for marker, fill, _line in MARKS.values()}) == len(MARKS)
    assert len({SIGNS[evidence] for evidence in MARKS}) == len(MARKS)
    assert set(YEARS) == set(PERIODS)


@pytest.mark.parametrize("screen", WIDTHS)
def test_marks_are_grouped_by_confidence(screen):
    chart = shown()._charts[screen]
    for confidence, source in chart.marks.items():
        names = [entry.name for entry in history.entries() if entry.confidence == confidence]
        assert list(source.data["name"]) == names
    assert len(chart.rest.data["x"]) == 0


def test_a_wide_screen_names_every_entry():
    chart = shown(entry="lstm")._charts[WIDE]
    words = [text for source in (*chart.words.values(), *chart.name.values()) for text in source.data["text"]]
    assert sorted(words) == sorted(entry.short for entry in history.entries())


def test_the_picture_says_where_years_are_pressed_together():
    bent, straight = (shown(period=period)._charts[WIDE] for period in ("all", "later"))
    assert "compressed" in bent.figure.xaxis[0].axis_label
    assert set(bent.squeezed.data["right"]) == {0.32}
    assert "pressed" not in straight.figure.xaxis[0].axis_label
    assert set(straight.squeezed.data["right"]) == {0.0}


@pytest.mark.parametrize("screen", WIDTHS)
@pytest.mark.parametrize("period", ["all", "later"])
def test_the_legend_is_at_the_chart(screen, period):
    label = shown(period=period)._charts[screen].figure.xaxis[0].axis_label
    assert all(f"{sign} {meaning}" in label for meaning, sign in SIGNS.items() if meaning in MARKS)


def test_what_a_filter_leaves_out_is_a_dot():
    chart = shown(evidence="disputed")._charts[WIDE]
    assert len(chart.marks["verified"].data["x"]) == 0
    assert len(chart.rest.data["x"]) == len(history.entries()) - 2


@pytest.mark.parametrize("entry", first(20, history.entries()), ids=lambda item: item.name)
def test_the_card_has_room_for_every_entry(entry):
    view = shown(entry=entry.name)
    lines = view._card._lines
    assert lines["head"].data["text"] == [f"{entry.date} · {entry.title}"]
    assert " ".join(lines["sentence"].data["text"]) == entry.sentence
    assert lines["evidence"].data["text"][0].startswith(f"{SIGNS[entry.confidence]} {entry.confidence}")
    assert lines["evidence"].data["y"][0] > view._card.figure.y_range.start


@pytest.mark.parametrize("screen", WIDTHS)
def test_the_chosen_entry_has_a_ring_and_its_name(screen):
    chart = shown(entry="lstm")._charts[screen]
    assert len(chart.ring.data["x"]) == 1
    assert [text for source in chart.name.values() for text in source.data["text"]] == ["LSTM"]
    assert not [text for source in chart.words.values() for text in source.data["text"] if text == "LSTM"]
    assert len(shown(entry="lstm", period="norms")._charts[screen].ring.data["x"]) == 0


def test_a_press_chooses_the_nearest_entry():
    view, heard = shown(period="skips"), []
    view.change = lambda name, value: heard.append((name, value))
    chart = view._charts[NARROW]
    _name, x, y = next(place for place in chart.places() if place[0] == "densenet")
    chart.on_tap(SimpleNamespace(x=x + 0.003, y=y))
    assert heard == [("entry", "densenet")]
    chart.on_tap(SimpleNamespace(x=x + 16, y=y))
    chart.on_tap(SimpleNamespace(x=None, y=y))
    assert len(heard) == 1


def test_every_depth_has_its_words():
    view = shown()
    texts = view._depth_words.data["text"]
    assert "ResNet 1,202" in texts
    assert "Highway >100" in texts
    assert len(texts) == len(history.depths())
    assert {(depth.name, depth.count) for depth in history.depths()} >= set(BESIDE)
