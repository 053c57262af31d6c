"""Rows of blocks: how full they are, which is out, what stands beside them, and what a touch means."""

import numpy as np
from bokeh.events import Tap

from app.pictures.diagrams.block_rows import FOOT, HEAD, BlockRows, Row

ROWS = [Row("one", "plain", 0.0, np.array([0.5, 1.0])), Row("other,\nnew", "residual", 0.125, np.array([0.0, 0.25]))]


def shown(out: int, measured: bool = True) -> tuple[BlockRows, list[int]]:
    touched: list[int] = []
    rows = BlockRows("Touch", "block", ["plain", "residual"], 2, touched.append)
    rows.show(ROWS, out, measured)
    return rows, touched


def readout(rows: BlockRows) -> list[str]:
    return list(rows._readout.major_label_overrides.values())


def test_blocks_are_filled_as_far_as_points_go_wrong_without_them() -> None:
    rows, _ = shown(0)
    heights = [(top - FOOT) / (HEAD - FOOT) for top in rows._losses["plain"].data["top"] - 1]
    assert np.allclose(heights, [0.5, 1.0])
    assert rows._boxes.data["what"][2] == "other, new, without block 1: 0%"


def test_each_row_has_the_errors_with_and_without_the_removed_block() -> None:
    assert readout(shown(2)[0]) == ["0% → 100%", "12% → 25%"]
    assert readout(shown(0)[0]) == readout(shown(9)[0]) == ["0% wrong", "12% wrong"]
    assert shown(2)[0]._out.data["x"] == [2, 2]
    assert shown(9)[0]._out.data["x"] == []


def test_before_a_run_nothing_is_filled_or_described() -> None:
    rows, _ = shown(1, measured=False)
    assert readout(rows) == ["not trained yet", "not trained yet"]
    assert [len(source.data["top"]) for source in rows._losses.values()] == [0, 0]


def test_a_touch_is_a_block() -> None:
    rows, touched = shown(0)
    for x in (0.6, 2.4, 2.6, 0.4, None):
        rows.figure._trigger_event(Tap(rows.figure, sx=0, sy=0, x=x, y=0.5))
    assert touched == [1, 2]
