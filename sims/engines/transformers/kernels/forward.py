"""The forward pass of a transformer, leaving in the workspace what the backward pass needs."""

import numpy as np

from sims.engines.kernels.activations import activate
from sims.engines.kernels.compiled import enclosed, inlined
from sims.engines.kernels.elementwise import add_to, copy, scale_all
from sims.engines.kernels.layers import bias, linear, weight
from sims.engines.kernels.matmul import add_product, fill
from sims.engines.kernels.norms import layer_norm
from sims.engines.kernels.views import rows, slot
from sims.engines.transformers.kernels.attention import attend
from sims.engines.transformers.kernels.shapes import Plan, Workspace

Array = np.ndarray


@enclosed
def forward(plan: Plan, parameters: Array, work: Workspace) -> None:
    """Outputs from `work.inputs`."""
    stream = slot(work.stream, 0)
    _place(plan.places, plan.tokens, parameters, stream)
    add_product(weight(parameters, plan.table, 0), work.inputs, work.packed, stream)
    for sublayer in range(plan.depth):
        _sublayer(plan, parameters, sublayer, work)
    last = slot(work.stream, plan.depth)
    if plan.final_norm:
        layer_norm(last, work.final_scale, work.sums, work.final)
        last = work.final
    _mean_over_tokens(last, plan.tokens, work.pooled)
    _layer(plan, parameters, plan.head, work.pooled, work, work.outputs)


@enclosed
def _place(places: int, tokens: int, parameters: Array, stream: Array) -> None:
    """The vectors of the places, from that parameter on, to all tokens of the stream (width, T B)."""
    width, batch = stream.shape[0], stream.shape[1] // tokens
    for i in range(width):
        for t in range(tokens):
            place, row = parameters[places + t * width + i], stream[i, t * batch : (t + 1) * batch]
            for b in range(batch):
                row[b] = place


@inlined
def _layer(plan: Plan, parameters: Array, layer: int, inputs: Array, work: Workspace, out: Array) -> None:
    """out = W inputs + b"""
    linear(weight(parameters, plan.table, layer), bias(parameters, plan.table, layer), inputs, work.packed, out)


@inlined
def _sublayer(plan: Plan, parameters: Array, sublayer: int, work: Workspace) -> None:
    stream, after, scale = slot(work.stream, sublayer), slot(work.stream, sublayer + 1), slot(work.scale, sublayer)
    layer, of_kind, attends = 1 + 2 * sublayer, sublayer // 2, sublayer % 2 == 0
    inputs = stream
    if plan.pre_norm:
        inputs = slot(work.normal, sublayer)
        layer_norm(stream, scale, work.sums, inputs)
    collected = slot(work.mixed, of_kind) if attends else slot(work.hidden, of_kind)
    before = slot(work.queries, of_kind) if attends else rows(work.before, collected.shape[0])
    _layer(plan, parameters, layer, inputs, work, before)
    if attends:
        attend(before, plan.causal, slot(work.shares, of_kind), collected)
    else:
        activate(plan.activation, before, collected)
    total = after if plan.pre_norm and not plan.branch_norm else rows(work.before, plan.width)
    if plan.branch_norm:
        fill(bias(parameters, plan.table, layer + 1), total)
    else:
        copy(stream, total)
        scale_all(plan.carry, total)
        _add_to_rows(bias(parameters, plan.table, layer + 1), total)
    add_product(weight(parameters, plan.table, layer + 1), collected, work.packed, total)
    if plan.branch_norm:
        joined = slot(work.joined, sublayer)
        layer_norm(total, slot(work.joined_scale, sublayer), work.sums, joined)
        copy(stream, after)
        add_to(joined, after)
    elif not plan.pre_norm:
        layer_norm(total, scale, work.sums, after)


@enclosed
def _add_to_rows(numbers: Array, out: Array) -> None:
    """Add numbers[i] to every number of row i of out (m, B)."""
    for i in range(out.shape[0]):
        row, number = out[i], numbers[i]
        for j in range(row.size):
            row[j] += number


@enclosed
def _mean_over_tokens(values: Array, tokens: int, out: Array) -> None:
    """out (width, B) from values (width, T B)."""
    batch, share = out.shape[1], out.dtype.type(1 / tokens)
    for i in range(out.shape[0]):
        row = out[i]
        for b in range(batch):
            row[b] = 0
        for t in range(tokens):
            token = values[i, t * batch : (t + 1) * batch]
            for b in range(batch):
                row[b] += token[b] * share
