"""The backward pass of a transformer: the gradient of every parameter, and of the stream after every sublayer."""

import numpy as np

from sims.engines.kernels.activations import RELU, activate_back, copy
from sims.engines.kernels.compiled import compiled, inlined
from sims.engines.kernels.matmul import add_product, fill, outer
from sims.engines.kernels.norms import add_layer_norm_back
from sims.engines.kernels.sums import norm_of, row_sum
from sims.engines.perceptrons.kernels.forward import bias, weight
from sims.engines.transformers.kernels.attention import attend_back
from sims.engines.transformers.kernels.forward import scale_all, slot
from sims.engines.transformers.kernels.shapes import Plan, Workspace

Array = np.ndarray


@compiled
def backward(plan: Plan, parameters: Array, work: Workspace, gradient: Array, stream_gradients: Array) -> None:
    """Fill `gradient` (P,) from the workspace of a forward pass whose outputs were replaced by the loss gradient.

    The norm of ∂L/∂h after the embedding and after each sublayer goes into `stream_gradients` (depth + 1,).
    """
    _layer_back(plan, plan.head, work.pooled, work.outputs, gradient)
    _to_inputs(plan, parameters, plan.head, work.outputs, work.pooled_change, work)
    _spread_over_tokens(work.pooled_change, plan.tokens, work.change)
    if plan.final_norm:
        _layer_norm_back(parameters, work.change, work.final, work.final_scale, work)
    for sublayer in range(plan.depth - 1, -1, -1):
        stream_gradients[sublayer + 1] = norm_of(work.change)
        _sublayer_back(plan, parameters, sublayer, work, gradient)
    stream_gradients[0] = norm_of(work.change)
    outer(work.change, work.inputs, weight(gradient, plan.table, 0))
    batch = work.change.shape[1] // plan.tokens
    for i in range(plan.width):
        for t in range(plan.tokens):
            total = gradient.dtype.type(0)
            for b in range(t * batch, (t + 1) * batch):
                total += work.change[i, b]
            gradient[plan.places + t * plan.width + i] = total


@compiled
def _layer_back(plan: Plan, layer: int, inputs: Array, change: Array, gradient: Array) -> None:
    """Gradients of a layer's weight and bias, from that of its W x + b."""
    outer(change, inputs, weight(gradient, plan.table, layer))
    sums = bias(gradient, plan.table, layer)
    for i in range(sums.size):
        sums[i] = row_sum(change, i)


@inlined
def _to_inputs(plan: Plan, parameters: Array, layer: int, change: Array, out: Array, work: Workspace) -> None:
    """From the gradient of a layer's W x + b to that of x."""
    fill(parameters[:0], out)
    add_product(weight(parameters, plan.table, layer).T, change, work.packed, out)


@inlined
def _layer_norm_back(parameters: Array, change: Array, normal: Array, scale: Array, work: Workspace) -> None:
    """Through a layer norm, in place."""
    before = work.before[: change.shape[0]]
    copy(change, before)
    fill(parameters[:0], change)
    add_layer_norm_back(before, normal, scale, work.sums, change)


@compiled
def _sublayer_back(plan: Plan, parameters: Array, sublayer: int, work: Workspace, gradient: Array) -> None:
    """From the gradient with respect to the stream after a sublayer to that in front of it, both in `work.change`."""
    layer, of_kind = 1 + 2 * sublayer, sublayer // 2
    if not plan.pre_norm:
        _layer_norm_back(
            parameters, work.change, slot(work.stream, sublayer + 1), slot(work.scale, sublayer), work
        )  # fmt: skip
    inputs = slot(work.normal, sublayer) if plan.pre_norm else slot(work.stream, sublayer)
    change = work.behind if plan.branch_norm else work.change
    if plan.branch_norm:
        fill(parameters[:0], change)
        add_layer_norm_back(
            work.change, slot(work.joined, sublayer), slot(work.joined_scale, sublayer), work.sums, change
        )  # fmt: skip
    if sublayer % 2 == 0:
        collected = slot(work.mixed, of_kind)
        arriving, inside = work.before[: plan.width], work.inside[: 3 * plan.width]
        _layer_back(plan, layer + 1, collected, change, gradient)
        _to_inputs(plan, parameters, layer + 1, change, arriving, work)
        attend_back(
            slot(work.queries, of_kind), slot(work.shares, of_kind), plan.causal, arriving, work.slopes, inside
        )  # fmt: skip
    else:
        collected = slot(work.hidden, of_kind)
        inside = work.inside[: collected.shape[0]]
        _layer_back(plan, layer + 1, collected, change, gradient)
        _to_inputs(plan, parameters, layer + 1, change, inside, work)
        activate_back(RELU, collected, inside)
    _layer_back(plan, layer, inputs, inside, gradient)
    if plan.pre_norm:
        before = work.before[: plan.width]
        _to_inputs(plan, parameters, layer, inside, before, work)
        add_layer_norm_back(before, inputs, slot(work.scale, sublayer), work.sums, work.change)
    else:
        scale_all(plan.carry, work.change)
        add_product(weight(parameters, plan.table, layer).T, inside, work.packed, work.change)


@compiled
def _spread_over_tokens(change: Array, tokens: int, out: Array) -> None:
    """From the gradient (width, B) of a mean over tokens to that of the tokens, (width, T B)."""
    batch, share = change.shape[1], change.dtype.type(1 / tokens)
    for i in range(change.shape[0]):
        row = change[i]
        for t in range(tokens):
            token = out[i, t * batch : (t + 1) * batch]
            for b in range(batch):
                token[b] = row[b] * share
