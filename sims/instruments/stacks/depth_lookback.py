"""Looking back over depth: a block reads a weighted mean of all earlier outputs, instead of their sum.

A query is compared with the earlier outputs, normalized so that a long one has no advantage, and a softmax over depth
turns the products into weights: attention over depth, as Attention Residuals (2603.15031) is described.
"""

import numpy as np

MOST_OUTPUTS = 12


def keys(outputs: np.ndarray) -> np.ndarray:
    """Outputs (count, width), each divided by its root mean square."""
    unit: np.ndarray = outputs / np.sqrt(np.square(outputs).mean(axis=-1, keepdims=True))
    return unit


def weights(query: np.ndarray, outputs: np.ndarray) -> np.ndarray:
    """Softmax over depth of query (width,) times the keys of outputs (count, width): (count,), with a sum of 1."""
    scores = keys(outputs) @ query
    raised = np.exp(scores - scores.max())
    shares: np.ndarray = raised / raised.sum()
    return shares


def voices(shares: np.ndarray) -> float:
    """The effective number of outputs read: exp of the entropy of weights (n,) with a sum of 1, from 1 to n."""
    positive = shares[shares > 0]
    return float(np.exp(-(positive * np.log(positive)).sum()))


def plane_outputs(count: int, seed: int) -> np.ndarray:
    """The first `count` of `MOST_OUTPUTS` outputs (count, 2), with random directions and lengths around 1."""
    random = np.random.default_rng((seed, 100))
    angles, lengths = random.uniform(0, 2 * np.pi, MOST_OUTPUTS), np.exp(random.normal(0, 0.25, MOST_OUTPUTS))
    outputs: np.ndarray = lengths[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return outputs[:count]
