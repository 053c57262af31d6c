"""The backward pass: the gradient of every parameter, and on its way the gradient of the stream after every block."""

import numpy as np

from sims.engines.kernels.activations import activate_back, copy
from sims.engines.kernels.compiled import compiled, inlined
from sims.engines.kernels.matmul import add_product, fill, outer
from sims.engines.kernels.norms import add_layer_norm_back, batch_norm_back
from sims.engines.kernels.sums import norm_of, row_product, row_sum
from sims.engines.perceptrons.kernels.forward import (
    bias,
    joined_of,
    joined_scale_of,
    normal_of,
    scale_of,
    stream_at,
    value_of,
    weight,
)
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


@compiled
def backward(plan: Plan, parameters: Array, work: Workspace, gradient: Array, stream_gradients: Array) -> None:
    """Fill `gradient` (P,) from the workspace of a forward pass whose outputs were replaced by the loss gradient.

    The norm of ∂L/∂h after the stem and after each block goes into `stream_gradients` (blocks + 1,).
    """
    last = work.last if plan.final_norm else stream_at(plan, work, plan.blocks)
    _layer_back(plan, plan.head, last, work.outputs, gradient)
    _clear(parameters, work.change)
    _add_to_inputs(plan, parameters, plan.head, work.outputs, work.change, work)
    if plan.final_norm:
        _layer_norm_back(parameters, work.change, last, work.final_scale, work)
    for block in range(plan.blocks - 1, -1, -1):
        stream_gradients[block + 1] = norm_of(_change_at(plan, work, block + 1))
        _block_back(plan, parameters, block, work, gradient)
    change = _change_at(plan, work, 0)
    stream_gradients[0] = norm_of(change)
    activate_back(plan.activation, stream_at(plan, work, 0), change)
    _norm_back(plan, parameters, plan.stem, change, work)
    _layer_back(plan, plan.stem, work.inputs, change, gradient)


@inlined
def _change_at(plan: Plan, work: Workspace, block: int) -> Array:
    """Where the gradient with respect to the stream after that many blocks stands."""
    return work.change[: plan.width + block * plan.growth]


@inlined
def _layer_back(plan: Plan, layer: int, inputs: Array, change: Array, gradient: Array) -> None:
    """Gradients of a layer's weight and bias, from that of its W x + b."""
    outer(change, inputs, weight(gradient, plan.table, layer))
    sums = bias(gradient, plan.table, layer)
    for i in range(sums.size):
        sums[i] = row_sum(change, i)


@inlined
def _add_to_inputs(plan: Plan, parameters: Array, layer: int, change: Array, out: Array, work: Workspace) -> None:
    """From the gradient of a layer's W x + b to that of x, added to what `out` holds."""
    add_product(weight(parameters, plan.table, layer).T, change, work.packed, out)


@inlined
def _clear(parameters: Array, out: Array) -> None:
    fill(parameters[:0], out)


@inlined
def _layer_norm_back(parameters: Array, change: Array, normal: Array, scale: Array, work: Workspace) -> None:
    """Through a layer norm, in place."""
    before = work.scratch[: change.shape[0]]
    copy(change, before)
    _clear(parameters, change)
    add_layer_norm_back(before, normal, scale, work.sums, change)


@inlined
def _norm_back(plan: Plan, parameters: Array, layer: int, change: Array, work: Workspace) -> None:
    """Through the norm after a layer, in place."""
    if plan.norm == BATCH:
        batch_norm_back(change, normal_of(work, layer, change.shape[0]), work.batch_scale[layer])
    elif plan.norm == LAYER:
        normal = normal_of(work, layer, change.shape[0])
        _layer_norm_back(parameters, change, normal, scale_of(work, layer), work)


