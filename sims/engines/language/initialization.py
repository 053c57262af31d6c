"""Initial weights of a language model, from a generator of their own for every seed."""

import numpy as np

from sims.engines.language.architecture import LanguageModel
from sims.engines.language.layout import Layout

DEVIATION = 0.02
"""GPT-2's, of every weight (its published code; Radford et al. 2019 name only the factor of the last layers)"""


def initial_parameters(model: LanguageModel, layout: Layout, seed: int) -> np.ndarray:
    """The parameter vector (P,), float64, that `LanguageModel.initialization` describes.

    It does not depend on skips or norms: with and without skips, a model of one seed starts with the same weights.
    """
    random = np.random.default_rng((seed, 0))
    vector = np.zeros(layout.size)
    tables = vector[: layout.layers[0].weight]
    tables[:] = random.normal(0, DEVIATION, tables.size)
    for number, layer in enumerate(layout.layers):
        ends_branch, behind_gelu = number % 2 == 1, number % 4 == 3
        if model.initialization == "small":
            deviation = DEVIATION / (2 * model.blocks) ** 0.5 if ends_branch else DEVIATION
        else:
            deviation = ((2 if behind_gelu else 1) / layer.columns) ** 0.5
        layer.weights(vector)[:] = random.normal(0, deviation, (layer.rows, layer.columns))
    return vector
