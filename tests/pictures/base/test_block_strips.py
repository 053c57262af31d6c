"""Strips of blocks: where blocks and arcs are, and which skips are lost."""

import pytest
from bokeh.plotting import figure

from app.pictures.base.block_strips import GAP, BlockStrip, BlockStrips
from app.pictures.base.questions import KNOWN


def test_a_strip_has_a_box_for_every_block_and_an_arc_for_every_skip():
    chart = figure()
    strips = BlockStrips(chart, 3, 10)
    strips.show([BlockStrip(0, 8, 20, 4, (1, 2, 4), (2,)), BlockStrip(0, 8, 50, 2, ())])
    assert strips.wires.data == {"left": [0, 0], "right": [8, 8], "y": [20, 50]}
    assert strips.boxes.data["left"] == pytest.approx(
        [2 * GAP, 2 + 2 * GAP, 4 + 2 * GAP, 6 + 2 * GAP, 4 * GAP, 4 + 4 * GAP]
    )
    assert strips.boxes.data["top"] == [23] * 4 + [53] * 2
    ends = {
        kind: [(x[0], x[-1], max(y)) for x, y in zip(*arcs.data.values(), strict=True)]
        for kind, arcs in strips.arcs.items()
    }
    assert ends["kept"] == [pytest.approx((0, 2, 30)), pytest.approx((6, 8, 30))]
    assert ends["lost"] == [pytest.approx((2, 4, 30))]
    assert all(KNOWN in mark.tags for mark in chart.renderers)
