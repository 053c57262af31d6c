"""Strips: wires as the blocks are joined, colors from the smallest gradient to the largest, and bars for losses."""

import numpy as np
import pytest

from app.pictures.base.questions import KNOWN
from app.pictures.charts.wired_strips import FAINTEST, JOINED, LOSS, SWATCHES, WIRING, Strip, WiredStrips

LOOKS = {name: (name.upper(), "residual", "solid") for name in WIRING}
BLOCKS = 6


def shown(gradients: np.ndarray, loss: tuple[float, float, float] = (0.1, 0.03, 1.0)) -> WiredStrips:
    picture = WiredStrips("Title", LOOKS)
    picture.show([Strip(name, label, gradients, loss, "2 of 3 fit") for name, (label, *_) in LOOKS.items()])
    return picture


def test_a_wire_over_every_block_if_there_are_skips() -> None:
    picture = shown(np.ones(BLOCKS + 2))
    wires = {name: len(source.data["x"]) for name, source in picture.wires.items()}
    joints = {name: len(source.data["x"]) for name, source in picture.joints.items()}
    assert wires["plain"] == joints["plain"] == joints["residual"] == 0
    assert {wires[name] for name in ("residual", "residual_relu", "rezero", "highway", "thinned")} == {BLOCKS}
    assert joints["rezero"] == joints["highway"] == BLOCKS
    assert wires["dense"] == (BLOCKS + 1) * BLOCKS / 2


def test_the_wires_of_many_dense_blocks_are_some_of_them() -> None:
    assert len(shown(np.ones(34)).wires["dense"].data["x"]) == (JOINED + 1) * JOINED / 2


def test_a_larger_gradient_is_darker_and_an_exact_zero_has_a_cross() -> None:
    picture = shown(np.array([0.0, 1e-8, 1e-4, 1.0, np.nan]))
    bright = picture.boxes.data["bright"][:5]
    assert bright == pytest.approx([0, FAINTEST, (1 + FAINTEST) / 2, 1, 0])
    assert len(picture._zeros.data["x"]) == len(LOOKS)


def test_before_the_prediction_there_are_boxes_and_no_key() -> None:
    picture = shown(np.ones(4))
    key = picture._key
    assert len(key.data["left"]) == SWATCHES
    shown_early = [mark.data_source for mark in picture.figure.renderers if KNOWN in mark.tags]
    assert picture.boxes in shown_early
    assert not {key, picture._words} & set(shown_early)


def test_a_loss_has_a_bar_with_its_range_and_an_overflow_has_none() -> None:
    picture = shown(np.ones(4))
    bar, span = picture.bars["plain"].data, picture._ranges["plain"].data
    assert LOSS[0] < span["x0"][0] < bar["right"][0] < span["x1"][0] <= LOSS[1]
    assert "0.1" in picture._words.data["text"]
    lost = shown(np.ones(4), (np.nan, np.nan, np.nan))
    assert lost.bars["plain"].data["right"] == []
    assert "overflow" in lost._words.data["text"]
