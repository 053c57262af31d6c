"""Amounts in lanes: shares, negative ones and those past 1 look different, and rounding is none of them."""

import numpy as np
import pytest

from app.pictures.charts.lane_table import LEAST, LaneTable


@pytest.fixture
def table() -> LaneTable:
    lane_table = LaneTable("Amounts", "blocks", 200, 100)
    lane_table.show(np.array([[1.0, 0.0], [1 + 1e-12, -1e-15], [-0.5, 3.0]]), 0)
    return lane_table


def test_every_amount_is_one_cell(table: LaneTable) -> None:
    counts = {kind: len(source.data["x"]) for kind, source in table._cells.items()}
    assert counts == {"share": 4, "negative": 1, "beyond": 1}


def test_the_fullest_cell_comes_first_since_a_legend_looks_like_it(table: LaneTable) -> None:
    assert table._cells["share"].data["strength"].tolist() == [1, 1, LEAST, LEAST]
    assert table._cells["share"].data["y"].tolist() == [2, 2, 1, 1]


def test_cells_can_be_filled_by_more_than_one(table: LaneTable) -> None:
    table.show(np.array([[4.0, 1.0]]), None, 4.0)
    assert table._cells["share"].data["strength"].tolist() == [1, 0.25]
    assert len(table._cells["beyond"].data["x"]) == 0


def test_the_first_lane_is_on_top_and_its_amount_at_its_end(table: LaneTable) -> None:
    assert table._ends.data["y"] == [2, 1]
    assert table._ends.data["text"] == ["−0.5", "3"]
    assert table._start.data == {"x": [-1.0], "y": [2]}


def test_the_legend_has_only_what_is_there(table: LaneTable) -> None:
    assert [item.visible for item in table.figure.legend[0].items] == [True, True]
    table.show(np.eye(2), 1)
    assert [item.visible for item in table.figure.legend[0].items] == [False, False]
