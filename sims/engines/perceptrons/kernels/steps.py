"""The compiled loop over steps: forward, loss, backward, update, for every seed."""

import numpy as np

from sims.engines.kernels.activations import TANH, activate_back
from sims.engines.kernels.compiled import compiled, enclosed
from sims.engines.kernels.elementwise import copy
from sims.engines.kernels.layers import weight
from sims.engines.kernels.losses import judged, loss_and_gradient
from sims.engines.kernels.negligible import NEGLIGIBLE
from sims.engines.kernels.overflows import FINITE
from sims.engines.kernels.sums import norm_of
from sims.engines.kernels.training import finish_step, gather_labels, needs_measuring, root_mean_square
from sims.engines.kernels.views import rows, slot, view
from sims.engines.perceptrons.kernels.backward import backward
from sims.engines.perceptrons.kernels.forward import forward
from sims.engines.perceptrons.kernels.shapes import DROPOUT, Plan, Workspace

Array = np.ndarray


@enclosed
def gather(points: Array, order: Array, out: Array) -> None:
    """out (features, B) = the columns `order` (B,) of points (features, n)."""
    for i in range(points.shape[0]):
        for j in range(order.size):
            out[i, j] = points[i, order[j]]


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

    Fills `gradient` (P,) and, if it `measures`, the norms `weight_gradients` (layers,) and `stream_gradients`
    (blocks + 1,).
    """
    forward(plan, parameters, workspace)
    # The loss overwrites the outputs with its gradient, but the derivative of a final tanh needs them.
    if plan.head_activation == TANH:
        copy(workspace.outputs, workspace.answers)
    mean = loss_and_gradient(loss, workspace.outputs, labels)
    if plan.head_activation == TANH:
        activate_back(plan.head_activation, workspace.answers, workspace.least[0], workspace.outputs)
    backward(plan, parameters, workspace, measures, gradient, stream_gradients)
    if measures:
        for layer in range(weight_gradients.size):
            weight_gradients[layer] = norm_of(weight(gradient, plan.table, layer))
    return mean


@compiled
def measure_activations(stream: Array, width: int, growth: int, activations: Array) -> None:
    """Write the root mean square of the stream (slots, w, B) after the stem and after each block to `activations`
    (blocks + 1,). A dense stream has `growth` more rows after each block; for the others it is 0."""
    for block in range(activations.size):
        activations[block] = root_mean_square(rows(slot(stream, block), width + block * growth))


@compiled
def draw_dropout(dropped: float, seed: int, step: int, gate: Array) -> None:
    """Draw the dropout factor of every number on the skips, 0 or 1/(1 − dropped), into `gate` (blocks, w, B).

    It depends only on seed, step and index, so a run is the same however it is cut: the bits of a counter, mixed as
    SplitMix64 does (Steele et al. 2014, figure 13).
    """
    # Large odd constants keep the counters of different seeds and steps apart.
    whole = np.uint64(seed) * np.uint64(0xD1342543DE82EF95) + np.uint64(step) * np.uint64(0x9E3779B97F4A7C15)
    scale, none = gate.dtype.type(1 / (1 - dropped)), gate.dtype.type(0)
    flat = view(gate, 0, (gate.size,))
    for index in range(flat.size):
        bits = whole + np.uint64(index + 1) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        bits ^= bits >> np.uint64(31)
        # The upper 53 bits, as a number from 0 to below 1.
        flat[index] = none if np.float64(bits >> np.uint64(11)) * 2.0**-53 < dropped else scale


@compiled
def run(
    plan: Plan,
    loss: int,
    optimizer: int,
    rates: Array,
    clip: float,
    first_step: int,
    seeds: Array,
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
    """Take the steps first_step + 1, ... of every seed, in place.

    rates (steps,) are the learning rates, `clip` the largest norm of a gradient (infinity: any). seeds (seeds,) are the
    numbers that dropout is drawn from. points (features, n), labels (n,) are the training set, orders (seeds, steps, B)
    the points of each batch. parameters, first, second are (seeds, P), gradients (2, P) is scratch space. If there are
    no rates, the first batch is only measured. losses is (steps, seeds); weight_gradients (seeds, layers),
    stream_gradients and activations (seeds, blocks + 1) are those of the last step. A seed that has diverged, according
    to its row of overflows (seeds, 3), is skipped. If a seed diverges, its step, quantity and index are written there,
    and it keeps its parameters.

    Only the last step is measured. Training counts negligible numbers as zero. If that may have changed the measures,
    the batch is passed through once more, only to measure; so the steps are the same wherever a run is cut. A step that
    is not finite is also repeated, to find where that began.
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
            if plan.skip == DROPOUT:
                draw_dropout(plan.dropped, seeds[seed], first_step + step, workspace.gate)
            last = step >= rates.size - 1
            # Without rates nothing is trained: measure with all numbers right away.
            workspace.least[0] = NEGLIGIBLE if trains else 0.0
            gradient = slot(gradients, 0)
            mean = one_pass(
                plan, loss, parameters_now, workspace.labels, workspace, last, gradient, weights_now, stream_now
            )
            length = norm_of(gradient)
            if last:
                measure_activations(workspace.stream, plan.width, plan.growth, activations_now)
            if trains and needs_measuring(last, mean, length, weights_now, stream_now, activations_now):
                workspace.least[0] = 0.0
                # The gradient of this pass goes elsewhere, so that the step itself uses the first one.
                beside = slot(gradients, 1)
                one_pass(plan, loss, parameters_now, workspace.labels, workspace, True, beside, weights_now, stream_now)
                measure_activations(workspace.stream, plan.width, plan.growth, activations_now)
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
    parameters: Array,
    workspace: Workspace,
    losses: Array,
    errors: Array,
) -> None:
    """Write mean loss and share of wrong answers of every seed over points (features, B) to losses, errors (seeds,).

    If `errors` is empty, wrong answers are not counted.
    """
    copy(points, workspace.inputs)
    for seed in range(parameters.shape[0]):
        forward(plan, slot(parameters, seed), workspace)
        losses[seed], wrong = judged(loss, workspace.outputs, labels, workspace.labels, errors.size > 0)
        if errors.size:
            errors[seed] = wrong


@compiled
def answer(
    plan: Plan,
    training_points: Array,
    points: Array,
    parameters: Array,
    training_workspace: Workspace,
    workspace: Workspace,
    outputs: Array,
) -> None:
    """Write outputs (seeds, outputs, B) for points (features, B), with batch-norm statistics of the training points.

    The two workspaces share their means and scales, and the second is frozen: the first pass writes the statistics, the
    second uses them.
    """
    for seed in range(parameters.shape[0]):
        copy(training_points, training_workspace.inputs)
        forward(plan, slot(parameters, seed), training_workspace)
        copy(points, workspace.inputs)
        forward(plan, slot(parameters, seed), workspace)
        copy(workspace.outputs, slot(outputs, seed))
