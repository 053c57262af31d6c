"""The race: markers where the seeds are, places that appear at the finish, and the whole course when it is over."""

from dataclasses import replace

import numpy as np
import pytest

from app.pictures.charts.race_track import PILLARS, RaceTrack, Runner

STEPS = np.array([0, 5, 10])
MIDDLE = np.array([0.5, 0.8, 1.0])
MAPS = np.arange(12, dtype=np.uint8).reshape(3, 2, 2)
FAST = Runner("fast", "residual", "solid", MIDDLE, MIDDLE - 0.2, MIDDLE, MAPS, 1, 10.0, "1.  step 10, 3/3")
SLOW = replace(FAST, label="slow", color="plain", maps=None, place=2, finish=np.inf, outcome="2.  not across")
LATE = replace(FAST, label="late", middle=MIDDLE - 0.2, place=3, finish=np.inf, outcome="3.  not across")


def cut(runner: Runner, records: int) -> Runner:
    maps = None if runner.maps is None else runner.maps[:records]
    return replace(
        runner, middle=runner.middle[:records], low=runner.low[:records], high=runner.high[:records], maps=maps
    )


def shown(records: int) -> RaceTrack:
    track = RaceTrack("The race", ["plain", "residual"], 0.98)
    track.show([cut(runner, records) for runner in (FAST, SLOW, LATE)], STEPS[:records], 10, 0.5)
    return track


def places(track: RaceTrack) -> list[str]:
    return list(track._places.major_label_overrides.values())


def test_markers_are_at_the_middle_seed_with_its_map_or_its_share() -> None:
    track = shown(2)
    assert track._markers["residual"].data["x"] == [pytest.approx(0.8), pytest.approx(0.6)]
    assert track._markers["residual"].data["low"] == [pytest.approx(0.6)] * 2
    assert track._markers["plain"].data["x"] == [pytest.approx(0.8)]
    assert [image.tolist() for image in track._maps.data["image"]] == [MAPS[1].tolist()] * 2
    assert track._shares.data["text"] == ["80"]


def test_a_place_appears_at_the_finish_and_the_others_at_the_end() -> None:
    assert places(shown(2)) == ["", "", ""]
    assert places(shown(3)) == [FAST.outcome, SLOW.outcome, LATE.outcome]


def test_the_podium_has_its_places_before_anybody_finishes() -> None:
    podium = shown(1).podium
    assert not podium.pillars.data["top"]
    assert podium.figure.yaxis[0].ticker.ticks == [0, *PILLARS[:3]]
    assert podium.figure.yaxis[0].visible


def test_the_podium_fills_when_somebody_finishes() -> None:
    podium = shown(2).podium
    assert podium.numbers.data["text"] == podium.names.data["text"] == []
    assert podium.waiting.data["text"] == ["fast", "slow", "late"]
    podium = shown(3).podium
    assert podium.numbers.data["text"] == ["1"]
    assert podium.names.data["text"] == ["fast"]
    assert podium.names.data["when"] == [FAST.finish]
    assert podium.waiting.data["text"] == ["slow", "late"]


def test_those_who_share_a_place_share_a_pillar() -> None:
    track = RaceTrack("The race", ["residual"], 0.98)
    third = replace(FAST, label="third", place=3)
    track.show([third, FAST, replace(FAST, label="equal")], STEPS, 10, 0.5)
    assert track.podium.names.data["text"] == ["fast", "equal", "third"]
    assert track.podium.numbers.data["text"] == ["1", "3"]
    wide, narrow = zip(track.podium.pillars.data["left"], track.podium.pillars.data["right"], strict=True)
    assert wide[1] - wide[0] == pytest.approx(narrow[1] - narrow[0] + 1)
    first, other = track.podium.pillars.data["top"]
    assert first > other


def test_many_names_are_upright_and_whole_where_their_last_lines_agree() -> None:
    track = RaceTrack("The race", ["residual"], 0.98)
    labels = ["a", "b", "c", "d", "e", "residual,\nPre-LN", "transformer,\nPre-LN"]
    track.show([replace(FAST, label=label) for label in labels], STEPS, 10, 0.5)
    names = track.podium.names.data
    assert names["text"] == ["a", "b", "c", "d", "e", "residual, Pre-LN", "transformer, Pre-LN"]
    assert set(names["angle"]) == {np.pi / 2}


def test_the_course_is_there_when_the_race_is_over_and_only_then() -> None:
    assert shown(2).course.data["y"] == []
    course = shown(3).course.data
    assert course["y"] == [2.5, 1.5, 0.5]
    assert course["color"] == ["residual", "plain", "residual"]
    assert course["middle"][0].tolist() == MIDDLE.tolist()
    assert [len(maps) for maps in course["maps"]] == [3, 0, 3]
    assert course["when"] == [10.0, 10.0, 10.0]
    [play] = [tag["race"] for tag in shown(3).figure.tags if isinstance(tag, dict) and "race" in tag]
    assert set(play) == {"course", "markers", "maps", "shares", "places", "podium"}


def test_guesses_worse_than_chance_are_at_the_left_end() -> None:
    track = RaceTrack("The race", ["residual"], 0.98)
    track.show([replace(FAST, middle=np.array([0.1, 0.2, 0.3]))], STEPS, 10, 0.5)
    assert track._markers["residual"].data["x"] == [track.figure.x_range.start]
