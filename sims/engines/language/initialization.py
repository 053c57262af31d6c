"""Initial weights of a language model, drawn from a separate generator for every seed."""

import numpy as np

from sims.engines.language.architecture import LanguageModel
from sims.engines.language.layout import Layout

DEVIATION = 0.02
"""Standard deviation of GPT-2's initial weights (from its published code; Radford et al. 2019 give only the factor of
the last layers)"""


def initial_parameters(model: LanguageModel, layout: Layout, seed: int) -> np.ndarray:
    """Return the parameter vector (P,), float64, that `LanguageModel.initialization` describes.

    It does not depend on skips or norms: models of one seed start with the same weights, with and without skips.
    """
    random = np.random.default_rng((seed, 0))
    vector = np.zeros(layout.size)
    tables = vector[: layout.layers[0].weight]
    tables[:] = random.normal(0, DEVIATION, tables.size)
    for number, layer in enumerate(layout.layers):
        # A block has four layers: the two of attention, then the two of the feed-forward branch.
        ends_branch, behind_gelu = number % 2 == 1, number % 4 == 3
        if model.initialization == "small":
            deviation = DEVIATION / (2 * model.blocks) ** 0.5 if ends_branch else DEVIATION
        else:
            deviation = ((2 if behind_gelu else 1) / layer.columns) ** 0.5
        layer.weights(vector)[:] = random.normal(0, deviation, (layer.rows, layer.columns))
    return vector
