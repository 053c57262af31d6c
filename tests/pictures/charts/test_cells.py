"""A table as a picture holds exactly the cells that it is given."""

from typing import Any

from app.pictures.charts.cells import HALF, HEIGHT, Cells


def drawn(cells: Cells) -> list[dict[str, Any]]:
    return [dict(renderer.data_source.data) for renderer in cells.figure.renderers]


def test_a_cell_is_at_its_row_and_column_in_the_color_of_its_kind() -> None:
    cells = Cells("Table", "rate", {"all": ("healthy", 0.3), "none": ("failing", 0.3)})
    table = {("top", "1"): ("all", "3", 0.5), ("foot", "2"): ("none", "0", 1.0)}
    cells.show(["top", "foot"], ["1", "2"], table, [("top", "1")])
    good, bad, _tracks, _good_lanes, _bad_lanes, frames, texts = drawn(cells)
    assert good == {"column": ["1"], "row": ["top"]}
    assert bad == {"column": ["2"], "row": ["foot"]}
    assert frames == {"column": ["1"], "row": ["top"]}
    assert texts == {"column": ["1", "2"], "row": ["top", "foot"], "text": ["3", "0"]}
    assert cells.figure.y_range.factors == ["foot", "top"]


def test_a_lane_is_filled_to_its_share_and_an_empty_one_has_only_its_track() -> None:
    cells = Cells("Table", "rate", {"all": ("healthy", 0.3), "open": ("idle", 0.3)})
    cells.show(["top"], ["1", "2"], {("top", "1"): ("all", "3", 0.25), ("top", "2"): ("open", "–", 0.0)})
    _all, _open, tracks, lanes, none, *_ = drawn(cells)
    assert tracks["x1"] == [("1", HALF), ("2", HALF)]
    assert lanes == {"x0": [("1", -HALF)], "x1": [("1", -0.5 * HALF)], "y": [("top", HEIGHT)]}
    assert none["x0"] == []


def test_the_figure_grows_with_its_rows_and_forgets_old_cells() -> None:
    cells = Cells("Table", "rate", {"all": ("healthy", 0.3)})
    cells.show(["a"], ["1"], {("a", "1"): ("all", "3", 0.5)})
    low = cells.figure.height
    cells.show(["a", "b"], ["1"], {})
    assert cells.figure.height > low
    assert all(not column for data in drawn(cells) for column in data.values())
