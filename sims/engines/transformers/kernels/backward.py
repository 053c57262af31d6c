"""The backward pass of a transformer: the gradient of every parameter, and of the stream after every sublayer."""

import numpy as np

from sims.engines.kernels.activations import activate_back
from sims.engines.kernels.compiled import enclosed, inlined
from sims.engines.kernels.elementwise import clear, scale_all
from sims.engines.kernels.layers import add_to_inputs, bias, linear_back, weight
from sims.engines.kernels.matmul import outer
from sims.engines.kernels.norms import add_layer_norm_back, layer_norm_back
from sims.engines.kernels.sums import norm_of
from sims.engines.kernels.views import rows, slot
from sims.engines.transformers.kernels.attention import attend_back
from sims.engines.transformers.kernels.shapes import Plan, Workspace

Array = np.ndarray


@enclosed
def backward(plan: Plan, parameters: Array, workspace: Workspace, gradient: Array, stream_gradients: Array) -> None:
    """Fill `gradient` (P,) from the workspace of a forward pass whose outputs were replaced by the loss gradient.

    The norm of ∂L/∂h after the embedding and after each sublayer goes into `stream_gradients` (depth + 1,).
    """
    clear(workspace.pooled_change)
    _layer_back(
        plan, parameters, plan.head, workspace.pooled, workspace.outputs, workspace, gradient, workspace.pooled_change
    )
    _spread_over_tokens(workspace.pooled_change, plan.tokens, workspace.change)
    if plan.final_norm:
        layer_norm_back(workspace.change, workspace.final, workspace.final_scale, workspace.sums, workspace.before)
    for sublayer in range(plan.depth - 1, -1, -1):
        stream_gradients[sublayer + 1] = norm_of(workspace.change)
        _sublayer_back(plan, parameters, sublayer, workspace, gradient)
    stream_gradients[0] = norm_of(workspace.change)
    outer(workspace.change, workspace.inputs, weight(gradient, plan.table, 0))
    _positions_back(plan.positions, plan.tokens, workspace.change, gradient)


@inlined
def _layer_back(
    plan: Plan,
    parameters: Array,
    layer: int,
    inputs: Array,
    change: Array,
    workspace: Workspace,
    gradient: Array,
    out: Array,
) -> None:
    """From the gradient of a layer's W x + b to those of W and b, and to that of x, added to what `out` holds."""
    linear_back(inputs, change, weight(gradient, plan.table, layer), bias(gradient, plan.table, layer))
    add_to_inputs(weight(parameters, plan.table, layer), change, workspace.packed, out)


@inlined
def _sublayer_back(plan: Plan, parameters: Array, sublayer: int, workspace: Workspace, gradient: Array) -> None:
    """From the gradient with respect to the stream after a sublayer to that in front, both in `workspace.change`."""
    layer, of_kind, attends = 1 + 2 * sublayer, sublayer // 2, sublayer % 2 == 0
    scale = slot(workspace.scale, sublayer)
    if not plan.pre_norm:
        layer_norm_back(workspace.change, slot(workspace.stream, sublayer + 1), scale, workspace.sums, workspace.before)
    inputs = slot(workspace.normal, sublayer) if plan.pre_norm else slot(workspace.stream, sublayer)
    change = workspace.behind if plan.branch_norm else workspace.change
    if plan.branch_norm:
        clear(change)
        add_layer_norm_back(
            workspace.change,
            slot(workspace.joined, sublayer),
            slot(workspace.joined_scale, sublayer),
            workspace.sums,
            change,
        )
    collected = slot(workspace.mixed, of_kind) if attends else slot(workspace.hidden, of_kind)
    inside = rows(workspace.inside, 3 * plan.width if attends else collected.shape[0])
    arriving = rows(workspace.before, plan.width) if attends else inside
    clear(arriving)
    _layer_back(plan, parameters, layer + 1, collected, change, workspace, gradient, arriving)
    if attends:
        attend_back(
            slot(workspace.queries, of_kind),
            slot(workspace.shares, of_kind),
            plan.causal,
            arriving,
            workspace.slopes,
            inside,
        )
    else:
        activate_back(plan.activation, collected, inside)
    out = rows(workspace.before, plan.width) if plan.pre_norm else workspace.change
    if plan.pre_norm:
        clear(out)
    else:
        scale_all(plan.carry, out)
    _layer_back(plan, parameters, layer, inputs, inside, workspace, gradient, out)
    if plan.pre_norm:
        add_layer_norm_back(out, inputs, scale, workspace.sums, workspace.change)


@enclosed
def _positions_back(positions: int, tokens: int, change: Array, gradient: Array) -> None:
    """The gradient of the position vectors, from that parameter on: a sum over the points of each token."""
    width, batch = change.shape[0], change.shape[1] // tokens
    for i in range(width):
        for t in range(tokens):
            total = gradient.dtype.type(0)
            for b in range(t * batch, (t + 1) * batch):
                total += change[i, b]
            gradient[positions + t * width + i] = total


@enclosed
def _spread_over_tokens(change: Array, tokens: int, out: Array) -> None:
    """From the gradient (width, B) of a mean over tokens to that of the tokens, (width, T B)."""
    batch, share = change.shape[1], change.dtype.type(1 / tokens)
    for i in range(change.shape[0]):
        row = change[i]
        for t in range(tokens):
            token = out[i, t * batch : (t + 1) * batch]
            for b in range(batch):
                token[b] = row[b] * share
