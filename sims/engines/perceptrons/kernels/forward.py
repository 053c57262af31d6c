"""The forward pass: from inputs to outputs, leaving in the workspace what the backward pass needs."""

import numpy as np

from sims.engines.kernels.activations import activate, copy, logistic
from sims.engines.kernels.compiled import compiled, inlined
from sims.engines.kernels.matmul import add_product, fill
from sims.engines.kernels.norms import batch_norm, layer_norm
from sims.engines.perceptrons.kernels.shapes import (
    BATCH,
    DENSE,
    DROPOUT,
    HIGHWAY,
    LAYER,
    LINEAR,
    NONE,
    PERI_LAYER,
    POST_LAYER,
    PRE_LAYER,
    REZERO,
    Plan,
    Workspace,
)

Array = np.ndarray


@inlined
def weight(parameters: Array, table: Array, layer: int) -> Array:
    """The weight matrix (rows, columns) of a layer, as a view."""
    rows, columns, start, _ = table[layer]
    return parameters[start : start + rows * columns].reshape(rows, columns)


@inlined
def bias(parameters: Array, table: Array, layer: int) -> Array:
    """The bias (rows,) of a layer, as a view; empty where it has none."""
    start = table[layer, 3]
    return parameters[start : start + table[layer, 0]] if start >= 0 else parameters[:0]


@inlined
def stream_at(plan: Plan, work: Workspace, block: int) -> Array:
    """The stream after that many blocks."""
    if plan.skip == DENSE:
        return work.stream[0][: plan.width + block * plan.growth]
    return work.stream[block % work.stream.shape[0]]


@inlined
def value_of(plan: Plan, work: Workspace, layer: int) -> Array:
    """The result of a layer in its branch."""
    value = work.value[layer % work.value.shape[0]]
    return value[: plan.growth] if plan.skip == DENSE and layer > 0 else value


@inlined
def normal_of(work: Workspace, layer: int, features: int) -> Array:
    """The norm's result in, or in front of, a layer."""
    return work.normal[layer % work.normal.shape[0]][:features]


@inlined
def joined_of(work: Workspace, block: int) -> Array:
    """The normalized result of a block's branch."""
    return work.joined[block % work.joined.shape[0]]


@inlined
def joined_scale_of(work: Workspace, block: int) -> Array:
    """The 1/σ that belongs to `joined_of`."""
    return work.joined_scale[block % work.joined_scale.shape[0]]


@inlined
def scale_of(work: Workspace, layer: int) -> Array:
    """Layer norm's 1/σ in a layer, or at the block that begins with it."""
    return work.point_scale[layer % work.point_scale.shape[0]]


@inlined
def linear(plan: Plan, parameters: Array, layer: int, inputs: Array, out: Array, work: Workspace) -> None:
    """out = W inputs + b"""
    fill(bias(parameters, plan.table, layer), out)
    add_product(weight(parameters, plan.table, layer), inputs, work.packed, out)


@compiled
def forward(plan: Plan, parameters: Array, work: Workspace) -> None:
    """Outputs from `work.inputs`."""
    _layer(plan, parameters, plan.stem, work.inputs, plan.activation, stream_at(plan, work, 0), work)
    for block in range(plan.blocks):
        _block(plan, parameters, block, work)
    last = stream_at(plan, work, plan.blocks)
    if plan.final_norm:
        layer_norm(last, work.final_scale, work.sums, work.last)
        last = work.last
    linear(plan, parameters, plan.head, last, work.answers, work)
    activate(plan.head_activation, work.answers, work.outputs)


@inlined
def _layer(
    plan: Plan, parameters: Array, layer: int, inputs: Array, activation: int, out: Array, work: Workspace
) -> None:
    """out = φ(N(W inputs + b))"""
    before = work.before[: out.shape[0]]
    linear(plan, parameters, layer, inputs, before, work)
    if plan.norm == BATCH:
        normal = normal_of(work, layer, out.shape[0])
        batch_norm(before, work.frozen, work.mean[layer], work.batch_scale[layer], normal)
        before = normal
    elif plan.norm == LAYER:
        normal = normal_of(work, layer, out.shape[0])
        layer_norm(before, scale_of(work, layer), work.sums, normal)
        before = normal
    activate(activation, before, out)


@inlined
def _block(plan: Plan, parameters: Array, block: int, work: Workspace) -> None:
    stream, after = stream_at(plan, work, block), stream_at(plan, work, block + 1)
    layer = 1 + block * plan.layers_per_block
    inputs = stream
    if plan.norm == PRE_LAYER or plan.norm == PERI_LAYER:
        inputs = normal_of(work, layer, stream.shape[0])
        layer_norm(stream, scale_of(work, layer), work.sums, inputs)
    branch = value_of(plan, work, layer)
    _layer(plan, parameters, layer, inputs, plan.activation, branch, work)
    if plan.layers_per_block == 2:
        inside, branch = branch, value_of(plan, work, layer + 1)
        _layer(plan, parameters, layer + 1, inside, plan.last_activation, branch, work)
    if plan.norm == PERI_LAYER:
        joined = joined_of(work, block)
        layer_norm(branch, joined_scale_of(work, block), work.sums, joined)
        branch = joined
    if plan.original:
        _combine(plan, parameters, block, stream, branch, work.before[: plan.width], work)
        activate(plan.activation, work.before[: plan.width], after)
    elif plan.norm == POST_LAYER:
        _combine(plan, parameters, block, stream, branch, work.before[: plan.width], work)
        layer_norm(work.before[: plan.width], scale_of(work, layer), work.sums, after)
    else:
        _combine(plan, parameters, block, stream, branch, after, work)


@inlined
def _combine(
    plan: Plan, parameters: Array, block: int, stream: Array, branch: Array, out: Array, work: Workspace
) -> None:
    """What the skip makes of the stream and the branch."""
    if plan.skip == NONE:
        copy(branch, out)
    elif plan.skip == DENSE:
        copy(branch, out[stream.shape[0] :])
    elif plan.skip == HIGHWAY:
        gate = work.gate[block % work.gate.shape[0]]
        linear(plan, parameters, plan.head + 1 + block, stream, gate, work)
        logistic(gate)
        for i in range(out.shape[0]):
            for j in range(out.shape[1]):
                out[i, j] = stream[i, j] + gate[i, j] * (branch[i, j] - stream[i, j])
    elif plan.skip == LINEAR:
        linear(plan, parameters, plan.head + 1 + block, stream, out, work)
        for i in range(out.shape[0]):
            for j in range(out.shape[1]):
                out[i, j] += branch[i, j]
    elif plan.skip == DROPOUT and work.gate.shape[0]:
        kept = work.gate[block]
        for i in range(out.shape[0]):
            for j in range(out.shape[1]):
                out[i, j] = kept[i, j] * stream[i, j] + branch[i, j]
    else:
        factor, carry = parameters.dtype.type(plan.factor), parameters.dtype.type(plan.carry)
        if plan.skip == REZERO:
            factor = parameters[plan.factors + block]
        for i in range(out.shape[0]):
            for j in range(out.shape[1]):
                out[i, j] = carry * stream[i, j] + factor * branch[i, j]