@inlined
def _block_back(plan: Plan, parameters: Array, block: int, work: Workspace, gradient: Array) -> None:
    """From the gradient with respect to the stream after a block to that in front of it, both in `work.change`."""
    layer = 1 + block * plan.layers_per_block
    stream, after = stream_at(plan, work, block), stream_at(plan, work, block + 1)
    change = _change_at(plan, work, block + 1)
    if plan.norm == POST_LAYER:
        _layer_norm_back(parameters, change, after, scale_of(work, layer), work)
    if plan.original:
        activate_back(plan.activation, after, change)
    branch_change = work.branch_change[: plan.growth if plan.skip == DENSE else plan.width]
    _uncombine(plan, parameters, block, change, branch_change, work, gradient)
    if plan.norm == PERI_LAYER:
        _layer_norm_back(parameters, branch_change, joined_of(work, block), joined_scale_of(work, block), work)
    if plan.layers_per_block == 2:
        inside = value_of(plan, work, layer)
        _norm_back(plan, parameters, layer + 1, branch_change, work)
        _layer_back(plan, layer + 1, inside, branch_change, gradient)
        scratch = work.scratch[: plan.width]
        _clear(parameters, scratch)
        _add_to_inputs(plan, parameters, layer + 1, branch_change, scratch, work)
        copy(scratch, branch_change)
    activate_back(plan.activation, value_of(plan, work, layer), branch_change)
    _norm_back(plan, parameters, layer, branch_change, work)
    back = _change_at(plan, work, block)
    if plan.skip == NONE:
        _clear(parameters, back)
    if plan.norm == PRE_LAYER or plan.norm == PERI_LAYER:
        normal = normal_of(work, layer, stream.shape[0])
        scratch = work.scratch[: stream.shape[0]]
        _layer_back(plan, layer, normal, branch_change, gradient)
        _clear(parameters, scratch)
        _add_to_inputs(plan, parameters, layer, branch_change, scratch, work)
        add_layer_norm_back(scratch, normal, scale_of(work, layer), work.sums, back)
    else:
        _layer_back(plan, layer, stream, branch_change, gradient)
        _add_to_inputs(plan, parameters, layer, branch_change, back, work)


@inlined
def _uncombine(
    plan: Plan, parameters: Array, block: int, change: Array, out: Array, work: Workspace, gradient: Array
) -> None:
    """From the gradient with respect to the sum to that of the branch, in `out`; `change` keeps the skip's share."""
    if plan.skip == DENSE:
        copy(change[plan.width + block * plan.growth :], out)
        return
    if plan.skip == HIGHWAY:
        _uncombine_highway(plan, parameters, block, change, out, work, gradient)
        return
    if plan.skip == LINEAR or plan.skip == DROPOUT:
        copy(change, out)
        _shortcut_back(plan, parameters, block, change, work, gradient)
        return
    factor = parameters.dtype.type(plan.factor)
    if plan.skip == REZERO:
        factor = parameters[plan.factors + block]
        branch = value_of(plan, work, block * plan.layers_per_block + plan.layers_per_block)
        slope = parameters.dtype.type(0)
        for i in range(change.shape[0]):
            slope += row_product(change, i, branch, i)
        gradient[plan.factors + block] = slope
    for i in range(change.shape[0]):
        for j in range(change.shape[1]):
            out[i, j] = factor * change[i, j]
    if plan.carry != 1:
        carry = parameters.dtype.type(plan.carry)
        for i in range(change.shape[0]):
            for j in range(change.shape[1]):
                change[i, j] *= carry


@inlined
def _shortcut_back(plan: Plan, parameters: Array, block: int, change: Array, work: Workspace, gradient: Array) -> None:
    """Through a linear map or a dropout on the skip, in place."""
    if plan.skip == LINEAR:
        layer, arriving = plan.head + 1 + block, work.scratch[: plan.width]
        copy(change, arriving)
        _layer_back(plan, layer, stream_at(plan, work, block), arriving, gradient)
        _clear(parameters, change)
        _add_to_inputs(plan, parameters, layer, arriving, change, work)
    else:
        kept = work.gate[block]
        for i in range(change.shape[0]):
            for j in range(change.shape[1]):
                change[i, j] *= kept[i, j]


@inlined
def _uncombine_highway(
    plan: Plan, parameters: Array, block: int, change: Array, out: Array, work: Workspace, gradient: Array
) -> None:
    """h + T (branch - h): the branch's share into `out`; those of T and of the carried 1 - T into `change`."""
    one = parameters.dtype.type(1)
    gate, gate_change = work.gate[block], work.scratch[: plan.width]
    stream = stream_at(plan, work, block)
    branch = value_of(plan, work, block * plan.layers_per_block + plan.layers_per_block)
    for i in range(gate.shape[0]):
        for j in range(gate.shape[1]):
            opening, slope = gate[i, j], change[i, j]
            out[i, j] = opening * slope
            gate_change[i, j] = slope * (branch[i, j] - stream[i, j]) * opening * (one - opening)
            change[i, j] = (one - opening) * slope
    layer = plan.head + 1 + block
    _layer_back(plan, layer, stream, gate_change, gradient)
    _add_to_inputs(plan, parameters, layer, gate_change, change, work)
