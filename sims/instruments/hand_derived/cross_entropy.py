"""Softmax cross-entropy and its gradient in plain NumPy, for examining networks rather than training them."""

import numpy as np


def cross_entropy(outputs: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The loss of every point in nats, (n,), and its gradient (n, classes) for that point's own outputs.

    Outputs are (n, classes), labels the classes' numbers (n,). The precision is that of the outputs. They may be
    complex, for derivatives by a complex step.
    """
    outputs = outputs - outputs.real.max(axis=1, keepdims=True)
    powers = np.exp(outputs)
    sums = powers.sum(axis=1, keepdims=True)
    right = np.arange(len(labels)), labels
    gradient = powers / sums
    gradient[right] -= 1
    return np.log(sums[:, 0]) - outputs[right], gradient
