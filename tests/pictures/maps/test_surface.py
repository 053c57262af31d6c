"""What a surface sends to the page, and what it takes from there."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from app.pictures.maps.surface import Surface, SurfaceData, column_of

A, B = np.linspace(-1, 1, 7), np.linspace(0, 2, 6)
HEIGHTS = np.arange(42.0).reshape(6, 7) + 1


def surface(picked: Any = None) -> Surface:
    return Surface("Slopes", {"plain": ("plain", "plain"), "residual": ("residual", "residual")}, picked=picked)


def data(**heights: np.ndarray) -> SurfaceData:
    return SurfaceData(A, B, heights or {"plain": HEIGHTS}, "A slope.")


def scene(shown: Surface) -> Mapping[str, Any]:
    return {name: values[0] for name, values in shown._scene.data.items()}


def choose(shown: Surface, indices: list[int]) -> None:
    """As the page does."""
    shown._points.selected.indices = indices


def test_rows_run_over_b_and_columns_over_a() -> None:
    shown = surface()
    shown.show(data())
    at = 2 * len(A) + 5
    columns = shown._points.data
    assert (columns["a"][at], columns["b"][at], columns[column_of("plain")][at]) == (A[5], B[2], HEIGHTS[2, 5])
    assert (scene(shown)["rows"], scene(shown)["columns"]) == (6, 7)


def test_two_surfaces_share_one_scale_with_their_paths() -> None:
    shown = surface()
    track = np.array([[0.0, 1.0, 60.0], [0.5, 1.0, 2.0]])
    shown.show(SurfaceData(A, B, {"plain": HEIGHTS, "residual": HEIGHTS / 10}, "Two.", tracks={"plain": track}))
    assert (scene(shown)["low"], scene(shown)["high"]) == ([0.1, 0.1], [60.0, 60.0])
    assert scene(shown)["shown"] == ["plain", "residual"]


def test_surfaces_with_a_scale_of_their_own_hold_only_what_is_theirs() -> None:
    shown = surface()
    track = np.array([[0.0, 1.0, 60.0]])
    heights = {"plain": HEIGHTS, "residual": HEIGHTS / 10}
    shown.show(SurfaceData(A, B, heights, "Two.", tracks={"plain": track}, apart=True))
    assert (scene(shown)["low"], scene(shown)["high"]) == ([1.0, 0.1], [60.0, 4.2])
    assert np.isfinite(shown._paths.data["height"]).all()


def test_words_stand_above_the_surfaces_and_notes_below_their_names() -> None:
    shown = surface()
    shown.show(SurfaceData(A, B, {"residual": HEIGHTS}, "One.", notes={"residual": "a bowl"}, words="half done"))
    assert (scene(shown)["shown"], scene(shown)["notes"]) == (["residual"], ["a bowl"])
    assert scene(shown)["words"] == "half done"
    shown.show(SurfaceData(A, B, {"residual": HEIGHTS}, "One."))
    assert (scene(shown)["notes"], scene(shown)["words"]) == ([""], "")


def test_a_surface_without_heights_is_not_shown() -> None:
    shown = surface()
    shown.show(data(residual=HEIGHTS))
    assert scene(shown)["shown"] == ["residual"]
    assert np.isnan(shown._points.data[column_of("plain")]).all()


@pytest.mark.parametrize("hole", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_stays_so_and_out_of_the_scale(hole: float) -> None:
    shown = surface()
    heights = HEIGHTS.copy()
    heights[3, 3] = hole
    shown.show(data(plain=heights))
    sent = shown._points.data[column_of("plain")]
    assert np.flatnonzero(~np.isfinite(sent)).tolist() == [3 * 7 + 3]
    assert (scene(shown)["low"], scene(shown)["high"]) == ([1.0], [42.0])


@pytest.mark.parametrize(
    ("heights", "logarithmic", "ends"),
    [
        (HEIGHTS - 1, True, (1.0, 41.0)),
        (0 * HEIGHTS + 4, True, (2.0, 8.0)),
        (0 * HEIGHTS + 4, False, (3.5, 4.5)),
        (np.nan * HEIGHTS, True, (0.1, 1.0)),
    ],
)
def test_the_scale_holds_what_can_be_drawn(heights: np.ndarray, logarithmic: bool, ends: tuple[float, float]) -> None:
    assert SurfaceData(A, B, {"plain": heights}, "A slope.", logarithmic=logarithmic).range("plain") == ends


def test_limits_hold_the_axis_still() -> None:
    surface_data = SurfaceData(A, B, {"plain": HEIGHTS}, "A slope.", limits=(0.5, 9.0))
    assert surface_data.range("plain") == (0.5, 9.0)
    for limits in ((9.0, 0.5), (0.0, 1.0)):
        with pytest.raises(ValueError, match="vertical axis"):
            SurfaceData(A, B, {"plain": HEIGHTS}, "A slope.", logarithmic=True, limits=limits)


def test_a_path_is_interrupted_where_it_leaves_the_plane() -> None:
    shown = surface()
    track = np.array([[0.0, 1.0, 2.0], [3.0, 1.0, 2.0], [0.0, 1.5, np.inf], [0.0, 2.0, 3.0]])
    shown.show(SurfaceData(A, B, {"plain": HEIGHTS}, "A slope.", tracks={"plain": track}, balls={"plain": track[:1]}))
    assert shown._paths.data["kind"] == ["track"] * 4 + ["ball"]
    assert np.isfinite(shown._paths.data["height"]).tolist() == [True, False, False, True, True]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"a": A[:5]}, "5 points along a"),
        ({"b": np.linspace(0, 1, 82)}, "82 points along b"),
        ({"b": B[::-1]}, "along b do not increase"),
        ({"heights": {"plain": HEIGHTS.T}}, r"shape \(7, 6\) and not \(6, 7\)"),
        ({"tracks": {"plain": np.zeros((4, 2))}}, r"shape \(4, 2\)"),
    ],
)
def test_data_that_does_not_fit_is_refused(changed: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        SurfaceData(**{"a": A, "b": B, "heights": {"plain": HEIGHTS}, "sentence": "A slope.", **changed})


def test_more_than_two_surfaces_are_refused() -> None:
    with pytest.raises(ValueError, match="3 surfaces"):
        Surface("Slopes", {name: (name, "plain") for name in "abc"})


def test_a_choice_of_the_reader_is_heard_as_row_and_column() -> None:
    heard: list[tuple[int, int]] = []
    shown = surface(lambda row, column: heard.append((row, column)))
    shown.show(data())
    choose(shown, [2 * 7 + 5])
    assert heard == [(2, 5)]


@pytest.mark.parametrize("indices", [[], [42], [-1], [1, 2], list(range(5000))])
def test_a_choice_that_is_no_grid_point_is_not_heard(indices: list[int]) -> None:
    shown = surface(lambda row, column: pytest.fail("heard"))
    choose(shown, indices)
    shown.show(data())
    choose(shown, indices)


def test_a_mark_tells_nobody_and_stays_in_its_place_on_a_finer_grid() -> None:
    shown = surface(lambda row, column: pytest.fail("heard"))
    shown.mark(0.0, 0.0)
    shown.show(data())
    shown.mark(0.3, 1.15)
    assert shown._points.selected.indices == [3 * 7 + 4]
    finer = np.linspace(-1, 1, 13)
    shown.show(SurfaceData(finer, B, {"plain": np.ones((6, 13))}, "A slope."))
    assert shown._points.selected.indices == [3 * 13 + 8]


def test_data_that_is_there_already_is_not_sent_again() -> None:
    shown = surface()
    heights = HEIGHTS.copy()
    heights[0, 0] = np.nan
    shown.show(data(plain=heights))
    sent: list[str] = []
    for source in (shown._points, shown._paths, shown._scene):
        source.on_change("data", lambda name, old, new: sent.append(name))
    shown.show(data(plain=heights.copy()))
    assert sent == []
    shown.show(data(plain=heights + 1))
    assert len(sent) == 2


def test_the_box_is_named_for_a_screen_reader() -> None:
    assert surface().model.html_attributes == {"role": "group", "aria-label": "Slopes"}
