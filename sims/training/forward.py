"""The forward pass: from inputs to outputs, leaving in the workspace what the backward pass needs."""

import numpy as np

from sims.training.activations import IDENTITY, activate, logistic
from sims.training.compiled import compiled, view
from sims.training.matmul import product
from sims.training.norms import batch_norm, layer_norm
from sims.training.plan import ADDITIVE, BATCH, DENSE, HIGHWAY, LAYER, NONE, POST_LAYER, PRE_LAYER, REZERO
from sims.training.plan import Plan, Workspace

Array = np.ndarray


@view
def weight(parameters: Array, table: Array, layer: int) -> Array:
    """The weight matrix (rows, columns) of a layer, as a view."""
    rows, columns, start, _ = table[layer]
    return parameters[start : start + rows * columns].reshape(rows, columns)


@view
def bias(parameters: Array, table: Array, layer: int) -> Array:
    """The bias (rows,) of a layer, as a view; empty where it has none."""
    start = table[layer, 3]
    return parameters[start : start + table[layer, 0]] if start >= 0 else parameters[:0]


@view
def stream_at(plan: Plan, work: Workspace, block: int) -> Array:
    """The stream after that many blocks."""
    if plan.skip == DENSE:
        return work.stream[0][: plan.width + block * plan.growth]
    return work.stream[block % work.stream.shape[0]]


@view
def value_of(plan: Plan, work: Workspace, layer: int) -> Array:
    """The result of a layer in its branch."""
    value = work.value[layer % work.value.shape[0]]
    return value[: plan.growth] if plan.skip == DENSE and layer > 0 else value


@view
def normal_of(work: Workspace, layer: int, features: int) -> Array:
    """The norm's result in, or in front of, a layer."""
    return work.normal[layer % work.normal.shape[0]][:features]


@compiled
def forward(plan: Plan, parameters: Array, frozen: bool, work: Workspace) -> None:
    """Outputs from `work.inputs`. With `frozen`, batch norm uses the means and scales that the workspace holds."""
    start = stream_at(plan, work, 0)
    _layer(plan, parameters, 0, work.inputs, frozen, True, start, work)
    for block in range(plan.blocks):
        _block(plan, parameters, block, frozen, work)
    last = stream_at(plan, work, plan.blocks)
    if plan.final_norm:
        layer_norm(last, work.final_scale, work.sums, work.last)
        last = work.last
    head = 1 + plan.blocks * plan.layers_per_block
    product(weight(parameters, plan.table, head), last, bias(parameters, plan.table, head), False, work.outputs)
    if plan.squashed:
        activate(plan.activation, work.outputs, work.outputs)


@compiled
def _layer(
    plan: Plan, parameters: Array, layer: int, inputs: Array, frozen: bool, active: bool, out: Array, work: Workspace
) -> None:
    """out = φ(N(W inputs + b)), without φ where the layer is not `active`."""
    product(weight(parameters, plan.table, layer), inputs, bias(parameters, plan.table, layer), False, out)
    normal = out
    if plan.norm == BATCH:
        normal = normal_of(work, layer, out.shape[0])
        batch_norm(out, frozen, work.mean[layer], work.batch_scale[layer], normal)
    elif plan.norm == LAYER:
        normal = normal_of(work, layer, out.shape[0])
        layer_norm(out, work.point_scale[layer % work.point_scale.shape[0]], work.sums, normal)
    activate(plan.activation if active else IDENTITY, normal, out)


@compiled
def _block(plan: Plan, parameters: Array, block: int, frozen: bool, work: Workspace) -> None:
    stream, after = stream_at(plan, work, block), stream_at(plan, work, block + 1)
    layer = 1 + block * plan.layers_per_block
    inputs = stream
    if plan.norm == PRE_LAYER:
        inputs = normal_of(work, layer, stream.shape[0])
        layer_norm(stream, work.point_scale[layer % work.point_scale.shape[0]], work.sums, inputs)
    branch = value_of(plan, work, layer)
    _layer(plan, parameters, layer, inputs, frozen, True, branch, work)
    if plan.layers_per_block == 2:
        inside, branch = branch, value_of(plan, work, layer + 1)
        _layer(plan, parameters, layer + 1, inside, frozen, False, branch, work)
    _combine(plan, parameters, block, stream, branch, after, work)
    if plan.original:
        activate(plan.activation, after, after)
    if plan.norm == POST_LAYER:
        layer_norm(after, work.point_scale[layer % work.point_scale.shape[0]], work.sums, after)


@compiled
def _combine(
    plan: Plan, parameters: Array, block: int, stream: Array, branch: Array, after: Array, work: Workspace
) -> None:
    """What the skip makes of the stream and the branch."""
    kind = after.dtype.type
    if plan.skip == NONE:
        activate(IDENTITY, branch, after)
    elif plan.skip == ADDITIVE or plan.skip == REZERO:
        factor = kind(plan.factor) if plan.skip == ADDITIVE else parameters[plan.factors + block]
        for i in range(after.shape[0]):
            for j in range(after.shape[1]):
                after[i, j] = stream[i, j] + factor * branch[i, j]
    elif plan.skip == HIGHWAY:
        gate = work.gate[block % work.gate.shape[0]]
        layer = 2 + plan.blocks * plan.layers_per_block + block
        product(weight(parameters, plan.table, layer), stream, bias(parameters, plan.table, layer), False, gate)
        logistic(gate)
        for i in range(after.shape[0]):
            for j in range(after.shape[1]):
                after[i, j] = stream[i, j] + gate[i, j] * (branch[i, j] - stream[i, j])
    else:
        activate(IDENTITY, branch, after[stream.shape[0] :])
