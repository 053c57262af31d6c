"""The forward pass: from inputs to outputs, leaving in the workspace what the backward pass needs."""

import numpy as np

from sims.engines.kernels.activations import RELU, activate, logistic
from sims.engines.kernels.compiled import enclosed, inlined
from sims.engines.kernels.elementwise import add_to, copy
from sims.engines.kernels.layers import bias, linear, weight
from sims.engines.kernels.norms import batch_norm, layer_norm
from sims.engines.kernels.views import rows, slot, view
from sims.engines.perceptrons.kernels.joins import add_kept, add_weighted, pass_gate
from sims.engines.perceptrons.kernels.shapes import (
    ADDITIVE,
    BATCH,
    DENSE,
    DROPOUT,
    HIGHWAY,
    LAYER,
    LINEAR,
    NO_NORM,
    NONE,
    PERI_LAYER,
    POST_LAYER,
    PRE_LAYER,
    REZERO,
    Plan,
    Workspace,
)

Array = np.ndarray


@inlined
def stream_at(plan: Plan, workspace: Workspace, block: int) -> Array:
    """Return a view (width, B) of the stream after that many blocks; a dense stream has more rows with every block."""
    return rows(slot(workspace.stream, block), plan.width + block * plan.growth)


@inlined
def value_of(plan: Plan, workspace: Workspace, layer: int) -> Array:
    """Return a view (width, B) of a layer's output inside its branch; (growth, B) for dense, after the stem."""
    return rows(slot(workspace.value, layer), plan.growth if plan.skip == DENSE and layer > 0 else plan.width)


@inlined
def branch_of(plan: Plan, workspace: Workspace, block: int) -> Array:
    """Return a view (width, B) of a branch's output, before the second norm of Peri-LN; (growth, B) for dense."""
    if plan.activation_first:
        return rows(slot(workspace.branch, block), plan.growth if plan.skip == DENSE else plan.width)
    return value_of(plan, workspace, (block + 1) * plan.layers_per_block)


@inlined
def activated_of(plan: Plan, workspace: Workspace, block: int) -> Array:
    """Return a view (width, B) of the φ(N(h)) that enters a block's layer where the activation comes first, with the
    rows of `stream_at`."""
    return rows(slot(workspace.value, block + 1), plan.width + block * plan.growth)


@inlined
def normal_of(workspace: Workspace, layer: int, features: int) -> Array:
    """Return a view (features, B) of the output of the norm in a layer, or before it."""
    return rows(slot(workspace.normal, layer), features)


@enclosed
def forward(plan: Plan, parameters: Array, workspace: Workspace) -> None:
    """Compute the outputs for `workspace.inputs` (features, B), into `workspace.outputs` (outputs, B)."""
    first = stream_at(plan, workspace, 0)
    if plan.activation_first:
        _linear(plan, parameters, plan.stem, workspace.inputs, workspace, first)
    else:
        _layer(plan, parameters, plan.stem, workspace.inputs, plan.activation, first, workspace)
    for block in range(plan.blocks):
        _block(plan, parameters, block, workspace)
    last = stream_at(plan, workspace, plan.blocks)
    if plan.activation_first:
        _activate_first(
            plan.norm if plan.norm == BATCH else PRE_LAYER if plan.final_norm else NO_NORM,
            last,
            workspace.frozen,
            slot(workspace.mean, plan.stem),
            slot(workspace.batch_scale, plan.stem),
            workspace.final_scale,
            normal_of(workspace, plan.stem, last.shape[0]),
            plan.activation,
            workspace.least[0],
            workspace.last,
        )
        last = workspace.last
    elif plan.final_norm:
        layer_norm(last, workspace.final_scale, workspace.last)
        last = workspace.last
    _linear(plan, parameters, plan.head, last, workspace, workspace.answers)
    activate(plan.head_activation, workspace.answers, workspace.least[0], workspace.outputs)


@inlined
def _linear(plan: Plan, parameters: Array, layer: int, inputs: Array, workspace: Workspace, out: Array) -> None:
    """out = W inputs + b"""
    linear(weight(parameters, plan.table, layer), bias(parameters, plan.table, layer), inputs, workspace.packed, out)


@inlined
def _layer(
    plan: Plan, parameters: Array, layer: int, inputs: Array, activation: int, out: Array, workspace: Workspace
) -> None:
    """out = φ(N(W inputs + b))"""
    _transform(
        plan.norm,
        weight(parameters, plan.table, layer),
        bias(parameters, plan.table, layer),
        inputs,
        workspace.packed,
        rows(workspace.before, out.shape[0]),
        normal_of(workspace, layer, out.shape[0]),
        workspace.frozen,
        slot(workspace.mean, layer),
        slot(workspace.batch_scale, layer),
        slot(workspace.point_scale, layer),
        activation,
        workspace.least[0],
        out,
    )


