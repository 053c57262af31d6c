"""Where entries stand, and which are shown."""

from itertools import pairwise

import numpy as np
import pytest

from sims.data import history
from sims.simulations.wiring.timeline import (
    ALL,
    BENDS,
    LETTER,
    MARK,
    NARROW,
    PERIODS,
    WIDE,
    WIDTHS,
    Timeline,
    along,
    arranged,
    first_row,
)


@pytest.mark.parametrize("screen", WIDTHS)
@pytest.mark.parametrize("period", PERIODS)
def test_the_entries_of_the_years_are_in_their_lanes(period, screen):
    frame = Timeline(period=period).compute()
    _words, start, end = PERIODS[period]
    inside = [start <= item.time <= end for item in history.entries()]
    assert (frame[f"{screen}_row"] >= 0).tolist() == inside
    assert frame["inside"].tolist() == inside
    kinds = list(history.KINDS)
    for entry, lane, row in zip(history.entries(), frame[f"{screen}_lane"], frame[f"{screen}_row"], strict=True):
        if row >= 0:
            assert kinds[lane] == entry.kind
            assert row >= frame[f"{screen}_tops"][lane]
            assert lane == len(kinds) - 1 or row < frame[f"{screen}_tops"][lane + 1]


def test_every_entry_is_in_a_period_other_than_the_whole():
    near = [(start, end) for name, (_words, start, end) in PERIODS.items() if name != "all"]
    assert all(
        any(start <= entry.time <= end for start, end in near) for entry in history.entries() if entry.year != 2012
    )


@pytest.mark.parametrize("screen", WIDTHS)
@pytest.mark.parametrize("period", PERIODS)
def test_no_words_and_no_marks_cover_others(period, screen):
    places, width = arranged(screen, period), WIDTHS[screen]
    spans: dict[int, list[tuple[float, float]]] = {}
    for name, place in places.items():
        entry = history.find(name)
        center, words = along(period, entry.time) * width, len(entry.short) * LETTER if place.side else 0
        low = center - MARK / 2 - (words if place.side == "left" else 0)
        spans.setdefault(place.row, []).append((low, low + MARK + words))
        assert not place.side or (low >= -MARK and low + MARK + words <= width * 1.05)
    for row in spans.values():
        row.sort()
        assert all(one[1] <= other[0] + 1e-6 for one, other in pairwise(row))


def test_all_entries_have_words_where_there_is_room():
    assert all(place.side for place in arranged(WIDE, ALL).values())
    named = {name for name, place in arranged(NARROW, ALL).items() if place.side}
    assert named == {entry.name for entry in history.entries() if entry.landmark}


def test_the_axis_of_all_years_goes_forward_and_gives_most_room_to_the_last():
    years = np.arange(1959, 2028)
    shares = [along(ALL, year) for year in years]
    assert (np.diff(shares) > 0).all()
    assert all(0 <= share <= 1 for share in shares)
    assert 1 - along(ALL, BENDS[-2][0]) > 0.6
    assert along("norms", 1990) < 0
    assert along("norms", 2026) > 1


def test_filters_leave_entries_out():
    disputed = Timeline(evidence="disputed").compute()
    assert disputed.results["shown"] == disputed.results["disputed"] == history.counted(confidence="disputed")
    use = Timeline(kind="use").compute()
    assert {str(kind) for kind in use["kind"][use["shown"]]} == {"Use"}
    assert Timeline(kind="use", evidence="disputed").compute().results["shown"] == 0


def test_the_words_tell_the_card_of_the_chosen_entry():
    simulation = Timeline(entry="werbos", period="backward")
    text = simulation.describe(simulation.compute())
    entry = history.find("werbos")
    assert all(part in text for part in (entry.title, entry.people, entry.sentence, "disputed", "Werbos 1974"))


def test_an_unknown_lane_is_refused():
    with pytest.raises(KeyError):
        first_row({}, "nothing")
