"""Plans of blocks: everything inside the picture, and ways that end at signs or at the edge."""

import pytest

from app.pictures.diagrams.block_drawing import FOOT, PLANS, TOP, WIDE, BlockDrawing


@pytest.mark.parametrize("name", PLANS)
def test_everything_is_inside_and_no_box_covers_another(name):
    plan = PLANS[name]
    for _text, x, y in (*plan.boxes, *plan.signs, *plan.notes):
        assert 0 <= x <= 10
        assert FOOT < y < TOP
    for at, (_text, x, y) in enumerate(plan.boxes):
        assert all(y != other_y or abs(x - other_x) > WIDE for _, other_x, other_y in plan.boxes[:at])


@pytest.mark.parametrize("name", [name for name in PLANS if name not in ("plain", "direct")])
def test_every_ancestor_but_the_plain_one_has_a_stream_from_end_to_end(name):
    plan = PLANS[name]
    ends = [(way[0][0], way[-1][0]) for way in (*plan.stream, *plan.touched)]
    assert min(left for left, _ in ends) == 0
    assert max(right for _, right in ends) == 10


def test_another_block_takes_the_place_of_the_last_one():
    drawing = BlockDrawing("A block")
    drawing.show("highway", "y = …")
    assert drawing._ways["touched"].data["xs"]
    drawing.show("pre", "y = …")
    assert not drawing._ways["touched"].data["xs"]
    assert drawing._boxes.data["text"] == ["LN", "W", "ReLU", "W"]
