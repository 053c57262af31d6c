"""The forward pass of a transformer, leaving in the workspace what the backward pass needs."""

import numpy as np

from sims.engines.kernels.activations import RELU, activate, copy
from sims.engines.kernels.compiled import compiled, inlined
from sims.engines.kernels.matmul import add_product, fill
from sims.engines.kernels.norms import layer_norm
from sims.engines.perceptrons.kernels.forward import bias, weight
from sims.engines.transformers.kernels.attention import attend
from sims.engines.transformers.kernels.shapes import Plan, Workspace

Array = np.ndarray


@inlined
def slot(arrays: Array, number: int) -> Array:
    """The array of that sublayer, or of that sublayer of its kind."""
    return arrays[number % arrays.shape[0]]


@inlined
def _add_layer(plan: Plan, parameters: Array, layer: int, inputs: Array, out: Array, work: Workspace) -> None:
    """out += W inputs + b"""
    add_to_rows(bias(parameters, plan.table, layer), out)
    add_product(weight(parameters, plan.table, layer), inputs, work.packed, out)


@compiled
def add_to_rows(numbers: Array, out: Array) -> None:
    """Add numbers[i] to every number of row i of out (m, B)."""
    for i in range(out.shape[0]):
        row, number = out[i], numbers[i]
        for j in range(row.size):
            row[j] += number


@compiled
def add_to(values: Array, out: Array) -> None:
    """out += values, over (m, B)."""
    for i in range(out.shape[0]):
        row, other = out[i], values[i]
        for j in range(row.size):
            row[j] += other[j]


@compiled
def scale_all(factor: float, out: Array) -> None:
    """Multiply everything in out (m, B) by a factor; 1 costs nothing."""
    if factor != 1:
        number = out.dtype.type(factor)
        for i in range(out.shape[0]):
            row = out[i]
            for j in range(row.size):
                row[j] *= number


@compiled
def forward(plan: Plan, parameters: Array, work: Workspace) -> None:
    """Outputs from `work.inputs`."""
    _embed(plan, parameters, work)
    for sublayer in range(plan.depth):
        _sublayer(plan, parameters, sublayer, work)
    last = slot(work.stream, plan.depth)
    if plan.final_norm:
        layer_norm(last, work.final_scale, work.sums, work.final)
        last = work.final
    _mean_over_tokens(last, plan.tokens, work.pooled)
    fill(bias(parameters, plan.table, plan.head), work.outputs)
    add_product(weight(parameters, plan.table, plan.head), work.pooled, work.packed, work.outputs)


@compiled
def _embed(plan: Plan, parameters: Array, work: Workspace) -> None:
    stream = slot(work.stream, 0)
    batch = stream.shape[1] // plan.tokens
    for i in range(plan.width):
        for t in range(plan.tokens):
            place, row = parameters[plan.places + t * plan.width + i], stream[i, t * batch : (t + 1) * batch]
            for b in range(batch):
                row[b] = place
    add_product(weight(parameters, plan.table, 0), work.inputs, work.packed, stream)


@compiled
def _sublayer(plan: Plan, parameters: Array, sublayer: int, work: Workspace) -> None:
    stream, after = slot(work.stream, sublayer), slot(work.stream, sublayer + 1)
    layer, of_kind = 1 + 2 * sublayer, sublayer // 2
    inputs = stream
    if plan.pre_norm:
        inputs = slot(work.normal, sublayer)
        layer_norm(stream, slot(work.scale, sublayer), work.sums, inputs)
    if sublayer % 2 == 0:
        queries, collected = slot(work.queries, of_kind), slot(work.mixed, of_kind)
        fill(bias(parameters, plan.table, layer), queries)
        add_product(weight(parameters, plan.table, layer), inputs, work.packed, queries)
        attend(queries, plan.causal, slot(work.shares, of_kind), collected)
    else:
        collected = slot(work.hidden, of_kind)
        before = work.before[: collected.shape[0]]
        fill(bias(parameters, plan.table, layer), before)
        add_product(weight(parameters, plan.table, layer), inputs, work.packed, before)
        activate(RELU, before, collected)
    if plan.branch_norm:
        branch, joined = work.before[: plan.width], slot(work.joined, sublayer)
        fill(bias(parameters, plan.table, layer + 1), branch)
        add_product(weight(parameters, plan.table, layer + 1), collected, work.packed, branch)
        layer_norm(branch, slot(work.joined_scale, sublayer), work.sums, joined)
        copy(stream, after)
        add_to(joined, after)
    elif plan.pre_norm:
        copy(stream, after)
        _add_layer(plan, parameters, layer + 1, collected, after, work)
    else:
        total = work.before[: plan.width]
        copy(stream, total)
        scale_all(plan.carry, total)
        _add_layer(plan, parameters, layer + 1, collected, total, work)
        layer_norm(total, slot(work.scale, sublayer), work.sums, after)


@compiled
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
