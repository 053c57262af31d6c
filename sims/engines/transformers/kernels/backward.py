"""The backward pass of a transformer: the gradient of every parameter, and of the stream after every sublayer."""

import numpy as np

from sims.engines.kernels.activations import activate_back
from sims.engines.kernels.compiled import enclosed, inlined
from sims.engines.kernels.elementwise import scale_all
from sims.engines.kernels.layers import layer_back, weight
from sims.engines.kernels.matmul import outer
from sims.engines.kernels.norms import layer_norm_back
from sims.engines.kernels.sums import norm_of
from sims.engines.kernels.views import rows, slot
from sims.engines.transformers.kernels.attention import attend_back
from sims.engines.transformers.kernels.shapes import Plan, Workspace

Array = np.ndarray


@enclosed
def backward(
    plan: Plan, parameters: Array, workspace: Workspace, measures: bool, gradient: Array, stream_gradients: Array
) -> None:
    """Fill `gradient` (P,) from the workspace of a forward pass whose outputs were replaced by the loss gradient.

    Where it `measures`, the norm of ∂L/∂h after the embedding and after each sublayer goes into `stream_gradients`
    (depth + 1,).
    """
    pooled_change, nothing = workspace.pooled_change, rows(workspace.change, 0)
    layer_back(
        plan, parameters, plan.head, workspace.pooled, workspace.outputs, workspace, gradient, nothing, pooled_change
    )
    _spread_over_tokens(pooled_change, plan.tokens, workspace.change)
    if plan.final_norm:
        layer_norm_back(workspace.change, workspace.final, workspace.final_scale, nothing, workspace.change)
    for sublayer in range(plan.depth - 1, -1, -1):
        if measures:
            stream_gradients[sublayer + 1] = norm_of(workspace.change)
        _sublayer_back(plan, parameters, sublayer, workspace, gradient)
    if measures:
        stream_gradients[0] = norm_of(workspace.change)
    outer(workspace.change, workspace.inputs, weight(gradient, plan.table, 0))
    _positions_back(plan.positions, plan.tokens, workspace.change, gradient)


@inlined
def _sublayer_back(plan: Plan, parameters: Array, sublayer: int, workspace: Workspace, gradient: Array) -> None:
    """Replace the gradient with respect to the stream after a sublayer, in `workspace.change`, by that before it."""
    layer, of_kind, attends = 1 + 2 * sublayer, sublayer // 2, sublayer % 2 == 0
    scale, nothing = slot(workspace.scale, sublayer), rows(workspace.change, 0)
    if not plan.pre_norm:
        layer_norm_back(workspace.change, slot(workspace.stream, sublayer + 1), scale, nothing, workspace.change)
    inputs = slot(workspace.normal, sublayer) if plan.pre_norm else slot(workspace.stream, sublayer)
    # Peri-LN's second norm is inside the branch: its gradient needs an array of its own, since `workspace.change` must
    # keep the skip's.
    change = workspace.behind if plan.branch_norm else workspace.change
    if plan.branch_norm:
        layer_norm_back(
            workspace.change, slot(workspace.joined, sublayer), slot(workspace.joined_scale, sublayer), nothing, change
        )
    collected = slot(workspace.mixed, of_kind) if attends else slot(workspace.hidden, of_kind)
    # Attention goes from `width` rows to 3 `width`, so it needs a second array; ReLU's gradient is taken in place.
    inside = rows(workspace.inside, 3 * plan.width if attends else collected.shape[0])
    arriving = rows(workspace.before, plan.width) if attends else inside
    layer_back(plan, parameters, layer + 1, collected, change, workspace, gradient, nothing, arriving)
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
        activate_back(plan.activation, collected, workspace.least[0], inside)
    # Post-LN adds the branch's gradient to the skip's, which DeepNorm has scaled by α. Pre-LN has a norm in between.
    out = rows(workspace.before, plan.width) if plan.pre_norm else workspace.change
    if not plan.pre_norm:
        scale_all(plan.carry, out)
    layer_back(plan, parameters, layer, inputs, inside, workspace, gradient, nothing if plan.pre_norm else out, out)
    if plan.pre_norm:
        layer_norm_back(out, inputs, scale, workspace.change, workspace.change)


@enclosed
def _positions_back(positions: int, tokens: int, change: Array, gradient: Array) -> None:
    """Write the gradient of the position vectors, at offset `positions`: a sum over the points of each token."""
    width, batch = change.shape[0], change.shape[1] // tokens
    for i in range(width):
        for t in range(tokens):
            total = gradient.dtype.type(0)
            for b in range(t * batch, (t + 1) * batch):
                total += change[i, b]
            gradient[positions + t * width + i] = total


@enclosed
def _spread_over_tokens(change: Array, tokens: int, out: Array) -> None:
    """Write the gradient of the tokens (width, T B), given that of their mean (width, B)."""
    batch, share = change.shape[1], change.dtype.type(1 / tokens)
    for i in range(change.shape[0]):
        row = change[i]
        for t in range(tokens):
            token = out[i, t * batch : (t + 1) * batch]
            for b in range(batch):
                token[b] = row[b] * share
