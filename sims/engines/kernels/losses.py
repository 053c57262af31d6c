"""The two losses, with their gradient, and the count of wrong answers."""

import numpy as np

from sims.engines.kernels.compiled import compiled, enclosed, inlined
from sims.engines.kernels.exponentials import exponential, exponential_of
from sims.engines.kernels.vectors import LANES, add, divide, lane, larger, load, multiply, spread, store, subtract

Array = np.ndarray

CROSS_ENTROPY, SQUARED_ERROR = 0, 1


@compiled
def loss_and_gradient(loss: int, outputs: Array, labels: Array) -> float:
    """The mean loss of outputs (classes or 1, B) for labels (B,); the outputs become the gradient of that mean."""
    return _cross_entropy(outputs, labels, True) if loss == CROSS_ENTROPY else _squared_error(outputs, labels)


@enclosed
def _cross_entropy(outputs: Array, labels: Array, differentiates: bool) -> float:
    """The mean over the points; outputs (classes, B) are overwritten, with the gradient where it `differentiates`."""
    zero, batch = outputs.dtype.type(0), outputs.shape[1]
    whole, share, mean = batch - batch % LANES, outputs.dtype.type(1 / batch), 0.0
    for j in range(0, whole, LANES):
        largest, sums = load(outputs, j), spread(zero)
        for place in range(j + batch, outputs.size, batch):
            largest = larger(largest, load(outputs, place))
        for place in range(j, outputs.size, batch):
            gap = subtract(load(outputs, place), largest)
            store(outputs, place, gap)
            sums = add(sums, exponential(gap))
        for number in range(LANES):
            mean += (np.log(lane(sums, number)) - outputs[labels[j + number], j + number]) / batch
        if differentiates:
            factor = divide(spread(share), sums)
            for place in range(j, outputs.size, batch):
                store(outputs, place, multiply(exponential(load(outputs, place)), factor))
    for j in range(whole, batch):
        mean += _cross_entropy_of(outputs, labels[j], j, share) / batch
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
    return np.log(total) - right


@inlined
def target(outputs: Array, label: int, i: int) -> float:
    """What output i should be for that label: one-hot, or -1 and 1 for a single output."""
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
    """How many points (of B) get a wrong label: the first largest output counts, or the sign of a single one.

    An output that is not a number is wrong.
    """
    wrong = 0
    for j in range(labels.size):
        label = labels[j]
        if outputs.shape[0] == 1:
            right = outputs[0, j] > 0 if label == 1 else outputs[0, j] <= 0
        else:
            right = True
            for i in range(outputs.shape[0]):
                ahead = outputs[label, j] > outputs[i, j] if i < label else outputs[label, j] >= outputs[i, j]
                right = right and ahead
        wrong += not right
    return wrong


@enclosed
def judged(loss: int, outputs: Array, labels: Array, copied: Array, counts: bool) -> tuple[float, float]:
    """The mean loss of outputs (classes or 1, B) and, where it `counts` them, the share of wrong answers; the outputs
    are overwritten.

    Labels (B,) may be read-only; they are copied into `copied`, since kernels for read-only arrays would be others than
    those that the steps need.
    """
    for j in range(labels.size):
        copied[j] = labels[j]
    wrong = wrong_answers(outputs, copied) / labels.size if counts else 0.0
    mean = _cross_entropy(outputs, copied, False) if loss == CROSS_ENTROPY else _squared_error(outputs, copied)
    return mean, wrong
