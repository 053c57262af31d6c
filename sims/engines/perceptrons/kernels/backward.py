"""The backward pass: the gradient of every parameter, and of the stream after every block."""

import numpy as np

from sims.engines.kernels.activations import activate_back
from sims.engines.kernels.compiled import enclosed, inlined
from sims.engines.kernels.elementwise import add_to, clear, copy, scale_all, scaled
from sims.engines.kernels.layers import bias, layer_back, linear_back, weight
from sims.engines.kernels.norms import batch_norm_back, layer_norm_back
from sims.engines.kernels.sums import inner_product, norm_of
from sims.engines.kernels.views import rows, slot, view
from sims.engines.perceptrons.kernels.forward import activated_of, branch_of, normal_of, stream_at, value_of
from sims.engines.perceptrons.kernels.joins import multiply, pass_gate_back
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


@enclosed
def backward(
    plan: Plan, parameters: Array, workspace: Workspace, measures: bool, gradient: Array, stream_gradients: Array
) -> None:
    """Fill `gradient` (P,) from the workspace of a forward pass whose outputs were replaced by the loss gradient.

    Where it `measures`, the norm of ∂L/∂h after the stem and after each block goes into `stream_gradients`
    (blocks + 1,).
    """
    has_last = plan.final_norm or plan.activation_first
    last = workspace.last if has_last else stream_at(plan, workspace, plan.blocks)
    nothing = rows(workspace.change, 0)
    layer_back(plan, parameters, plan.head, last, workspace.outputs, workspace, gradient, nothing, workspace.change)
    if plan.activation_first:
        activate_back(plan.activation, last, workspace.least[0], workspace.change)
        normal = normal_of(workspace, plan.stem, last.shape[0])
        if plan.norm == BATCH:
            batch_norm_back(workspace.change, normal, slot(workspace.batch_scale, plan.stem))
        elif plan.final_norm:
            layer_norm_back(workspace.change, normal, workspace.final_scale, nothing, workspace.change)
    elif plan.final_norm:
        layer_norm_back(workspace.change, last, workspace.final_scale, nothing, workspace.change)
    for block in range(plan.blocks - 1, -1, -1):
        if measures:
            stream_gradients[block + 1] = norm_of(_change_at(plan, workspace, block + 1))
        _block_back(plan, parameters, block, workspace, gradient)
    change = _change_at(plan, workspace, 0)
    if measures:
        stream_gradients[0] = norm_of(change)
    if not plan.activation_first:
        activate_back(plan.activation, stream_at(plan, workspace, 0), workspace.least[0], change)
        _norm_back(plan, plan.stem, change, workspace)
    linear_back(
        workspace.inputs, change, weight(gradient, plan.table, plan.stem), bias(gradient, plan.table, plan.stem)
    )


@inlined
def _change_at(plan: Plan, workspace: Workspace, block: int) -> Array:
    """Return the view that holds the gradient with respect to the stream after that many blocks."""
    return rows(workspace.change, plan.width + block * plan.growth)


@inlined
def _norm_back(plan: Plan, layer: int, change: Array, workspace: Workspace) -> None:
    """Take the gradient back through the norm after a layer, in place."""
    normal = normal_of(workspace, layer, change.shape[0])
    if plan.norm == BATCH:
        batch_norm_back(change, normal, slot(workspace.batch_scale, layer))
    elif plan.norm == LAYER:
        layer_norm_back(change, normal, slot(workspace.point_scale, layer), rows(change, 0), change)


