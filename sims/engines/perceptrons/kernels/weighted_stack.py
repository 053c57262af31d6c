"""The kernels of a stack whose skips have a weight each: forward, backward and update for every seed."""

from typing import NamedTuple

import numpy as np

from sims.engines.kernels.activations import RELU, activate, activate_back
from sims.engines.kernels.compiled import compiled, inlined
from sims.engines.kernels.elementwise import copy, scale_all, scaled
from sims.engines.kernels.layers import bias, inputs_back, linear, linear_back, weight
from sims.engines.kernels.losses import CROSS_ENTROPY, judged, loss_and_gradient
from sims.engines.kernels.negligible import NEGLIGIBLE
from sims.engines.kernels.norms import layer_norm, layer_norm_back
from sims.engines.kernels.optimizers import ADAM, update
from sims.engines.kernels.sums import inner_product, norm_of
from sims.engines.kernels.training import gather_labels
from sims.engines.kernels.views import rows, slot
from sims.engines.perceptrons.kernels.joins import add_weighted
from sims.engines.perceptrons.kernels.steps import gather

Array = np.ndarray


class Plan(NamedTuple):
    """A stack in numbers and flags."""

    table: np.ndarray
    """(layers, 4) rows, columns, weight offset, bias offset or -1; stem, two layers of each block, head"""
    skips: int
    """Offset of λ, one for each block"""
    blocks: int
    norm: bool
    """Whether a LayerNorm precedes every branch and the head"""
    factor: float
    """α, of all branches"""
    learned: bool
    """Whether λ is learned"""


class Workspace(NamedTuple):
    """Arrays of one pass over a batch of B points.

    For a backward pass there is a slot for each block; otherwise one, or two of the stream: slot = number % slots.
    """

    inputs: np.ndarray
    """(features, B)"""
    stream: np.ndarray
    """(slots, width, B) h after the stem and after each block"""
    normal: np.ndarray
    """(slots, width, B) the outputs of the norms; no slots without norms"""
    scale: np.ndarray
    """(slots, B) 1/σ of the norms"""
    hidden: np.ndarray
    """(slots, width, B) relu(W₁ N(h)) of each block"""
    branch: np.ndarray
    """(width, B) the output of a branch, or the gradient with respect to it"""
    before: np.ndarray
    """(width, B) what enters the ReLU, or the gradient with respect to it"""
    change: np.ndarray
    """(width, B) gradient with respect to the stream"""
    outputs: np.ndarray
    """(classes, B); the loss puts its gradient there"""
    labels: np.ndarray
    """(B,) int64"""
    packed: np.ndarray
    """(most inputs or outputs of a layer, TILE) scratch space of `matmul.product`"""


@inlined
def entering(plan: Plan, workspace: Workspace, block: int) -> Array:
    """Return a view (width, B) of what a branch, or after the last block the head, reads: the stream or its norm."""
    return slot(workspace.normal, block) if plan.norm else slot(workspace.stream, block)


@compiled
def forward(plan: Plan, parameters: Array, workspace: Workspace) -> None:
    """Compute `workspace.outputs` (classes, B) for `workspace.inputs` (features, B): h ← λ h + α W₂ relu(W₁ N(h)), with
    h (width, B), between stem and head."""
    table, packed, number = plan.table, workspace.packed, parameters.dtype.type
    before, branch = workspace.before, workspace.branch
    linear(
        weight(parameters, table, 0), bias(parameters, table, 0), workspace.inputs, packed, slot(workspace.stream, 0)
    )
    for block in range(plan.blocks):
        stream, hidden, layer = slot(workspace.stream, block), slot(workspace.hidden, block), 1 + 2 * block
        if plan.norm:
            layer_norm(stream, slot(workspace.scale, block), slot(workspace.normal, block))
        read = entering(plan, workspace, block)
        linear(weight(parameters, table, layer), bias(parameters, table, layer), read, packed, before)
        activate(RELU, before, NEGLIGIBLE, hidden)
        linear(weight(parameters, table, layer + 1), bias(parameters, table, layer + 1), hidden, packed, branch)
        after = slot(workspace.stream, block + 1)
        add_weighted(parameters[plan.skips + block], stream, number(plan.factor), branch, False, after)
    if plan.norm:
        last = slot(workspace.stream, plan.blocks)
        layer_norm(last, slot(workspace.scale, plan.blocks), slot(workspace.normal, plan.blocks))
    head, read = 2 * plan.blocks + 1, entering(plan, workspace, plan.blocks)
    linear(weight(parameters, table, head), bias(parameters, table, head), read, packed, workspace.outputs)


