"""What the kernels are told about a network, and the arrays they work in."""

from typing import NamedTuple

import numpy as np

from sims.training.activations import RELU, TANH
from sims.training.architecture import Architecture
from sims.training.layout import layout

SKIPS = {"none": 0, "additive": 1, "rezero": 2, "highway": 3, "dense": 4}
NONE, ADDITIVE, REZERO, HIGHWAY, DENSE = SKIPS.values()

NORMS = {"none": 0, "batch": 1, "layer": 2, "pre-layer": 3, "post-layer": 4}
NO_NORM, BATCH, LAYER, PRE_LAYER, POST_LAYER = NORMS.values()


class Plan(NamedTuple):
    """An architecture as numbers. One compiled program serves all of them."""

    table: np.ndarray
    """(layers + gates, 4) rows, columns, weight offset, bias offset or -1 (`layout.Layout.table`)"""
    factors: int
    """Offset of the factors of rezero"""
    blocks: int
    layers_per_block: int
    width: int
    growth: int
    skip: int
    norm: int
    original: bool
    activation: int
    final_norm: bool
    squashed: bool
    factor: float


def plan(architecture: Architecture, inputs: int, outputs: int) -> Plan:
    """The plan of an architecture on data of that many features and outputs."""
    a = architecture
    where = layout(a, inputs, outputs)
    return Plan(
        table=where.table(),
        factors=where.factors,
        blocks=a.blocks,
        layers_per_block=a.layers_per_block,
        width=a.width,
        growth=a.growth if a.skip == "dense" else 0,
        skip=SKIPS[a.skip],
        norm=NORMS[a.norm],
        original=a.unit == "original",
        activation=RELU if a.activation == "relu" else TANH,
        final_norm=a.final_norm,
        squashed=a.squashed,
        factor=a.factor,
    )


class Workspace(NamedTuple):
    """Arrays of one pass over a batch of B points.

    Layers are counted from the stem (0) to the last layer before the head. A pass that will be followed by a backward
    one has a slot for every layer and block; one that will not has two, used in turn: slot = number % slots.
    """

    inputs: np.ndarray
    """(features, B)"""
    stream: np.ndarray
    """(slots, width, B) h after the stem and after each block; one slot (last width, B) for dense, which only grows"""
    normal: np.ndarray
    """(slots, width, B) the norm's result in each layer (batch, layer) or in front of it (pre-layer)"""
    value: np.ndarray
    """(slots, width, B) the result of each layer in its branch"""
    gate: np.ndarray
    """(slots, width, B) the gate of each block"""
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
    outputs: np.ndarray
    """(outputs, B)"""
    answers: np.ndarray
    """(outputs, B) a copy of squashed outputs, for the backward pass"""
    labels: np.ndarray
    """(B,) int64"""
    change: np.ndarray
    """(last width, B) gradient with respect to the stream"""
    branch_change: np.ndarray
    """(width, B) gradient with respect to a branch's result"""
    scratch: np.ndarray
    """(last width, B)"""
    sums: np.ndarray
    """(2, B)"""


def workspace(plan: Plan, batch: int, backward: bool, dtype: np.dtype) -> Workspace:
    """Arrays for passes over `batch` points."""
    layers = 1 + plan.blocks * plan.layers_per_block
    outputs, last_width = plan.table[layers, :2]
    slots = layers if backward else 2
    dense = plan.skip == DENSE
    widest = max(plan.width, plan.growth)

    def empty(*shape: int) -> np.ndarray:
        return np.empty(shape, dtype)

    normed = slots if plan.norm in (BATCH, LAYER, PRE_LAYER) else 0
    return Workspace(
        inputs=empty(plan.table[0, 1], batch),
        stream=empty(1, last_width, batch) if dense else empty(plan.blocks + 1 if backward else 2, plan.width, batch),
        normal=empty(normed, last_width if dense else plan.width, batch),
        value=empty(slots, widest, batch),
        gate=empty((plan.blocks if backward else 1) if plan.skip == HIGHWAY else 0, plan.width, batch),
        mean=empty(layers, widest),
        batch_scale=empty(layers, widest),
        point_scale=empty(slots, batch),
        final_scale=empty(batch),
        last=empty(last_width, batch),
        outputs=empty(outputs, batch),
        answers=empty(outputs, batch),
        labels=np.empty(batch, np.int64),
        change=empty(last_width if backward else 0, batch),
        branch_change=empty(widest if backward else 0, batch),
        scratch=empty(last_width if backward else 0, batch),
        sums=empty(2, batch),
    )
