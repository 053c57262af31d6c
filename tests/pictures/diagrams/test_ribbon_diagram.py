"""Ribbons are as wide as the features read, and the gradient's lines run back along them."""

import numpy as np
import pytest

from app.pictures.diagrams.ribbon_diagram import STRONGEST, RibbonDiagram, thickness
from sims.simulations.wiring.connectivity import SKIPS, WIDTH, Connectivity

WIDEST = WIDTH + 4 * 6


def shown(join, looked=0, off=0, **settings):
    simulation = Connectivity(join=join, **settings)
    frame = simulation.frame(simulation.start())
    pressed = []
    diagram = RibbonDiagram("Ribbons", pressed.append)
    diagram.show(frame, join, WIDEST, looked, off)
    return frame, diagram, pressed


def width(ys):
    """Of a ribbon, where it begins."""
    return ys[-1] - ys[0]


@pytest.mark.parametrize("join", SKIPS)
def test_what_is_read_of_each_origin_is_the_width_of_its_ribbon(join):
    frame, diagram, _pressed = shown(join)
    data = diagram._pieces.data
    widths = [(label, width(ys)) for label, ys in zip(data["what"], data["ys"], strict=True) if " reads " in label]
    for block in range(1, 7):
        mine = [size for label, size in widths if label.startswith(f"block {block} ")]
        chosen = (frame["target"] == block) & (frame["route"] == "branch")
        assert sorted(mine) == pytest.approx(sorted(frame["features"][chosen].tolist()))
        assert sum(mine) == pytest.approx(frame["reads"][block - 1])


@pytest.mark.parametrize("join", SKIPS)
def test_every_way_of_the_gradient_has_its_line_from_right_to_left(join):
    frame, diagram, _pressed = shown(join)
    data = diagram._back.data
    assert len(data["xs"]) == len(frame["gradient"])
    assert all((np.diff(xs) <= 0).all() for xs in data["xs"])
    order = np.argsort(frame["gradient"])
    assert (np.diff(np.array(data["width"])[order]) >= 0).all()


def test_the_strongest_line_is_the_thickest_and_an_exact_zero_has_none():
    widths = thickness(np.array([1.0, 0.1, 0.0, 1e-30]), 4)
    assert widths[0] == STRONGEST > widths[1] > widths[3] > 0 == widths[2]
    assert (thickness(np.zeros(3), 4) == 0).all()


def test_all_ways_to_join_have_one_scale():
    ends = {shown(join)[1].figure.y_range.end for join in SKIPS}
    assert len(ends) == 1


def test_ribbons_lie_side_by_side_on_concatenate_and_merge_on_add():
    heights = {join: shown(join)[1]._tops[-1] for join in SKIPS}
    assert heights["concatenate"] == (0, WIDTH + 4 * 6)
    assert {heights[join] for join in SKIPS if join != "concatenate"} == {(0, WIDTH)}
    added = shown("add")[1]
    assert added._joins.data["text"] == ["+"] * 6
    assert shown("plain")[1]._joins.data["text"] == []


def test_a_gate_lets_in_as_much_of_the_new_color_as_it_is_open():
    frame, diagram, _pressed = shown("gate", gate_bias=2.0)
    shut = shown("gate", gate_bias=-4.0)[1]
    data = zip(diagram._pieces.data["what"], diagram._pieces.data["ys"], strict=True)
    landed = [float(np.ptp(ys[13:15])) for label, ys in data if label.endswith(f"makes {WIDTH} features")]
    assert landed == pytest.approx((WIDTH * frame["openings"]).tolist())
    stem = diagram._boxes.data["color"][0]
    assert shut._boxes.data["color"][0] == stem

    def distance(one):
        color = one._boxes.data["color"][-1]
        return sum(abs(int(color[at : at + 2], 16) - int(stem[at : at + 2], 16)) for at in (1, 3, 5))

    assert distance(shut) < distance(diagram)


@pytest.mark.parametrize("join", SKIPS)
def test_a_block_that_is_looked_at_stands_out_with_words(join):
    frame, diagram, _pressed = shown(join, looked=3)
    (words,) = diagram._words.data["text"]
    assert words.startswith("Block 3 reads ")
    assert str(frame["reads"][2]) in words
    alphas = dict(zip(*(diagram._pieces.data[key] for key in ("what", "alpha")), strict=True))
    bright = [label for label, alpha in alphas.items() if alpha > 0.9]
    assert bright
    assert all(label.startswith("block 3 reads") for label in bright)


def test_a_press_on_a_box_names_its_block_and_one_elsewhere_none():
    _frame, diagram, pressed = shown("concatenate", off=2)
    diagram._tap(3.1, diagram._tops[3][1])
    for x, y in ((0, 3), (7, 3), (3, 0), (None, 1), (float("nan"), 9)):
        diagram._tap(x, y)
    assert pressed == [3]
    assert diagram._off.data["x"] == [2]
