"""Watches a language model learn: its loss on held-out lines, and text that it writes.

A writer is an immutable value of NumPy arrays; it holds no state of compiled code.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sims.data import own_words
from sims.engines import language
from sims.engines.language import LanguageModel, LanguageRecipe, LanguageState
from sims.instruments.training.looks import to_looks

LENGTH = 110
"""Symbols written at every look"""

TEMPERATURE = 0.7
"""Logits are divided by it before a symbol is drawn; below 1, likely symbols become likelier"""

PIECES = 48
"""Pieces of the held-out lines on which the loss is measured"""


@dataclass(frozen=True)
class Writer:
    """A model under training, and the looks at it so far."""

    state: LanguageState
    prompt: str
    steps: tuple[int, ...] = ()
    losses: tuple[float, ...] = ()
    """Loss on the held-out lines, in nats per symbol, at those steps"""
    texts: tuple[str, ...] = ()
    """What the model wrote after the prompt, at those steps"""
    surprises: tuple[tuple[float, ...], ...] = ()
    """For each symbol of those texts, minus the logarithm of the model's own probability of it, without the
    temperature, in nats"""


def begin(model: LanguageModel, recipe: LanguageRecipe, seed: int, prompt: str) -> Writer:
    """A writer before its first step, with a first look."""
    return looked(Writer(language.start(model, recipe, seed), prompt))


def advanced(writer: Writer, steps: int, every: int) -> Writer:
    """The writer `steps` steps later, with a look every `every` steps."""
    learned, _ = own_words.parts()
    for count, due in to_looks(writer.state.step, writer.state.step + steps, every):
        state = language.advance(writer.state, learned, count)
        writer = replace(writer, state=state)
        if not state.finite:
            return writer
        if due:
            writer = looked(writer)
    return writer


def looked(writer: Writer) -> Writer:
    """The writer with one more look: a loss and a text."""
    state = writer.state
    text, surprises = written(state, writer.prompt)
    return replace(
        writer,
        steps=(*writer.steps, state.step),
        losses=(*writer.losses, held_out_loss(state)),
        texts=(*writer.texts, text),
        surprises=(*writer.surprises, surprises),
    )


def held_out_loss(state: LanguageState, removed: Sequence[int] = (), count: int = PIECES) -> float:
    """The mean loss in nats per symbol on `count` pieces spread evenly over the held-out lines, without the branches in
    `removed`."""
    _, held_out = own_words.parts()
    symbols, answers = pieces(held_out, state.model.context, count)
    _, logits = language.streams(state, symbols, removed)
    return cross_entropy(logits, answers)


def pieces(text: np.ndarray, context: int, count: int = PIECES) -> tuple[np.ndarray, np.ndarray]:
    """Evenly spread pieces (count, context) of a text (n,), and for each symbol the next one."""
    starts = np.linspace(0, len(text) - context - 1, count).astype(int)
    cut = np.stack([text[first : first + context + 1] for first in starts])
    return cut[:, :-1], cut[:, 1:]


def cross_entropy(logits: np.ndarray, answers: np.ndarray) -> float:
    """The mean loss in nats of logits (..., symbols) for the symbols that actually follow, (...)."""
    wide = logits.astype(np.float64)
    shifted = wide - wide.max(axis=-1, keepdims=True)
    likely = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return float(-np.take_along_axis(likely, answers[..., None], axis=-1).mean())


def written(state: LanguageState, prompt: str, length: int = LENGTH) -> tuple[str, tuple[float, ...]]:
    """The text that the model writes after a prompt, symbol by symbol at `TEMPERATURE`, and how surprising each symbol
    is to the model itself: its loss, in nats. The random numbers depend only on the position, so that two models with
    the same prompt draw with the same luck."""
    context = state.model.context
    numbers = list(own_words.encoded(prompt))
    surprises = []
    random = np.random.default_rng(0)
    for _ in range(length):
        window = numbers[-context:]
        symbols = np.zeros((1, context), np.int64)
        symbols[0, : len(window)] = window
        _, logits = language.streams(state, symbols)
        after_last = logits[0, len(window) - 1]
        chances = np.cumsum(softmax(after_last / TEMPERATURE))
        numbers.append(min(int(np.searchsorted(chances, random.random())), state.model.symbols - 1))
        surprises.append(cross_entropy(after_last, np.array(numbers[-1])))
    return own_words.decoded(np.array(numbers[len(prompt) :])), tuple(surprises)


def softmax(logits: np.ndarray) -> np.ndarray:
    """Probabilities (n,) of logits (n,), in double precision."""
    powers = np.exp(logits.astype(np.float64) - logits.max())
    shares: np.ndarray = powers / powers.sum()
    return shares
