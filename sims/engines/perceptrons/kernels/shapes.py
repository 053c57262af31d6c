"""What the kernels are told about a network, and the arrays they work in."""

from typing import NamedTuple

import numpy as np

NONE, ADDITIVE, REZERO, HIGHWAY, DENSE, LINEAR, DROPOUT = range(7)
"""Skips"""

NO_NORM, BATCH, LAYER, PRE_LAYER, POST_LAYER, PERI_LAYER = range(6)
"""Norms"""


class Plan(NamedTuple):
    """An architecture as numbers. One compiled program serves all of them."""

    table: np.ndarray
    """(layers + gates, 4) rows, columns, weight offset, bias offset or -1 (`layout.Layout.table`)"""
    factors: int
    """Offset of the factors of rezero"""
    blocks: int
    layers_per_block: int
    stem: int
    """The number of the first layer, 0"""
    head: int
    """The number of the last layer; the gates come after it"""
    width: int
    growth: int
    skip: int
    norm: int
    original: bool
    activation: int
    last_activation: int
    """Of the second layer of a branch: IDENTITY"""
    head_activation: int
    """TANH for squashed outputs, else IDENTITY"""
    final_norm: bool
    factor: float
    """In front of the branch"""
    carry: float
    """In front of the skip"""
    dropped: float
    """Share of the stream's numbers that a dropout on the skip takes away"""


class Workspace(NamedTuple):
    """Arrays of one pass over a batch of B points.

    Layers are counted from the stem (0) to the last layer before the head. A pass that will be followed by a backward
    one has a slot for every layer and block; one that will not has a single slot, or, for the stream, two, used in
    turn: slot = number % slots.
    """

    frozen: bool
    """Whether batch norm takes the means and scales that it finds, rather than those of the batch"""
    inputs: np.ndarray
    """(features, B)"""
    stream: np.ndarray
    """(slots, width, B) h after the stem and after each block; one slot (last width, B) for dense, which only grows"""
    normal: np.ndarray
    """(slots, width, B) the norm's result in each layer (batch, layer: in `before` itself where no backward pass will
    follow) or in front of it (pre-layer)"""
    value: np.ndarray
    """(slots, width, B) the result of each layer in its branch"""
    joined: np.ndarray
    """(slots, width, B) what Peri-LN's second norm makes of each block's branch"""
    joined_scale: np.ndarray
    """(slots, B) that norm's 1/σ"""
    gate: np.ndarray
    """(slots, width, B) the gate of each block, or what its skip's dropout multiplies with; no slots where nothing is
    dropped"""
    mean: np.ndarray
    """(layers, width) batch norm's means"""
    batch_scale: np.ndarray
    """(layers, width) batch norm's 1/σ"""
    point_scale: np.ndarray
    """(slots, B) layer norm's 1/σ in each layer, or at the block that begins with it"""
    final_scale: np.ndarray
    """(B,) 1/σ of the norm before the head"""
    last: np.ndarray
    """(last width, B) what enters the head, where that is not the stream itself"""
    before: np.ndarray
    """(width, B) sums in front of a norm or an activation"""
    answers: np.ndarray
    """(outputs, B) what the head says"""
    outputs: np.ndarray
    """(outputs, B) the same, or squashed; the loss puts its gradient there"""
    labels: np.ndarray
    """(B,) int64"""
    change: np.ndarray
    """(last width, B) gradient with respect to the stream"""
    branch_change: np.ndarray
    """(width, B) gradient with respect to a branch's result"""
    scratch: np.ndarray
    """(last width, B)"""
    packed: np.ndarray
    """(most inputs or outputs of a layer, PAIR) for `matmul.product`"""