@inlined
def _block_back(plan: Plan, parameters: Array, block: int, workspace: Workspace, gradient: Array) -> None:
    """Replace the gradient with respect to the stream after a block, in `workspace.change`, by that before it."""
    layer = 1 + block * plan.layers_per_block
    stream, after = stream_at(plan, workspace, block), stream_at(plan, workspace, block + 1)
    change, scale = _change_at(plan, workspace, block + 1), slot(workspace.point_scale, layer)
    nothing = rows(change, 0)
    if plan.norm == POST_LAYER:
        layer_norm_back(change, after, scale, nothing, change)
    if plan.original:
        activate_back(plan.activation, after, workspace.least[0], change)
    branch_change = rows(workspace.branch_change, plan.growth if plan.skip == DENSE else plan.width)
    _uncombine(plan, parameters, block, change, branch_change, workspace, gradient)
    back = _change_at(plan, workspace, block)
    # What the skip has carried back is already in `back`; the branch's gradient is added to it. Without a skip the
    # base is empty, and the branch's gradient replaces it.
    carried = rows(back, 0 if plan.skip == NONE else back.shape[0])
    if plan.norm == PERI_LAYER:
        layer_norm_back(
            branch_change, slot(workspace.joined, block), slot(workspace.joined_scale, block), nothing, branch_change
        )
    normed = plan.norm == PRE_LAYER or plan.norm == PERI_LAYER
    if plan.activation_first:
        activated, out = activated_of(plan, workspace, block), rows(workspace.scratch, stream.shape[0])
        layer_back(plan, parameters, layer, activated, branch_change, workspace, gradient, nothing, out)
        activate_back(plan.activation, activated, workspace.least[0], out)
        normal = normal_of(workspace, layer, stream.shape[0])
        if normed:
            layer_norm_back(out, normal, scale, carried, back)
            return
        if plan.norm == BATCH:
            batch_norm_back(out, normal, slot(workspace.batch_scale, layer))
        if plan.skip == NONE:
            copy(out, back)
        else:
            add_to(out, back)
        return
    for inside in range(plan.layers_per_block - 1, -1, -1):
        this = layer + inside
        activation = plan.last_activation if inside else plan.activation
        activate_back(activation, value_of(plan, workspace, this), workspace.least[0], branch_change)
        _norm_back(plan, this, branch_change, workspace)
        # The first layer of a branch reads the stream, so its gradient goes there; inside the branch, and before a
        # norm, it goes to scratch space.
        inputs, base, out = stream, carried, back
        if inside:
            inputs = value_of(plan, workspace, this - 1)
        elif normed:
            inputs = normal_of(workspace, this, stream.shape[0])
        if inside or normed:
            base, out = nothing, rows(workspace.scratch, inputs.shape[0])
        layer_back(plan, parameters, this, inputs, branch_change, workspace, gradient, base, out)
        if inside:
            copy(out, branch_change)
        elif normed:
            layer_norm_back(out, inputs, scale, carried, back)


@inlined
def _uncombine(
    plan: Plan, parameters: Array, block: int, change: Array, out: Array, workspace: Workspace, gradient: Array
) -> None:
    """Write the branch's gradient to `out`, given that of the sum in `change`, which keeps the skip's share."""
    stream, beside = stream_at(plan, workspace, block), plan.head + 1 + block
    branch = branch_of(plan, workspace, block)
    # A dense block appends its features: their gradient lies after that of the stream.
    if plan.skip == DENSE:
        copy(view(change, stream.size, out.shape), out)
    elif plan.skip == HIGHWAY or plan.skip == LINEAR:
        arriving = rows(workspace.scratch, plan.width)
        if plan.skip == HIGHWAY:
            pass_gate_back(slot(workspace.gate, block), stream, branch, workspace.least[0], change, arriving, out)
        else:
            copy(change, out)
            copy(change, arriving)
            # All of the skip's share comes through the linear map, which is added to zeros below.
            clear(change)
        layer_back(plan, parameters, beside, stream, arriving, workspace, gradient, change, change)
    elif plan.skip == DROPOUT:
        copy(change, out)
        multiply(slot(workspace.gate, block), change)
    else:
        factor = parameters.dtype.type(plan.factor)
        if plan.skip == REZERO:
            factor = parameters[plan.factors + block]
            gradient[plan.factors + block] = inner_product(change, branch)
        scaled(factor, change, out)
        scale_all(plan.carry, change)
