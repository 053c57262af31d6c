"""Directions in weight space along which the loss is sliced."""

from typing import Literal

import numpy as np

from sims.engines.perceptrons.layout import Layout

Kind = Literal["filter", "whole"]


def directions(parameters: np.ndarray, layout: Layout, seed: int, kind: Kind = "filter") -> np.ndarray:
    """Two random directions (2, P) for a slice around `parameters` (P,).

    Weights are drawn from a normal distribution, so that the two directions are nearly orthogonal; biases do not move.
    "filter" is filter normalization (Li et al. 1712.09913, section 4): every filter of a direction gets the norm of the
    same filter of the network, d ← d / ‖d‖ · ‖θ‖; a filter of a linear layer is a row, the weights that go into one
    unit. "whole" gives all weights of a direction together the norm of all weights of the network. The same seed draws
    the same numbers for every network of that layout.
    """
    random = np.random.default_rng((seed, 3))
    basis = np.zeros((2, layout.size))
    for layer in layout.layers:
        layer.weights(basis)[:] = random.normal(size=(2, layer.rows, layer.columns))
    if kind == "whole":
        weights = np.linalg.norm(np.where(basis[0] != 0, parameters, 0))
        return basis / np.linalg.norm(basis, axis=1, keepdims=True) * weights
    for layer in layout.layers:
        noise, filters = layer.weights(basis), layer.weights(parameters)
        noise *= np.linalg.norm(filters, axis=1, keepdims=True) / np.linalg.norm(noise, axis=2, keepdims=True)
    return basis
