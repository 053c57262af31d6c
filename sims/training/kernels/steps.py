"""The compiled loop over steps: forward, loss, backward, update, for every seed."""

import numpy as np

from sims.training.kernels.activations import TANH, activate_back, copy
from sims.training.kernels.backward import backward
from sims.training.kernels.compiled import compiled, inlined
from sims.training.kernels.forward import forward, stream_at, weight
from sims.training.kernels.losses import loss_and_gradient, wrong_answers
from sims.training.kernels.optimizers import update
from sims.training.kernels.shapes import Plan, Workspace
from sims.training.kernels.sums import norm_of

Array = np.ndarray

FINITE, ACTIVATIONS, LOSS, GRADIENT = 0, 1, 2, 3
"""What left the finite numbers first"""


@compiled
def gather(points: Array, order: Array, out: Array) -> None:
    """out (features, B) = the columns `order` (B,) of points (features, n)."""
    for i in range(points.shape[0]):
        for j in range(order.size):
            out[i, j] = points[i, order[j]]


@compiled
def root_mean_square(values: Array) -> float:
    return norm_of(values) / np.sqrt(values.size)


@inlined
def one_pass(
    plan: Plan,
    loss: int,
    parameters: Array,
    labels: Array,
    work: Workspace,
    gradient: Array,
    weight_gradients: Array,
    stream_gradients: Array,
) -> float:
    """Forward and backward for the batch in `work.inputs`; the loss.

    Fills `gradient` (P,), and the norms `weight_gradients` (layers,) and `stream_gradients` (blocks + 1,).
    """
    forward(plan, parameters, work)
    if plan.head_activation == TANH:
        copy(work.outputs, work.answers)
    mean = loss_and_gradient(loss, work.outputs, labels)
    if plan.head_activation == TANH:
        activate_back(plan.head_activation, work.answers, work.outputs)
    backward(plan, parameters, work, gradient, stream_gradients)
    for layer in range(weight_gradients.size):
        weight_gradients[layer] = norm_of(weight(gradient, plan.table, layer))
    return mean


@compiled
def measure_activations(plan: Plan, work: Workspace, activations: Array) -> None:
    """The root mean square of the stream after the stem and after each block, into `activations` (blocks + 1,)."""
    for block in range(activations.size):
        activations[block] = root_mean_square(stream_at(plan, work, block))


@compiled
def place_of_overflow(mean: float, length: float, weight_gradients: Array, activations: Array) -> tuple[int, int]:
    """What is not finite, and where: the block or the layer."""
    if not np.isfinite(mean):
        for block in range(activations.size):
            if not np.isfinite(activations[block]):
                return ACTIVATIONS, block
        return LOSS, 0
    if not np.isfinite(length):
        for layer in range(weight_gradients.size - 1, -1, -1):
            if not np.isfinite(weight_gradients[layer]):
                return GRADIENT, layer
        return GRADIENT, 0
    return FINITE, 0


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
    work: Workspace,
    gradient: Array,
    losses: Array,
    weight_gradients: Array,
    stream_gradients: Array,
    activations: Array,
    overflows: Array,
) -> None:
    """Take the steps first_step + 1, ... of every seed, in place.

    rates (steps,) are the learning rates, `clip` the longest gradient (infinity: any). points (features, n), labels
    (n,) are the training set, orders (seeds, steps, B) the points of each batch. parameters, first, second are
    (seeds, P). With no rates at all the first batch is only measured. losses is (steps, seeds); weight_gradients
    (seeds, layers), stream_gradients and activations (seeds, blocks + 1) are those of the last step. A seed whose row
    of overflows (seeds, 3) says that it has diverged is passed over; one that diverges notes its step, what and where
    there, and keeps its parameters.
    """
    for seed in range(parameters.shape[0]):
        for step in range(max(rates.size, 1)):
            if overflows[seed, 1] != FINITE:
                break
            order = orders[seed, step]
            gather(points, order, work.inputs)
            for j in range(order.size):
                work.labels[j] = labels[order[j]]
            mean = one_pass(
                plan, loss, parameters[seed], work.labels, work,
                gradient, weight_gradients[seed], stream_gradients[seed],
            )  # fmt: skip
            length = norm_of(gradient)
            broken = not (np.isfinite(mean) and np.isfinite(length))
            if broken or step >= rates.size - 1:
                measure_activations(plan, work, activations[seed])
            if broken:
                overflows[seed, 0] = first_step + step + 1
                overflows[seed, 1], overflows[seed, 2] = place_of_overflow(
                    mean, length, weight_gradients[seed], activations[seed]
                )
            elif step < rates.size:
                losses[step, seed] = mean
                scale = clip / (length + 1e-6)
                if scale < 1:
                    for i in range(gradient.size):
                        gradient[i] *= parameters.dtype.type(scale)
                update(
                    optimizer, rates[step], first_step + step + 1,
                    gradient, parameters[seed], first[seed], second[seed],
                )  # fmt: skip


@compiled
def evaluate(
    plan: Plan, loss: int, points: Array, labels: Array, parameters: Array, work: Workspace, losses: Array,
    errors: Array,
) -> None:  # fmt: skip
    """Mean loss and share of wrong answers of every seed over points (features, B), into losses and errors (seeds,)."""
    copy(points, work.inputs)
    for seed in range(parameters.shape[0]):
        forward(plan, parameters[seed], work)
        errors[seed] = wrong_answers(work.outputs, labels) / labels.size
        losses[seed] = loss_and_gradient(loss, work.outputs, labels)


@compiled
def answer(
    plan: Plan, training_points: Array, points: Array, parameters: Array, training_work: Workspace, work: Workspace,
    outputs: Array,
) -> None:  # fmt: skip
    """Outputs (seeds, outputs, B) for points (features, B), with the batch-norm statistics of the training points.

    The two workspaces share their means and scales, and the second is frozen.
    """
    for seed in range(parameters.shape[0]):
        copy(training_points, training_work.inputs)
        forward(plan, parameters[seed], training_work)
        copy(points, work.inputs)
        forward(plan, parameters[seed], work)
        copy(work.outputs, outputs[seed])
