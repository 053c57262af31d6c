"""Where entries stand, and which are shown."""

from itertools import pairwise

import numpy as np
import pytest

from sims.data import history
from sims.simulations.wiring.timeline import LETTER, MARK, NARROWEST, PERIODS, Timeline, arranged, first_row


@pytest.mark.parametrize("period", PERIODS)
def test_the_entries_of_the_years_stand_in_their_lanes(period):
    frame = Timeline(period=period).compute()
    _words, start, end = PERIODS[period]
    inside = [start <= item.time <= end for item in history.entries()]
    assert (frame["row"] >= 0).tolist() == inside
    kinds = list(history.KINDS)
    for entry, lane, row in zip(history.entries(), frame["lane"], frame["row"], strict=True):
        if row >= 0:
            assert kinds[lane] == entry.kind
            assert row >= frame["lane_tops"][lane]
            assert lane == len(kinds) - 1 or row < frame["lane_tops"][lane + 1]


def test_every_entry_is_in_some_period_besides_the_whole():
    near = [(start, end) for name, (_words, start, end) in PERIODS.items() if name != "all"]
    assert all(
        any(start <= entry.time <= end for start, end in near) for entry in history.entries() if entry.year != 2012
    )


@pytest.mark.parametrize("period", [name for name in PERIODS if name != "all"])
def test_no_words_cover_others_on_a_telephone(period):
    _words, start, end = PERIODS[period]
    places, unit = arranged(start, end), (end - start) / NARROWEST
    spans: dict[int, list[tuple[float, float]]] = {}
    for name, place in places.items():
        entry = history.find(name)
        wide = len(entry.short) * LETTER * unit
        low = entry.time - wide if place.side == "left" else entry.time
        spans.setdefault(place.row, []).append((low, low + wide))
    for row in spans.values():
        row.sort()
        assert all(one[1] <= other[0] for one, other in pairwise(row))


def test_no_mark_covers_another_where_all_years_are_shown():
    _words, start, end = PERIODS["all"]
    places, unit = arranged(start, end), (end - start) / NARROWEST
    rows: dict[int, list[float]] = {}
    for name, place in places.items():
        rows.setdefault(place.row, []).append(history.find(name).time)
    for times in rows.values():
        assert np.diff(sorted(times)).min(initial=np.inf) >= MARK * unit * 0.999


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
    assert all(part in text for part in (entry.title, entry.people, entry.sentence, "disputed", "werbos1974", "1974"))


def test_an_unknown_lane_is_refused():
    with pytest.raises(KeyError):
        first_row({}, "nothing")
