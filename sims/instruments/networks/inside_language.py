"""Inside a language model: early read-outs of its stream, branches removed, gradients, and likeness of positions."""

from dataclasses import dataclass

import numpy as np

from sims.data import own_words
from sims.engines import language
from sims.engines.language import LanguageState
from sims.instruments.networks.text_sampler import cross_entropy, held_out_loss, pieces
from sims.instruments.stacks.token_likeness import cosines, mean_cosine

SENTENCE = "A skip connection adds the input of a block to its output, and that is"
"""The sentence read in `drafts`: as many of its first symbols as the context holds"""

FEWER = 16
"""Pieces of held-out text on which a model without a branch is evaluated"""


@dataclass(frozen=True)
class Inside:
    """Measurements inside a model; the first axis is the place in the stream, after the embedding and each branch."""

    early: np.ndarray
    """(branches + 1,) loss on held-out lines in nats per symbol, if the head reads the stream there"""
    drafts: tuple[str, ...]
    """(branches + 1) the likeliest next symbol after each symbol of `SENTENCE`, read there"""
    gradients: np.ndarray
    """(branches + 1,) norm of the loss gradient with respect to the stream there"""
    likeness: np.ndarray
    """(branches + 1,) mean cosine between the streams at two different positions of a text"""
    without: np.ndarray
    """(branches,) how much the loss on held-out lines rises without each branch, in nats per symbol"""


def inside(state: LanguageState) -> Inside:
    """Measure the inside of a model."""
    context = state.model.context
    learned, held_out = own_words.parts()
    symbols, answers = pieces(held_out, context)
    stream, _ = language.streams(state, symbols)
    sentence = own_words.encoded(SENTENCE)[None, :context]
    drafted, _ = language.streams(state, sentence)
    _, _, norms = language.gradients(state, learned, range(0, 16 * (len(learned) // 17), len(learned) // 17))
    whole, branches = held_out_loss(state, (), FEWER), range(state.model.branches)
    return Inside(
        early=np.array([cross_entropy(read(state, h), answers) for h in stream]),
        drafts=tuple(own_words.decoded(read(state, h)[0].argmax(axis=-1)) for h in drafted),
        gradients=norms,
        likeness=np.array([mean_cosine(cosines(h)).mean() for h in stream]),
        without=np.array([held_out_loss(state, [branch], FEWER) - whole for branch in branches]),
    )


def read(state: LanguageState, stream: np.ndarray) -> np.ndarray:
    """Logits (..., symbols) that the last norm and the head give for a stream (..., width) at any place: the "logit
    lens" (nostalgebraist 2020)."""
    model = state.model
    head = state.parameters[: model.symbols * model.width].reshape(model.symbols, model.width)
    wide = stream.astype(np.float64)
    centered = wide - wide.mean(axis=-1, keepdims=True)
    normal = centered / np.sqrt((centered**2).mean(axis=-1, keepdims=True) + 1e-5)
    logits: np.ndarray = normal @ head.T
    return logits
