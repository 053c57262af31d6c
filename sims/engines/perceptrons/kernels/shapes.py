"""The arguments of the kernels: a plan of the network, and a workspace of arrays."""

from typing import NamedTuple

import numpy as np

NONE, ADDITIVE, REZERO, HIGHWAY, DENSE, LINEAR, DROPOUT = range(7)
"""Skips"""

NO_NORM, BATCH, LAYER, PRE_LAYER, POST_LAYER, PERI_LAYER = range(6)
"""Norms"""


class Plan(NamedTuple):
    """An architecture in numbers and flags, so that one compiled program serves all architectures."""

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
    activation_first: bool
    """Whether a branch is W φ(N(h)) + b, and the head reads φ(N(h)); `norm` is then none, batch or one of the stream"""
    activation: int
    last_activation: int
    """Of the second layer of a branch: IDENTITY"""
    head_activation: int
    """TANH for squashed outputs, else IDENTITY"""
    final_norm: bool
    factor: float
    """Of the branch"""
    carry: float
    """Factor of the skip"""
    dropped: float
    """Share of the stream's numbers that a dropout on the skip sets to zero"""


class Workspace(NamedTuple):
    """Arrays of one pass over a batch of B points.

    Layers are counted from the stem (0) to the last layer before the head. A pass that a backward pass follows has a
    slot for every layer and block. Otherwise there is a single slot, or, for the stream, two that are used in turn:
    slot = number % slots.
    """

    frozen: bool
    """Whether batch norm uses the means and scales in this workspace, rather than those of the batch"""
    least: np.ndarray
    """(1,) activations and gradients of at most this size count as zero; 0 keeps all (`kernels.negligible`)"""
    inputs: np.ndarray
    """(features, B)"""
    stream: np.ndarray
    """(slots, width, B) h after the stem and after each block; one slot (last width, B) for dense, which only grows"""
    normal: np.ndarray
    """(slots, width, B) the output of the norm in each layer (batch, layer; this is `before` itself if no backward pass
    follows) or before it (pre-layer)"""
    value: np.ndarray
    """(slots, width, B) the output of each layer inside its branch; where the activation comes first, its result, which
    is the layer's input (last width, B), in one slot for all layers of a dense network without a norm"""
    branch: np.ndarray
    """(slots, width, B) the output of each branch where the activation comes first; no slots otherwise"""
    joined: np.ndarray
    """(slots, width, B) the output of Peri-LN's second norm in each block"""
    joined_scale: np.ndarray
    """(slots, B) that norm's 1/σ"""
    gate: np.ndarray
    """(slots, width, B) the gate of each block, or the factors of its skip's dropout; no slots if nothing is dropped"""
    mean: np.ndarray
    """(layers, width) batch norm's means"""
    batch_scale: np.ndarray
    """(layers, width) batch norm's 1/σ"""
    point_scale: np.ndarray
    """(slots, B) layer norm's 1/σ in each layer, or at the block that begins with it"""
    final_scale: np.ndarray
    """(B,) 1/σ of the norm before the head"""
    last: np.ndarray
    """(last width, B) the input of the head, if that is not the stream itself"""
    before: np.ndarray
    """(width, B) sums before a norm or an activation"""
    answers: np.ndarray
    """(outputs, B) the output of the head"""
    outputs: np.ndarray
    """(outputs, B) the same, or its tanh; the loss puts its gradient there"""
    labels: np.ndarray
    """(B,) int64"""
    change: np.ndarray
    """(last width, B) gradient with respect to the stream"""
    branch_change: np.ndarray
    """(width, B) gradient with respect to a branch's output"""
    scratch: np.ndarray
    """(last width, B)"""
    packed: np.ndarray
    """(most inputs or outputs of a layer, TILE) scratch space of `matmul.product`"""
