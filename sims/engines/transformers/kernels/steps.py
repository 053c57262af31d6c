"""The compiled loop over the steps of a transformer: forward, loss, backward, update, for every seed."""

import numpy as np

from sims.engines.kernels.compiled import compiled
from sims.engines.kernels.elementwise import copy
from sims.engines.kernels.layers import weight
from sims.engines.kernels.losses import judged, loss_and_gradient
from sims.engines.kernels.negligible import NEGLIGIBLE
from sims.engines.kernels.overflows import FINITE
from sims.engines.kernels.sums import norm_of
from sims.engines.kernels.training import finish_step, gather_labels, needs_measuring, root_mean_square
from sims.engines.kernels.views import slot
from sims.engines.transformers.kernels.backward import backward
from sims.engines.transformers.kernels.forward import forward
from sims.engines.transformers.kernels.shapes import Plan, Workspace

Array = np.ndarray


@compiled
def gather(points: Array, order: Array, out: Array) -> None:
    """out (features of a token, T B) = the tokens of the points (B,) in `order`; points is (T, features, n)."""
    batch = order.size
    for t in range(points.shape[0]):
        for i in range(points.shape[1]):
            for b in range(batch):
                out[i, t * batch + b] = points[t, i, order[b]]


@compiled
def one_pass(
    plan: Plan,
    loss: int,
    parameters: Array,
    labels: Array,
    workspace: Workspace,
    measures: bool,
    gradient: Array,
    weight_gradients: Array,
    stream_gradients: Array,
) -> float:
    """Run forward and backward for the batch in `workspace.inputs`, and return the loss.

    Fills `gradient` (P,) and, if it `measures`, the norms `weight_gradients` (depth + 2,) and `stream_gradients`
    (depth + 1,).
    """
    forward(plan, parameters, workspace)
    mean = loss_and_gradient(loss, workspace.outputs, labels)
    backward(plan, parameters, workspace, measures, gradient, stream_gradients)
    if measures:
        weight_gradients[0] = norm_of(weight(gradient, plan.table, 0))
        # A sublayer counts as one: the norm of its two weight matrices together.
        for sublayer in range(plan.depth):
            first = norm_of(weight(gradient, plan.table, 1 + 2 * sublayer))
            second = norm_of(weight(gradient, plan.table, 2 + 2 * sublayer))
            weight_gradients[1 + sublayer] = np.sqrt(first * first + second * second)
        weight_gradients[plan.depth + 1] = norm_of(weight(gradient, plan.table, plan.head))
    return mean


@compiled
def measure_activations(stream: Array, activations: Array) -> None:
    """Write the root mean square of the stream (slots, width, T B) after the embedding and each sublayer to
    `activations` (depth + 1,)."""
    for sublayer in range(activations.size):
        activations[sublayer] = root_mean_square(slot(stream, sublayer))


@compiled
def run(
    plan: Plan,
    loss: int,
    optimizer: int,
    rates: Array,
    clip: float,
    first_step: int,
    points: Array,
    labels: Array,
    orders: Array,
    parameters: Array,
    first: Array,
    second: Array,
    workspace: Workspace,
    gradients: Array,
    losses: Array,
    weight_gradients: Array,
    stream_gradients: Array,
    activations: Array,
    overflows: Array,
) -> None:
    """Take the steps first_step + 1, ... of every seed, in place, as `run` of the perceptrons does.

    The arguments are the same, except that there is no dropout, points are (T, features of a token, n), and
    weight_gradients is (seeds, depth + 2).
    """
    trains = rates.size > 0
    for seed in range(parameters.shape[0]):
        parameters_now, activations_now = slot(parameters, seed), slot(activations, seed)
        weights_now, stream_now = slot(weight_gradients, seed), slot(stream_gradients, seed)
        for step in range(max(rates.size, 1)):
            if overflows[seed, 1] != FINITE:
                break
            order = slot(slot(orders, seed), step)
            gather(points, order, workspace.inputs)
            gather_labels(labels, order, workspace.labels)
            last = step >= rates.size - 1
            # Without rates nothing is trained: measure with all numbers right away.
            workspace.least[0] = NEGLIGIBLE if trains else 0.0
            gradient = slot(gradients, 0)
            mean = one_pass(
                plan, loss, parameters_now, workspace.labels, workspace, last, gradient, weights_now, stream_now
            )
            length = norm_of(gradient)
            if last:
                measure_activations(workspace.stream, activations_now)
            if trains and needs_measuring(last, mean, length, weights_now, stream_now, activations_now):
                workspace.least[0] = 0.0
                # The gradient of this pass goes elsewhere, so that the step itself uses the first one.
                beside = slot(gradients, 1)
                one_pass(plan, loss, parameters_now, workspace.labels, workspace, True, beside, weights_now, stream_now)
                measure_activations(workspace.stream, activations_now)
            finish_step(
                optimizer,
                rates,
                clip,
                first_step,
                step,
                mean,
                length,
                gradient,
                weights_now,
                activations_now,
                parameters_now,
                slot(first, seed),
                slot(second, seed),
                losses[:, seed],
                slot(overflows, seed),
            )


@compiled
def evaluate(
    plan: Plan,
    loss: int,
    points: Array,
    labels: Array,
    order: Array,
    parameters: Array,
    workspace: Workspace,
    losses: Array,
    errors: Array,
) -> None:
    """Write mean loss and share of wrong answers of every seed over points in `order` to losses, errors (seeds,)."""
    gather(points, order, workspace.inputs)
    for seed in range(parameters.shape[0]):
        forward(plan, slot(parameters, seed), workspace)
        losses[seed], errors[seed] = judged(loss, workspace.outputs, labels, workspace.labels, True)


@compiled
def answer(plan: Plan, points: Array, order: Array, parameters: Array, workspace: Workspace, outputs: Array) -> None:
    """Write outputs (seeds, outputs, B) for the points in `order`; points is (T, features of a token, n)."""
    gather(points, order, workspace.inputs)
    for seed in range(parameters.shape[0]):
        forward(plan, slot(parameters, seed), workspace)
        copy(workspace.outputs, slot(outputs, seed))
