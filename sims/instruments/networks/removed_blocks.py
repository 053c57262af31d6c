"""Lesions: a trained network evaluated with some of its blocks switched off (Veit et al. 1605.06431)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from sims.engines.perceptrons import TrainingState, evaluated
from sims.engines.perceptrons.engine import outputs
from sims.engines.perceptrons.layout import make_layout

SHUT = -100.0
"""Bias of a closed gate: so low that its sigmoid times any number here vanishes in rounding."""


def without(run: TrainingState, blocks: Iterable[int]) -> np.ndarray:
    """The parameters of all seeds, shape (seeds, parameters), changed so that some blocks (counted from 0) pass their
    input on unchanged.

    The branch of an additive, ReZero or highway block adds nothing; a dense block appends zeros; a plain block becomes
    the identity matrix, which changes nothing between two ReLUs. Raises ValueError for blocks in which that
    cannot be done: those of two layers, with batch or layer norm, or plain ones with another activation.
    """
    a = run.architecture
    if a.layers_per_block != 1 or a.norm in ("batch", "layer") or (a.skip == "none" and a.activation != "relu"):
        raise ValueError("a block can be switched off where it is one layer without batch or layer norm")
    parameters = run.parameters.copy()
    data = run.source.load()
    layout = make_layout(a, data.features, outputs(run.recipe, data))
    for block in blocks:
        layer = layout.layers[block + 1]
        match a.skip:
            case "rezero":
                parameters[:, layout.factors + block] = 0
            case "highway":
                gate = layout.gates[block]
                gate.weights(parameters)[:] = 0
                gate.biases(parameters)[:] = SHUT
            case "none":
                layer.weights(parameters)[:] = np.eye(layer.rows)
                layer.biases(parameters)[:] = 0
            case _:
                layer.numbers(parameters)[:] = 0
    return parameters


def errors_without(run: TrainingState, choices: Sequence[Iterable[int]]) -> np.ndarray:
    """Share of training points misclassified, shape (choices, seeds), with each choice of blocks switched off in
    turn."""
    states = [evaluated(replace(run, parameters=without(run, blocks))) for blocks in choices]
    return np.stack([state.now.train_error for state in states])
