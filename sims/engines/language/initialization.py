"""Initial weights of a language model, drawn from a separate generator for every seed."""

import numpy as np

from sims.engines.language.architecture import LanguageModel
from sims.engines.language.layout import Layout
from sims.engines.orthogonal import orthogonal

DEVIATION = 0.02
"""Standard deviation of GPT-2's initial weights (from its published code; Radford et al. 2019 give only the factor of
the last layers)"""

LENGTHENED = 2.0
"""Factor of the queries and keys of "own-place": a normalized place has a score of about 2² √(width of a head) with
itself, and one of deviation 2² with an unrelated place"""


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
        opens_attention, ends_branch, after_gelu = number % 4 == 0, number % 2 == 1, number % 4 == 3
        deviation = ((2 if after_gelu else 1) / layer.columns) ** 0.5
        if model.initialization == "small":
            deviation = DEVIATION / (2 * model.blocks) ** 0.5 if ends_branch else DEVIATION
        shape = layer.rows, layer.columns
        if model.initialization != "own-place":
            layer.weights(vector)[:] = random.normal(0, deviation, shape)
        elif opens_attention:
            keys, values = (
                orthogonal((model.width, model.width), random),
                orthogonal((model.width, model.width), random),
            )
            layer.weights(vector)[:] = np.vstack([LENGTHENED * keys, LENGTHENED * keys, values])
        else:
            layer.weights(vector)[:] = deviation * max(shape) ** 0.5 * orthogonal(shape, random)
    return vector
