"""The two losses with their gradients, and the count of wrong answers."""

import numpy as np

from sims.engines.kernels.compiled import compiled, enclosed, inlined
from sims.engines.kernels.exponentials import exponential, exponential_of, logarithm
from sims.engines.kernels.vectors import LANES, add, divide, lane, larger, load, multiply, spread, store, subtract

Array = np.ndarray

CROSS_ENTROPY, SQUARED_ERROR = 0, 1


@compiled
def loss_and_gradient(loss: int, outputs: Array, labels: Array) -> float:
    """Return the mean loss of outputs (classes or 1, B) for labels (B,); overwrite the outputs with its gradient."""
    return _cross_entropy(outputs, labels, True) if loss == CROSS_ENTROPY else _squared_error(outputs, labels)


@enclosed
def _cross_entropy(outputs: Array, labels: Array, differentiates: bool) -> float:
    """Return the mean over the points; overwrite outputs (classes, B), with the gradient if it `differentiates`."""
    zero, batch = outputs.dtype.type(0), outputs.shape[1]
    whole, share, mean = batch - batch % LANES, outputs.dtype.type(1 / batch), 0.0
    for j in range(0, whole, LANES):
        # The largest logit is subtracted from all, so that no exponential overflows.
        largest, sums = load(outputs, j), spread(zero)
        for place in range(j + batch, outputs.size, batch):
            largest = larger(largest, load(outputs, place))
        for place in range(j, outputs.size, batch):
            gap = subtract(load(outputs, place), largest)
            store(outputs, place, gap)
            sums = add(sums, exponential(gap))
        for number in range(LANES):
            mean += (logarithm(lane(sums, number)) - outputs[labels[j + number], j + number]) / batch
        if differentiates:
            factor = divide(spread(share), sums)
            for place in range(j, outputs.size, batch):
                store(outputs, place, multiply(exponential(load(outputs, place)), factor))
    # The last points, which do not fill a vector.
    for j in range(whole, batch):
        mean += _cross_entropy_of(outputs, labels[j], j, share) / batch
    # The gradient is (softmax − one-hot)/B, and the outputs hold softmax/B by now.
    if differentiates:
        for j in range(batch):
            outputs[labels[j], j] -= share
    return mean


@enclosed
def _cross_entropy_of(outputs: Array, label: int, j: int, share: float) -> float:
    """The loss of one point; its outputs become `share` times their softmax."""
    largest, total = outputs[0, j], outputs.dtype.type(0)
    for i in range(1, outputs.shape[0]):
        largest = max(largest, outputs[i, j])
    right = outputs[label, j] - largest
    for i in range(outputs.shape[0]):
        outputs[i, j] = exponential_of(outputs[i, j] - largest)
        total += outputs[i, j]
    for i in range(outputs.shape[0]):
        outputs[i, j] *= share / total
    return logarithm(total) - right


@inlined
def target(outputs: Array, label: int, i: int) -> float:
    """Return the target of output i of `outputs` (classes, B) for that label: one-hot, or -1 and 1 for a single one."""
    if outputs.shape[0] == 1:
        return outputs.dtype.type(2 * label - 1)
    return outputs.dtype.type(1 if i == label else 0)


@inlined
def _squared_error(outputs: Array, labels: Array) -> float:
    dtype = outputs.dtype.type
    share, mean = dtype(1 / outputs.shape[1]), 0.0
    for i in range(outputs.shape[0]):
        for j in range(outputs.shape[1]):
            gap = outputs[i, j] - target(outputs, labels[j], i)
            mean += 0.5 * gap * gap / outputs.shape[1]
            outputs[i, j] = gap * share
    return mean


@compiled
def wrong_answers(outputs: Array, labels: Array) -> int:
    """Count the points whose `labels` (B,) the `outputs` (classes, B) get wrong. The largest output decides, the first
    of equal ones; or the sign of a single output. An output that is not a number is wrong."""
    wrong = 0
    for j in range(labels.size):
        label = labels[j]
        if outputs.shape[0] == 1:
            right = outputs[0, j] > 0 if label == 1 else outputs[0, j] <= 0
        else:
            right = True
            for i in range(outputs.shape[0]):
                # Outputs before the label must be strictly smaller, since the first of equal ones wins. Every
                # comparison with NaN is false and so counts as wrong.
                ahead = outputs[label, j] > outputs[i, j] if i < label else outputs[label, j] >= outputs[i, j]
                right = right and ahead
        wrong += not right
    return wrong


@enclosed
def judged(loss: int, outputs: Array, labels: Array, copied: Array, counts: bool) -> tuple[float, float]:
    """Return the mean loss of outputs (classes or 1, B) and, if it `counts` them, the share of wrong answers; overwrite
    the outputs.

    Labels (B,) may be read-only. They are copied into `copied`, because Numba would compile separate kernels for
    read-only arrays.
    """
    for j in range(labels.size):
        copied[j] = labels[j]
    # Count first: the loss overwrites the outputs.
    wrong = wrong_answers(outputs, copied) / labels.size if counts else 0.0
    mean = _cross_entropy(outputs, copied, False) if loss == CROSS_ENTROPY else _squared_error(outputs, copied)
    return mean, wrong
