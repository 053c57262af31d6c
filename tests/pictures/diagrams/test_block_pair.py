"""Where the norms stand, what the road carries, and which factor each skip meets."""

from itertools import pairwise

import pytest

from app.pictures.base.questions import KNOWN, UNANSWERED
from app.pictures.diagrams.block_pair import ROADS, STRONGEST, BlockPair, Stack
from sims.contract.wording import number


def stack(order, **changes):
    stream, skip = [8.0, 4.0, 2.0, 1.0, 1.0, 1.0], [4.0, 2.0, 1.0, 0.5, 0.25]
    settings = {"final_norm": False, "rounding": False, **changes}
    return Stack(order, order, stream, skip, **settings)


def shown(**changes):
    pair = BlockPair("Two stacks")
    pair.show([stack("pre", **changes), stack("post")])
    return pair


def on_the_road(pair, road):
    data = pair._boxes.data
    return [text for text, y in zip(data["text"], data["y"], strict=True) if y == road]


def test_norms_are_on_the_stream_in_post_ln_only_except_for_the_final_one():
    assert on_the_road(shown(), ROADS[0]) == []
    assert on_the_road(shown(final_norm=True), ROADS[0]) == ["LN"]
    assert on_the_road(shown(), ROADS[1]) == ["LN"] * 3


def test_the_road_is_whole_and_as_thick_as_what_it_carries():
    data = shown()._lit.data
    for road in ROADS:
        parts = sorted(
            (x0, x1, width)
            for x0, y, x1, width in zip(*(data[key] for key in ("x0", "y0", "x1", "width")), strict=True)
            if y == road
        )
        assert all(one[1] == pytest.approx(other[0]) for one, other in pairwise(parts))
        assert parts[0][2] == STRONGEST == max(width for *_ends, width in parts)


def test_each_skip_drawn_has_its_factor():
    texts = shown()._texts.data
    factors = [text for text, y in zip(texts["text"], texts["y"], strict=True) if ROADS[0] > y > ROADS[0] - 0.6]
    assert factors == ["× 1", "× 0.5", "× 0.25"]


def test_before_the_prediction_there_are_both_streams_with_their_names_and_what_is_omitted():
    pair = shown()
    early = {
        id(mark.data_source): mark.data_source.data
        for mark in pair.figure.renderers
        if {KNOWN, UNANSWERED} & {*mark.tags}
    }
    texts = [text for data in early.values() for text in data.get("text", ())]
    assert sorted(text for text in texts if text not in ("LN", "F")) == ["2 more", "2 more", "post", "pre"]
    assert pair._thin.data["ys"] == [[road, road] for road in ROADS]
    assert id(pair._thin) in early


def test_what_is_only_rounding_is_drawn_apart_and_said():
    pair = shown(rounding=True)
    assert set(pair._rounding.data["y0"]) == {ROADS[0]}
    assert set(pair._lit.data["y0"]) == {ROADS[1]}
    (words,) = (text for text in pair._texts.data["text"] if text.endswith("all rounding"))
    assert words.startswith(f"pre: {number(1.0)} sent, {number(8.0)} arrives")


def test_an_exact_zero_has_no_line_and_no_factor():
    pair = BlockPair("Two stacks")
    pair.show([Stack("post", "Post-LN", [0.0] * 6, [0.0] * 5, final_norm=False, rounding=True), stack("pre")])
    assert pair._rounding.data["x0"] == []
    assert pair._texts.data["text"].count("0") == 3
