"""The forward pass of a language model, leaving in the workspace what the backward pass needs."""

import numpy as np

from sims.engines.kernels.compiled import compiled, enclosed, inlined
from sims.engines.kernels.elementwise import copy
from sims.engines.kernels.layers import bias, linear, weight
from sims.engines.kernels.matmul import product
from sims.engines.kernels.norms import layer_norm
from sims.engines.kernels.views import rows, slot, view
from sims.engines.language.kernels.gelu import gelu
from sims.engines.language.kernels.shapes import Plan, Workspace
from sims.engines.transformers.kernels.attention import attend

Array = np.ndarray


@compiled
def forward(plan: Plan, parameters: Array, workspace: Workspace) -> None:
    """Compute the logits of `workspace.symbols` (T B,), into `workspace.outputs` (symbols, T B)."""
    _embed(plan, parameters, workspace.symbols, slot(workspace.stream, 0))
    for branch in range(plan.branches):
        if plan.kept[branch]:
            _branch(plan, parameters, branch, workspace)
        else:
            copy(slot(workspace.stream, branch), slot(workspace.stream, branch + 1))
    layer_norm(slot(workspace.stream, plan.branches), workspace.final_scale, workspace.final)
    nothing, head = view(parameters, 0, (0,)), view(parameters, 0, (plan.symbols, plan.width))
    product(head, workspace.final, nothing, rows(workspace.outputs, 0), workspace.packed, workspace.outputs)


@enclosed
def _embed(plan: Plan, parameters: Array, symbols: Array, out: Array) -> None:
    """out (width, T B) = the vector of each symbol plus that of its position."""
    batch = symbols.size // plan.context
    for i in range(plan.width):
        for t in range(plan.context):
            place = parameters[plan.positions + t * plan.width + i]
            for column in range(t * batch, (t + 1) * batch):
                out[i, column] = parameters[symbols[column] * plan.width + i] + place


@inlined
def _branch(plan: Plan, parameters: Array, branch: int, workspace: Workspace) -> None:
    stream, after = slot(workspace.stream, branch), slot(workspace.stream, branch + 1)
    scale, block, layer = slot(workspace.scale, branch), branch // 2, 2 * branch
    inputs = stream
    if plan.pre_norm:
        inputs = slot(workspace.normal, branch)
        layer_norm(stream, scale, inputs)
    if branch % 2 == 0:
        before, collected = slot(workspace.queries, block), slot(workspace.mixed, block)
    else:
        before, collected = workspace.before, slot(workspace.hidden, block)
    linear(weight(parameters, plan.table, layer), bias(parameters, plan.table, layer), inputs, workspace.packed, before)
    if branch % 2 == 0:
        _attention(plan, parameters, block, workspace)
        if plan.mixtures >= 0:
            collected = slot(workspace.summed, block)
    else:
        gelu(before, collected, slot(workspace.slopes, block))
    # The sum is written straight to the stream, unless ReZero's α or a norm comes after the branch's last layer.
    result = after if plan.gates < 0 and not plan.post_norm else rows(workspace.before, plan.width)
    if plan.gates >= 0:
        result = slot(workspace.branch, branch)
    biases = bias(parameters, plan.table, layer + 1)
    # The last layer's product starts from the stream plus the biases, so the skip needs no pass of its own. Under
    # ReZero α multiplies the branch first, and `_gated` adds it.
    adds = plan.bases[branch] >= 0 and plan.gates < 0
    if adds:
        _begin(slot(workspace.stream, plan.bases[branch]), biases, result)
    base = rows(result, plan.width if adds else 0)
    product(weight(parameters, plan.table, layer + 1), collected, biases, base, workspace.packed, result)
    if plan.gates >= 0:
        _gated(parameters[plan.gates + branch], result, stream, after)
    elif plan.post_norm:
        layer_norm(result, scale, after)


@inlined
def _attention(plan: Plan, parameters: Array, block: int, workspace: Workspace) -> None:
    """Fill the block's `mixed`, and its `summed` if the model has one, from its queries, keys and values."""
    queries, mixed = slot(workspace.queries, block), slot(workspace.mixed, block)
    values = view(queries, 2 * mixed.size, mixed.shape)
    if plan.mixes:
        attend(queries, True, slot(workspace.shares, block), mixed)
    else:
        copy(values, mixed)
    if plan.mixtures >= 0:
        _gated(parameters[plan.mixtures + block], mixed, values, slot(workspace.summed, block))


@enclosed
def _begin(stream: Array, biases: Array, out: Array) -> None:
    """out (m, B) = stream + biases (m,)"""
    for i in range(out.shape[0]):
        row, result, number = stream[i], out[i], biases[i]
        for j in range(row.size):
            result[j] = row[j] + number


@enclosed
def _gated(gate: float, branch: Array, stream: Array, out: Array) -> None:
    """out = stream + gate · branch"""
    for i in range(out.shape[0]):
        row, addend, result = stream[i], branch[i], out[i]
        for j in range(row.size):
            result[j] = row[j] + gate * addend[j]
