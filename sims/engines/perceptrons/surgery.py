"""Inserts layers before the head of a trained plain network."""

from dataclasses import replace
from typing import Literal

import numpy as np

from sims.engines.perceptrons.engine import outputs, start_from
from sims.engines.perceptrons.initialization import initial_parameters
from sims.engines.perceptrons.layout import make_layout
from sims.engines.state import TrainingState

Weights = Literal["identity", "random"]


def with_layers(state: TrainingState, count: int, weights: Weights) -> TrainingState:
    """Start a new run from the networks of `state`, with `count` more ReLU layers before the head.

    "identity" gives the new layers W = I and zero biases: after a ReLU nothing is negative, so they pass on exactly
    what they receive (He et al. 1512.03385, section 1: the added layers are identity mappings). "random" gives them the
    weights and biases that the architecture's initialization draws. Moments and records start afresh.

    Raises ValueError for any network but a plain ReLU network of one-layer blocks without a norm, because only there
    the construction is exact.
    """
    old = state.architecture
    if (old.skip, old.unit, old.activation, old.norm) != ("none", "one-layer", "relu", "none"):
        raise ValueError("layers can be put into a plain ReLU network of one-layer blocks without a norm only")
    new = replace(old, depth=old.depth + count)
    data = state.source.load()
    sizes = data.features, outputs(state.recipe, data)
    before, after = make_layout(old, *sizes), make_layout(new, *sizes)
    dtype = state.parameters.dtype
    parameters = np.stack([initial_parameters(new, after, seed) for seed in state.seeds]).astype(dtype)
    body, head = before.layers[-1].weight, before.size - before.layers[-1].weight
    parameters[:, :body] = state.parameters[:, :body]
    parameters[:, after.size - head :] = state.parameters[:, body:]
    if weights == "identity":
        for layer in after.layers[len(before.layers) - 1 : -1]:
            layer.biases(parameters)[:] = 0
            layer.weights(parameters)[:] = np.eye(layer.rows)
    return start_from(parameters, new, state.recipe, state.source, state.seeds)
