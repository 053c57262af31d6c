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


def scene(picture: Surface) -> Mapping[str, Any]:
    return {name: values[0] for name, values in picture._scene.data.items()}


def choose(picture: Surface, indices: list[int]) -> None:
    """As the page does."""
    picture._points.selected.indices = indices


def test_rows_run_over_b_and_columns_over_a() -> None:
    picture = surface()
    picture.show(data())
    at = 2 * len(A) + 5
    columns = picture._points.data
    assert (columns["a"][at], columns["b"][at], columns[column_of("plain")][at]) == (A[5], B[2], HEIGHTS[2, 5])
    assert (scene(picture)["rows"], scene(picture)["columns"]) == (6, 7)


def test_two_surfaces_share_one_scale_with_their_paths() -> None:
    picture = surface()
    track = np.array([[0.0, 1.0, 60.0], [0.5, 1.0, 2.0]])
    picture.show(SurfaceData(A, B, {"plain": HEIGHTS, "residual": HEIGHTS / 10}, "Two.", tracks={"plain": track}))
    assert (scene(picture)["low"], scene(picture)["high"]) == ([0.1, 0.1], [60.0, 60.0])
    assert scene(picture)["shown"] == ["plain", "residual"]


def test_surfaces_with_a_scale_of_their_own_hold_only_what_is_theirs() -> None:
    picture = surface()
    track = np.array([[0.0, 1.0, 60.0]])
    heights = {"plain": HEIGHTS, "residual": HEIGHTS / 10}
    picture.show(SurfaceData(A, B, heights, "Two.", tracks={"plain": track}, apart=True))
    assert (scene(picture)["low"], scene(picture)["high"]) == ([1.0, 0.1], [60.0, 4.2])
    assert np.isfinite(picture._paths.data["height"]).all()


def test_words_are_above_the_surfaces_and_notes_below_their_names() -> None:
    picture = surface()
    picture.show(SurfaceData(A, B, {"residual": HEIGHTS}, "One.", notes={"residual": "a bowl"}, words="half done"))
    assert (scene(picture)["shown"], scene(picture)["notes"]) == (["residual"], ["a bowl"])
    assert scene(picture)["words"] == "half done"
    picture.show(SurfaceData(A, B, {"residual": HEIGHTS}, "One."))
    assert (scene(picture)["notes"], scene(picture)["words"]) == ([""], "")


def test_a_surface_without_heights_is_not_shown() -> None:
    picture = surface()
    picture.show(data(residual=HEIGHTS))
    assert scene(picture)["shown"] == ["residual"]
    assert np.isnan(picture._points.data[column_of("plain")]).all()


@pytest.mark.parametrize("hole", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_stays_so_and_out_of_the_scale(hole: float) -> None:
    picture = surface()
    heights = HEIGHTS.copy()
    heights[3, 3] = hole
    picture.show(data(plain=heights))
    sent = picture._points.data[column_of("plain")]
    assert np.flatnonzero(~np.isfinite(sent)).tolist() == [3 * 7 + 3]
    assert (scene(picture)["low"], scene(picture)["high"]) == ([1.0], [42.0])


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
    picture = surface()
    track = np.array([[0.0, 1.0, 2.0], [3.0, 1.0, 2.0], [0.0, 1.5, np.inf], [0.0, 2.0, 3.0]])
    picture.show(SurfaceData(A, B, {"plain": HEIGHTS}, "A slope.", tracks={"plain": track}, balls={"plain": track[:1]}))
    assert picture._paths.data["kind"] == ["track"] * 4 + ["ball"]
    assert np.isfinite(picture._paths.data["height"]).tolist() == [True, False, False, True, True]


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
    picture = surface(lambda row, column: heard.append((row, column)))
    picture.show(data())
    choose(picture, [2 * 7 + 5])
    assert heard == [(2, 5)]


@pytest.mark.parametrize("indices", [[], [42], [-1], [1, 2], list(range(5000))])
def test_a_choice_that_is_no_grid_point_is_not_heard(indices: list[int]) -> None:
    picture = surface(lambda row, column: pytest.fail("heard"))
    choose(picture, indices)
    picture.show(data())
    choose(picture, indices)


def test_a_mark_tells_nobody_and_stays_in_its_place_on_a_finer_grid() -> None:
    picture = surface(lambda row, column: pytest.fail("heard"))
    picture.mark(0.0, 0.0)
    picture.show(data())
    picture.mark(0.3, 1.15)
    assert picture._points.selected.indices == [3 * 7 + 4]
    finer = np.linspace(-1, 1, 13)
    picture.show(SurfaceData(finer, B, {"plain": np.ones((6, 13))}, "A slope."))
    assert picture._points.selected.indices == [3 * 13 + 8]


def test_data_that_is_there_already_is_not_sent_again() -> None:
    picture = surface()
    heights = HEIGHTS.copy()
    heights[0, 0] = np.nan
    picture.show(data(plain=heights))
    sent: list[str] = []
    for source in (picture._points, picture._paths, picture._scene):
        source.on_change("data", lambda name, old, new: sent.append(name))
    picture.show(data(plain=heights.copy()))
    assert sent == []
    picture.show(data(plain=heights + 1))
    assert len(sent) == 2


def test_the_box_is_named_for_a_screen_reader() -> None:
    assert surface().model.html_attributes == {"role": "group", "aria-label": "Slopes"}
