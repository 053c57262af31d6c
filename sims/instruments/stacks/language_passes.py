"""What a text and its gradient meet on their way through an untrained language model, branch by branch."""

import numpy as np

from sims.contract.frame import Measure
from sims.data import own_words
from sims.engines import language
from sims.engines.language import LanguageRecipe, SwitchedModel
from sims.instruments.stacks.token_likeness import cosines, mean_cosine

PIECES = 4
"""Pieces of text, each as long as the context"""

SIGNALS = {
    "stream": Measure("root mean square of the stream", "relative to the embedding"),
    "likeness": Measure("mean cosine between the streams at two positions of a text", "cosine"),
    "gradient": Measure("norm of the stream's gradient", "relative to that after the last branch"),
}
"""Name of a signal → its label and unit in `language_passes`"""


def language_passes(model: SwitchedModel, seed: int) -> dict[str, np.ndarray]:
    """Each of `SIGNALS` after the embedding and after each branch, (branches + 1,), on lines that are held out.

    Stream and gradient are relative to the places where they begin. The cosine is a mean over all pairs of different
    positions of a piece, and over the pieces.
    """
    state, text = language.start(model, LanguageRecipe(), seed), own_words.parts()[1]
    starts = np.linspace(0, len(text) - model.context - 1, PIECES).astype(int)
    stream, _ = language.streams(state, np.stack([text[first : first + model.context] for first in starts]))
    _, _, gradient = language.gradients(state, text, starts.tolist())
    wide = stream.astype(np.float64)
    sizes = np.sqrt((wide**2).mean(axis=(1, 2, 3)))
    likeness = np.array([mean_cosine(cosines(place)).mean() for place in wide])
    return {"stream": sizes / sizes[0], "likeness": likeness, "gradient": gradient / gradient[-1]}
