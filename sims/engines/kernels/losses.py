"""The two losses, with their gradient, and the count of wrong answers."""

import numpy as np

from sims.engines.kernels.compiled import compiled, enclosed, inlined

Array = np.ndarray

CROSS_ENTROPY, SQUARED_ERROR = 0, 1


@compiled
def loss_and_gradient(loss: int, outputs: Array, labels: Array) -> float:
    """The mean loss of outputs (classes or 1, B) for labels (B,); the outputs become the gradient of that mean."""
    return _cross_entropy(outputs, labels) if loss == CROSS_ENTROPY else _squared_error(outputs, labels)


@inlined
def _cross_entropy(outputs: Array, labels: Array) -> float:
    dtype = outputs.dtype.type
    classes, batch = outputs.shape
    share, mean = dtype(1 / batch), 0.0
    for j in range(batch):
        largest = outputs[0, j]
        for i in range(1, classes):
            largest = max(largest, outputs[i, j])
        right = outputs[labels[j], j] - largest
        sums = dtype(0)
        for i in range(classes):
            outputs[i, j] = np.exp(outputs[i, j] - largest)
            sums += outputs[i, j]
        mean += (np.log(sums) - right) / batch
        for i in range(classes):
            outputs[i, j] *= share / sums
        outputs[labels[j], j] -= share
    return mean


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
def judged(loss: int, outputs: Array, labels: Array, copied: Array) -> tuple[float, float]:
    """The mean loss of outputs (classes or 1, B) and the share of wrong answers; the outputs are overwritten.

    Labels (B,) may be read-only; they are copied into `copied`, since kernels for read-only arrays would be others than
    those that the steps need.
    """
    for j in range(labels.size):
        copied[j] = labels[j]
    wrong = wrong_answers(outputs, copied) / labels.size
    return loss_and_gradient(loss, outputs, copied), wrong
