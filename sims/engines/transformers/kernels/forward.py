"""The forward pass of a transformer, leaving in the workspace what the backward pass needs."""

import numpy as np

from sims.engines.kernels.activations import activate
from sims.engines.kernels.compiled import enclosed, inlined
from sims.engines.kernels.elementwise import add_to, copy
from sims.engines.kernels.layers import bias, linear, weight
from sims.engines.kernels.matmul import product
from sims.engines.kernels.norms import layer_norm
from sims.engines.kernels.views import rows, slot, view
from sims.engines.transformers.kernels.attention import attend
from sims.engines.transformers.kernels.shapes import Plan, Workspace

Array = np.ndarray


@enclosed
def forward(plan: Plan, parameters: Array, workspace: Workspace) -> None:
    """Compute the outputs for `workspace.inputs` (features of a token, T B), into `workspace.outputs` (outputs, B)."""
    # The embedding's product starts from the position vectors.
    stream = slot(workspace.stream, 0)
    _fill_positions(plan.positions, plan.tokens, parameters, stream)
    embedding = weight(parameters, plan.table, 0)
    product(embedding, workspace.inputs, view(parameters, 0, (0,)), stream, workspace.packed, stream)
    for sublayer in range(plan.depth):
        _sublayer(plan, parameters, sublayer, workspace)
    last = slot(workspace.stream, plan.depth)
    if plan.final_norm:
        layer_norm(last, workspace.final_scale, workspace.final)
        last = workspace.final
    _mean_over_tokens(last, plan.tokens, workspace.pooled)
    _layer(plan, parameters, plan.head, workspace.pooled, workspace, workspace.outputs)


@enclosed
def _fill_positions(positions: int, tokens: int, parameters: Array, stream: Array) -> None:
    """Copy the position vectors, at offset `positions`, to all tokens of the stream (width, T B)."""
    width, batch = stream.shape[0], stream.shape[1] // tokens
    for i in range(width):
        for t in range(tokens):
            number, row = parameters[positions + t * width + i], stream[i, t * batch : (t + 1) * batch]
            for b in range(batch):
                row[b] = number


@inlined
def _layer(plan: Plan, parameters: Array, layer: int, inputs: Array, workspace: Workspace, out: Array) -> None:
    """out = W inputs + b"""
    linear(weight(parameters, plan.table, layer), bias(parameters, plan.table, layer), inputs, workspace.packed, out)


@inlined
def _sublayer(plan: Plan, parameters: Array, sublayer: int, workspace: Workspace) -> None:
    stream, after, scale = (
        slot(workspace.stream, sublayer),
        slot(workspace.stream, sublayer + 1),
        slot(workspace.scale, sublayer),
    )
    layer, of_kind, attends = 1 + 2 * sublayer, sublayer // 2, sublayer % 2 == 0
    inputs = stream
    if plan.pre_norm:
        inputs = slot(workspace.normal, sublayer)
        layer_norm(stream, scale, inputs)
    collected = slot(workspace.mixed, of_kind) if attends else slot(workspace.hidden, of_kind)
    before = slot(workspace.queries, of_kind) if attends else rows(workspace.before, collected.shape[0])
    _layer(plan, parameters, layer, inputs, workspace, before)
    if attends:
        attend(before, plan.causal, slot(workspace.shares, of_kind), collected)
    else:
        activate(plan.activation, before, workspace.least[0], collected)
    # Only Pre-LN has nothing after the sum, so that the sum can be written straight to the stream.
    total = after if plan.pre_norm and not plan.branch_norm else rows(workspace.before, plan.width)
    biases = bias(parameters, plan.table, layer + 1)
    # The last layer's product starts from the skip plus the biases, so the skip needs no pass of its own. Peri-LN has
    # a norm before the sum: there the product is the branch alone, and starts from the biases.
    if not plan.branch_norm:
        _carry(plan.carry, stream, biases, total)
    base = rows(total, 0 if plan.branch_norm else plan.width)
    product(weight(parameters, plan.table, layer + 1), collected, biases, base, workspace.packed, total)
    if plan.branch_norm:
        joined = slot(workspace.joined, sublayer)
        layer_norm(total, slot(workspace.joined_scale, sublayer), joined)
        copy(stream, after)
        add_to(joined, after)
    elif not plan.pre_norm:
        layer_norm(total, scale, after)


@enclosed
def _carry(carry: float, stream: Array, biases: Array, out: Array) -> None:
    """out (m, B) = carry · stream + biases (m,)"""
    factor = out.dtype.type(carry)
    for i in range(out.shape[0]):
        row, result, number = stream[i], out[i], biases[i]
        for j in range(row.size):
            result[j] = factor * row[j] + number


@enclosed
def _mean_over_tokens(values: Array, tokens: int, out: Array) -> None:
    """out (width, B) = the mean over the T tokens of values (width, T B)."""
    batch, share = out.shape[1], out.dtype.type(1 / tokens)
    for i in range(out.shape[0]):
        row = out[i]
        for b in range(batch):
            row[b] = 0
        for t in range(tokens):
            token = values[i, t * batch : (t + 1) * batch]
            for b in range(batch):
                row[b] += token[b] * share