@enclosed
def _transform(
    norm: int,
    weights: Array,
    biases: Array,
    inputs: Array,
    packed: Array,
    before: Array,
    normal: Array,
    frozen: bool,
    mean: Array,
    batch_scale: Array,
    point_scale: Array,
    activation: int,
    least: float,
    out: Array,
) -> None:
    """`_layer` with its arrays as separate arguments: passing the workspace would cost as much as a small product."""
    linear(weights, biases, inputs, packed, before)
    if norm == BATCH:
        batch_norm(before, frozen, mean, batch_scale, normal)
        before = normal
    elif norm == LAYER:
        layer_norm(before, point_scale, normal)
        before = normal
    activate(activation, before, least, out)


@enclosed
def _activate_first(
    norm: int,
    stream: Array,
    frozen: bool,
    mean: Array,
    batch_scale: Array,
    point_scale: Array,
    normal: Array,
    activation: int,
    least: float,
    out: Array,
) -> None:
    """out = φ(N(stream)); a norm writes its output to `normal`."""
    if norm == BATCH:
        batch_norm(stream, frozen, mean, batch_scale, normal)
        stream = normal
    elif norm in (PRE_LAYER, PERI_LAYER):
        layer_norm(stream, point_scale, normal)
        stream = normal
    activate(activation, stream, least, out)


@inlined
def _block(plan: Plan, parameters: Array, block: int, workspace: Workspace) -> None:
    stream, after = stream_at(plan, workspace, block), stream_at(plan, workspace, block + 1)
    layer = 1 + block * plan.layers_per_block
    branch, scale = stream, slot(workspace.point_scale, layer)
    if plan.activation_first:
        activated, branch = activated_of(plan, workspace, block), branch_of(plan, workspace, block)
        _activate_first(
            plan.norm,
            stream,
            workspace.frozen,
            slot(workspace.mean, layer),
            slot(workspace.batch_scale, layer),
            scale,
            normal_of(workspace, layer, stream.shape[0]),
            plan.activation,
            workspace.least[0],
            activated,
        )
        _linear(plan, parameters, layer, activated, workspace, branch)
    else:
        if plan.norm == PRE_LAYER or plan.norm == PERI_LAYER:
            branch = normal_of(workspace, layer, stream.shape[0])
            layer_norm(stream, scale, branch)
        for inside in range(plan.layers_per_block):
            inputs, branch = branch, value_of(plan, workspace, layer + inside)
            activation = plan.last_activation if inside else plan.activation
            _layer(plan, parameters, layer + inside, inputs, activation, branch, workspace)
    if plan.norm == PERI_LAYER:
        joined = slot(workspace.joined, block)
        layer_norm(branch, slot(workspace.joined_scale, block), joined)
        branch = joined
    # He's unit in its usual form: the ReLU is taken while summing, which saves a pass over the array. In all other
    # cases a norm or activation after the sum needs the sum in an array of its own.
    rectified = plan.original and plan.skip == ADDITIVE and plan.activation == RELU
    directly = rectified or not (plan.original or plan.norm == POST_LAYER)
    total = after if directly else rows(workspace.before, plan.width)
    _combine(plan, parameters, block, stream, branch, rectified, total, workspace)
    if directly:
        return
    if plan.original:
        activate(plan.activation, total, workspace.least[0], after)
    else:
        layer_norm(total, scale, after)


@inlined
def _combine(
    plan: Plan,
    parameters: Array,
    block: int,
    stream: Array,
    branch: Array,
    rectified: bool,
    out: Array,
    workspace: Workspace,
) -> None:
    """Join the stream and the branch as the skip does; a weighted sum goes through ReLU if `rectified`."""
    if plan.skip == NONE:
        copy(branch, out)
    # All blocks of a dense network share one slot of the stream, so appending is enough.
    elif plan.skip == DENSE:
        copy(branch, view(out, stream.size, branch.shape))
    elif plan.skip == HIGHWAY or plan.skip == LINEAR:
        beside = plan.head + 1 + block
        result = slot(workspace.gate, block) if plan.skip == HIGHWAY else out
        linear(
            weight(parameters, plan.table, beside),
            bias(parameters, plan.table, beside),
            stream,
            workspace.packed,
            result,
        )
        if plan.skip == HIGHWAY:
            logistic(result)
            pass_gate(result, stream, branch, out)
        else:
            add_to(branch, out)
    # Without gates this is an evaluation, in which nothing is dropped: a plain sum.
    elif plan.skip == DROPOUT and workspace.gate.shape[0]:
        add_kept(slot(workspace.gate, block), stream, branch, out)
    else:
        factor = parameters[plan.factors + block] if plan.skip == REZERO else parameters.dtype.type(plan.factor)
        add_weighted(parameters.dtype.type(plan.carry), stream, factor, branch, rectified, out)
