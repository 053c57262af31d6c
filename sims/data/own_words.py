"""A text to learn to write from: this site's own words.

`files/own_words.txt` holds the sentences of the chapters, of deep dives A to D, of claims and glossary as they were in
version 1.1, without formulas, links and computed numbers, each line once. It is a snapshot, so that a model trained on
it stays what it is when a sentence of the site changes.
"""

from functools import cache

import numpy as np

from sims.data.datasets import FOLDER

EVERY = 10
"""One line in so many is held out"""


@cache
def symbols() -> str:
    """All symbols of the text, in order; a symbol's number is its place here."""
    return "".join(sorted(set(_lines_as_text())))


def encoded(text: str) -> np.ndarray:
    """The numbers (n,), int64, of a text's symbols. Raises ValueError for a symbol that the words do not have."""
    numbers = {symbol: number for number, symbol in enumerate(symbols())}
    strange = sorted(set(text) - numbers.keys())
    if strange:
        raise ValueError(f"the text holds symbols that the model does not know: {' '.join(strange)}")
    return np.array([numbers[symbol] for symbol in text], np.int64)


def decoded(numbers: np.ndarray) -> str:
    """The text of symbols by number (n,)."""
    return "".join(symbols()[number] for number in numbers)


@cache
def parts() -> tuple[np.ndarray, np.ndarray]:
    """The text to learn from and the lines that are held out, as numbers (n,), read-only."""
    lines = _lines_as_text().splitlines(keepends=True)
    held_out = [line for number, line in enumerate(lines) if number % EVERY == EVERY - 1]
    learned = [line for number, line in enumerate(lines) if number % EVERY != EVERY - 1]
    both = encoded("".join(learned)), encoded("".join(held_out))
    for part in both:
        part.setflags(write=False)
    return both


@cache
def entropy_of_frequencies() -> float:
    """The loss in nats per symbol of the best guess that knows how frequent each symbol is, and nothing else: that of
    the learned part's frequencies on the held-out lines."""
    learned, held_out = parts()
    counts = np.bincount(learned, minlength=len(symbols())) + 1.0
    return float(-np.log(counts / counts.sum())[held_out].mean())


@cache
def entropy_of_pairs() -> float:
    """The same for a guess that knows which symbol stood before: one count is added to every pair."""
    learned, held_out = parts()
    counts = np.ones((len(symbols()), len(symbols())))
    np.add.at(counts, (learned[:-1], learned[1:]), 1)
    likely = counts / counts.sum(axis=1, keepdims=True)
    return float(-np.log(likely[held_out[:-1], held_out[1:]]).mean())


@cache
def _lines_as_text() -> str:
    return (FOLDER / "own_words.txt").read_text(encoding="ascii")
