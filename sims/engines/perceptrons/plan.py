"""Makes the kernels' plan and workspace for an architecture."""

from functools import partial

import numpy as np

from sims.engines.kernels.activations import IDENTITY, RELU, TANH
from sims.engines.kernels.matmul import TILE
from sims.engines.memory import aligned
from sims.engines.perceptrons.architecture import Architecture
from sims.engines.perceptrons.kernels.shapes import (
    ADDITIVE,
    BATCH,
    DENSE,
    DROPOUT,
    HIGHWAY,
    LAYER,
    LINEAR,
    NO_NORM,
    NONE,
    PERI_LAYER,
    POST_LAYER,
    PRE_LAYER,
    REZERO,
    Plan,
    Workspace,
)
from sims.engines.perceptrons.layout import make_layout

SKIPS = {
    "none": NONE,
    "additive": ADDITIVE,
    "rezero": REZERO,
    "highway": HIGHWAY,
    "dense": DENSE,
    "linear": LINEAR,
    "dropout": DROPOUT,
}
NORMS = {
    "none": NO_NORM,
    "batch": BATCH,
    "layer": LAYER,
    "pre-layer": PRE_LAYER,
    "post-layer": POST_LAYER,
    "peri-layer": PERI_LAYER,
    # DeepNorm differs from Post-LN only in `carry` and in its initial weights.
    "deep-norm": POST_LAYER,
}


def make_plan(architecture: Architecture, inputs: int, outputs: int) -> Plan:
    """Return the plan of an architecture for that many inputs and outputs."""
    a = architecture
    layout, first = make_layout(a, inputs, outputs), a.unit == "pre-activation"
    return Plan(
        table=layout.table(),
        factors=layout.factors,
        blocks=a.blocks,
        layers_per_block=a.layers_per_block,
        stem=0,
        head=len(layout.layers) - 1,
        width=a.width,
        growth=a.growth if a.skip == "dense" else 0,
        skip=SKIPS[a.skip],
        # In front of the activation, "layer" is what Pre-LN and a norm before the head are together.
        norm=PRE_LAYER if first and a.norm == "layer" else NORMS[a.norm],
        original=a.unit == "original",
        activation_first=first,
        activation=RELU if a.activation == "relu" else TANH,
        last_activation=IDENTITY,
        head_activation=TANH if a.squashed else IDENTITY,
        final_norm=a.final_norm or (first and a.norm == "layer"),
        factor=a.factor,
        carry=a.carry,
        dropped=a.dropped,
    )


def make_workspace(plan: Plan, batch: int, backward: bool, dtype: np.dtype) -> Workspace:
    """Return the arrays for passes over `batch` points, with slots for a backward pass if `backward`."""
    outputs, last_width = plan.table[plan.head, :2]
    slots = plan.head if backward else 1
    dense, first = plan.skip == DENSE, plan.activation_first
    widest = max(plan.width, plan.growth)
    # What enters a layer is as wide as the stream; what leaves it may be narrower.
    entering = last_width if first else widest
    # Without a norm, what enters a layer of a dense network begins with what entered all earlier ones.
    shared = first and dense and plan.norm == NO_NORM
    empty = partial(aligned, dtype)

    normed = slots if plan.norm in (BATCH, LAYER, PRE_LAYER, PERI_LAYER) or (first and plan.final_norm) else 0
    joined = (plan.blocks if backward else 1) if plan.norm == PERI_LAYER else 0
    gates = (plan.blocks if backward else 1) if plan.skip == HIGHWAY else 0
    # Dropout acts in training only, so an evaluation has no gates for it.
    if plan.skip == DROPOUT and backward:
        gates = plan.blocks
    before = empty(widest, batch)
    # In an evaluation, batch and layer norm overwrite their input: a core's caches hold little more than the arrays of
    # one layer, so one array less makes it faster.
    in_place = not backward and plan.norm in (BATCH, LAYER) and not first
    return Workspace(
        frozen=False,
        least=np.zeros(1),
        inputs=empty(plan.table[0, 1], batch),
        stream=empty(1, last_width, batch) if dense else empty(plan.blocks + 1 if backward else 2, plan.width, batch),
        normal=before[None] if in_place else empty(normed, last_width if dense else plan.width, batch),
        value=empty(1 if shared else slots, entering, batch),
        branch=empty((plan.blocks if backward else 1) if first else 0, widest, batch),
        joined=empty(joined, plan.width, batch),
        joined_scale=empty(joined, batch),
        gate=empty(gates, plan.width, batch),
        mean=empty(plan.head, entering),
        batch_scale=empty(plan.head, entering),
        point_scale=empty(slots, batch),
        final_scale=empty(batch),
        last=empty(last_width, batch),
        before=before,
        answers=empty(outputs, batch),
        outputs=empty(outputs, batch),
        labels=np.empty(batch, np.int64),
        change=empty(last_width if backward else 0, batch),
        branch_change=empty(widest if backward else 0, batch),
        scratch=empty(last_width if backward else 0, batch),
        packed=empty(int(plan.table[:, :2].max()), TILE),
    )
