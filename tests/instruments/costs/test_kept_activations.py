"""The count of kept activations, against counts by hand."""

from typing import get_args

import numpy as np
import pytest

from sims.data.datasets import source
from sims.engines.perceptrons import Architecture
from sims.engines.perceptrons.architecture import Norm
from sims.engines.transformers import Transformer
from sims.instruments.costs.kept_activations import kept_bytes

BATCH, NUMBER = 100, np.dtype(np.float32).itemsize
SPIRALS = source("spirals")


def numbers(architecture):
    """Kept numbers per point."""
    return kept_bytes(architecture, SPIRALS, BATCH) / BATCH / NUMBER


@pytest.mark.parametrize("depth", [4, 16])
@pytest.mark.parametrize("unit", ["pre-activation", "one-layer", "two-layer"])
def test_a_skip_adds_nothing(depth, unit):
    plain, residual = (Architecture(depth, 32, skip=skip, unit=unit) for skip in ("none", "additive"))
    assert numbers(plain) == numbers(residual)


def test_counts_by_hand():
    blocks, width, one = 6, 32, "one-layer"
    streams, branches = (blocks + 1) * width, blocks * width
    assert numbers(Architecture(blocks + 2, width, unit=one)) == streams + branches
    assert numbers(Architecture(blocks + 2, width, skip="highway", unit=one)) == streams + branches + blocks * width
    assert numbers(Architecture(blocks + 2, width, skip="dense", growth=8, unit=one)) == width + 2 * blocks * 8


def test_counts_by_hand_where_the_activation_comes_first():
    """What enters each layer; what a gate or a factor multiplies; and the stream only where a gate reads it."""
    blocks, width = 6, 32
    entering, of_blocks = (blocks + 1) * width, blocks * width
    assert numbers(Architecture(blocks + 2, width)) == entering
    assert numbers(Architecture(blocks + 2, width, skip="rezero")) == entering + of_blocks
    assert numbers(Architecture(blocks + 2, width, skip="highway")) == entering + 3 * of_blocks
    assert numbers(Architecture(blocks + 2, width, skip="dense", growth=8)) == 2 * width + 8 * (2 * blocks - 1)
    dense = Architecture(blocks + 2, width, skip="dense", growth=8, norm="pre-layer")
    assert numbers(dense) == entering + of_blocks + 8 * sum(range(blocks + 1)) + 8 * sum(range(blocks)) + blocks
    extra = {
        "none": 0,
        "batch": entering + entering / BATCH,
        "layer": entering + blocks + 1,
        "pre-layer": of_blocks + blocks,
        "post-layer": of_blocks + blocks,
        "peri-layer": 2 * (of_blocks + blocks),
        "deep-norm": of_blocks + blocks,
    }
    assert set(extra) == set(get_args(Norm))
    for norm, count in extra.items():
        assert numbers(Architecture(blocks + 2, width, norm=norm)) == pytest.approx(entering + count), norm
    final = numbers(Architecture(blocks + 2, width, norm="pre-layer", final_norm=True))
    assert final == entering + extra["pre-layer"] + width + 1


def test_every_norm_by_hand():
    """What a norm makes, unless that is the stream itself, and one scale for each time that it is taken."""
    blocks, width = 6, 32
    bare, inner = numbers(Architecture(blocks + 2, width, unit="one-layer")), blocks + 1
    extra = {
        "none": 0,
        "batch": inner * width + inner * width / BATCH,
        "layer": inner * width + inner,
        "pre-layer": inner * width + inner,
        "post-layer": inner,
        "peri-layer": inner * width + inner + blocks * width + blocks,
        "deep-norm": inner,
    }
    assert set(extra) == set(get_args(Norm))
    for norm, count in extra.items():
        usual = Architecture(blocks + 2, width, norm=norm, unit="one-layer")
        assert numbers(usual) == pytest.approx(bare + count), norm


def test_a_transformer_by_hand():
    depth, tokens, width, hidden, heads = 4, 2, 16, 32, 2
    sublayers = (depth + 1) * width + depth
    attention, feed = 3 * width + width + heads * tokens, hidden
    post = tokens * (sublayers + depth // 2 * (attention + feed)) + width
    pre = post + tokens * (depth * width + width + 1)
    assert numbers(Transformer(depth, norm="post-layer")) == post
    assert numbers(Transformer(depth, norm="pre-layer")) == pre
    assert numbers(Transformer(depth, norm="deep-norm")) == post
    assert numbers(Transformer(depth, norm="peri-layer")) == pre + tokens * depth * (width + 1)
