"""The compiled loop over the steps of a transformer: forward, loss, backward, update, for every seed."""

import numpy as np

from sims.engines.kernels.compiled import compiled
from sims.engines.kernels.elementwise import copy
from sims.engines.kernels.layers import weight
from sims.engines.kernels.losses import judged, loss_and_gradient
from sims.engines.kernels.overflows import FINITE, note_overflow
from sims.engines.kernels.subnormals import control, flush_subnormals, hides, set_control
from sims.engines.kernels.sums import norm_of
from sims.engines.kernels.views import slot
from sims.engines.perceptrons.kernels.steps import gather_labels, root_mean_square, settle
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
    # Flushing is a setting of the whole thread, so it is restored at the end.
    before, gradient = control(), slot(gradients, 0)
    for seed in range(parameters.shape[0]):
        for step in range(max(rates.size, 1)):
            if overflows[seed, 1] != FINITE:
                break
            order = slot(slot(orders, seed), step)
            gather(points, order, workspace.inputs)
            gather_labels(labels, order, workspace.labels)
            last = step >= rates.size - 1
            # Without rates nothing is trained: measure with subnormal numbers right away.
            flush_subnormals(rates.size > 0)
            mean = one_pass(
                plan,
                loss,
                slot(parameters, seed),
                workspace.labels,
                workspace,
                last,
                gradient,
                slot(weight_gradients, seed),
                slot(stream_gradients, seed),
            )
            length = norm_of(gradient)
            finite = np.isfinite(mean) and np.isfinite(length)
            measured = last or not finite
            if measured:
                measure_activations(workspace.stream, slot(activations, seed))
            norms = slot(weight_gradients, seed), slot(stream_gradients, seed), slot(activations, seed)
            # Repeat the pass in two cases. If a step before the last is not finite, repeat it with the same flushing,
            # now with measures: they tell which sublayer was first. If the last step is finite but flushing may have
            # hidden something, repeat it without flushing. The repeated gradient goes to `gradients[1]`, so that the
            # step itself still uses the first one.
            if (not last) if not finite else (rates.size > 0 and last and hides(*norms)):
                flush_subnormals(not finite)
                one_pass(
                    plan,
                    loss,
                    slot(parameters, seed),
                    workspace.labels,
                    workspace,
                    measured,
                    slot(gradients, 1),
                    slot(weight_gradients, seed),
                    slot(stream_gradients, seed),
                )
                measure_activations(workspace.stream, slot(activations, seed))
                flush_subnormals(True)
            if not finite:
                note_overflow(
                    first_step + step + 1,
                    mean,
                    length,
                    slot(weight_gradients, seed),
                    slot(activations, seed),
                    slot(overflows, seed),
                )
            # Without rates, the only "step" is no step: it was measured, and nothing is updated.
            elif step < rates.size:
                losses[step, seed] = mean
                settle(
                    optimizer,
                    rates[step],
                    clip,
                    first_step + step + 1,
                    length,
                    gradient,
                    slot(parameters, seed),
                    slot(first, seed),
                    slot(second, seed),
                )
    set_control(before)


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