@compiled
def backward(plan: Plan, parameters: Array, workspace: Workspace, gradient: Array) -> None:
    """Fill `gradient` (P,) from the workspace of a forward pass whose outputs were replaced by the loss gradient.

    Where λ is not learned, its gradient is 0.
    """
    table, packed, number = plan.table, workspace.packed, parameters.dtype.type
    change, before, branch, nothing = workspace.change, workspace.before, workspace.branch, rows(workspace.change, 0)
    head, read = 2 * plan.blocks + 1, entering(plan, workspace, plan.blocks)
    linear_back(read, workspace.outputs, weight(gradient, table, head), bias(gradient, table, head))
    inputs_back(weight(parameters, table, head), workspace.outputs, nothing, packed, change)
    if plan.norm:
        layer_norm_back(change, read, slot(workspace.scale, plan.blocks), nothing, change)
    for block in range(plan.blocks - 1, -1, -1):
        hidden, layer = slot(workspace.hidden, block), 1 + 2 * block
        # Where it is not learned, λ gets the gradient 0, with which Adam moves nothing.
        along = inner_product(change, slot(workspace.stream, block)) if plan.learned else number(0)
        gradient[plan.skips + block] = along
        scaled(number(plan.factor), change, branch)
        linear_back(hidden, branch, weight(gradient, table, layer + 1), bias(gradient, table, layer + 1))
        inputs_back(weight(parameters, table, layer + 1), branch, nothing, packed, before)
        activate_back(RELU, hidden, NEGLIGIBLE, before)
        read = entering(plan, workspace, block)
        linear_back(read, before, weight(gradient, table, layer), bias(gradient, table, layer))
        scale_all(parameters[plan.skips + block], change)
        # What the skip has carried back is in `change`; the branch's gradient is added to it.
        if plan.norm:
            inputs_back(weight(parameters, table, layer), before, nothing, packed, branch)
            layer_norm_back(branch, read, slot(workspace.scale, block), change, change)
        else:
            inputs_back(weight(parameters, table, layer), before, change, packed, change)
    linear_back(workspace.inputs, change, weight(gradient, table, 0), bias(gradient, table, 0))


@compiled
def run(
    plan: Plan,
    rate: float,
    first_step: int,
    points: Array,
    labels: Array,
    orders: Array,
    parameters: Array,
    first: Array,
    second: Array,
    workspace: Workspace,
    gradient: Array,
    lost: Array,
) -> None:
    """Take the steps first_step + 1, ... of every seed with Adam, in place.

    points (features, n) and labels (n,) are the training set, orders (seeds, steps, B) the points of each batch;
    parameters, first, second are (seeds, P), gradient (P,) is scratch space. If a seed's loss or gradient is not
    finite, the step is written to lost (seeds,), and the seed keeps its parameters from then on.
    """
    for seed in range(parameters.shape[0]):
        now = slot(parameters, seed)
        for step in range(orders.shape[1]):
            if lost[seed]:
                break
            order = slot(slot(orders, seed), step)
            gather(points, order, workspace.inputs)
            gather_labels(labels, order, workspace.labels)
            forward(plan, now, workspace)
            loss = loss_and_gradient(CROSS_ENTROPY, workspace.outputs, workspace.labels)
            backward(plan, now, workspace, gradient)
            if not (np.isfinite(loss) and np.isfinite(norm_of(gradient))):
                lost[seed] = first_step + step + 1
                break
            update(ADAM, rate, first_step + step + 1, gradient, now, slot(first, seed), slot(second, seed))


@compiled
def evaluate(
    plan: Plan, points: Array, labels: Array, parameters: Array, workspace: Workspace, losses: Array, errors: Array
) -> None:
    """Write mean loss and share of wrong answers of every seed over points (features, B) to losses, errors (seeds,)."""
    copy(points, workspace.inputs)
    for seed in range(parameters.shape[0]):
        forward(plan, slot(parameters, seed), workspace)
        losses[seed], errors[seed] = judged(CROSS_ENTROPY, workspace.outputs, labels, workspace.labels, True)
