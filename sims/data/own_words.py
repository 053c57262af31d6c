"""The text that language models learn from: this site's own words.

`files/own_words.txt` holds the sentences of the chapters, of deep dives A to D, of claims and glossary as they were in
version 1.1, without formulas, links and computed numbers, each line once. It is a snapshot, so that trained models do
not change when a sentence of the site does.
"""

from functools import cache

import numpy as np

from sims.data.datasets import FOLDER

EVERY = 10
"""Every tenth line is held out"""

SIGNS, LEAST = "\"'(),-.:?", 2
"""What may surround a word, and its fewest letters"""


@cache
def symbols() -> str:
    """Return all symbols of the text, sorted; a symbol's number is its index here."""
    return "".join(sorted(set(_lines_as_text())))


def encoded(text: str) -> np.ndarray:
    """Return the numbers (n,), int64, of a text's symbols. Raises ValueError for a symbol that is not in the words."""
    numbers = {symbol: number for number, symbol in enumerate(symbols())}
    strange = sorted(set(text) - numbers.keys())
    if strange:
        raise ValueError(f"the text holds symbols that the model does not know: {' '.join(strange)}")
    return np.array([numbers[symbol] for symbol in text], np.int64)


def decoded(numbers: np.ndarray) -> str:
    """Return the text for symbol numbers (n,)."""
    return "".join(symbols()[number] for number in numbers)


@cache
def parts() -> tuple[np.ndarray, np.ndarray]:
    """Return the text to learn from and the lines that are held out, as symbol numbers (n,), read-only."""
    lines = _lines_as_text().splitlines(keepends=True)
    held_out = [line for number, line in enumerate(lines) if number % EVERY == EVERY - 1]
    learned = [line for number, line in enumerate(lines) if number % EVERY != EVERY - 1]
    both = encoded("".join(learned)), encoded("".join(held_out))
    for part in both:
        part.setflags(write=False)
    return both


def is_learned(word: str) -> bool:
    """Return whether a word of at least two letters, whatever signs surround it, is in the text to learn from."""
    return word.strip(SIGNS) in _words()


@cache
def _words() -> frozenset[str]:
    learned, _ = parts()
    words = (word.strip(SIGNS) for word in decoded(learned).split())
    return frozenset(word for word in words if len(word) >= LEAST and word.isalpha())


@cache
def entropy_of_frequencies() -> float:
    """Return the loss, in nats per symbol on the held-out lines, of a guess that knows only how frequent each symbol is
    in the learned part."""
    learned, held_out = parts()
    # One is added, so that a symbol that occurs only in the held-out lines does not cost an infinite loss.
    counts = np.bincount(learned, minlength=len(symbols())) + 1.0
    return float(-np.log(counts / counts.sum())[held_out].mean())


@cache
def entropy_of_pairs() -> float:
    """Return the same loss for a guess that also knows the previous symbol; one is added to the count of every pair."""
    learned, held_out = parts()
    counts = np.ones((len(symbols()), len(symbols())))
    np.add.at(counts, (learned[:-1], learned[1:]), 1)
    likely = counts / counts.sum(axis=1, keepdims=True)
    return float(-np.log(likely[held_out[:-1], held_out[1:]]).mean())


@cache
def _lines_as_text() -> str:
    return (FOLDER / "own_words.txt").read_text(encoding="ascii")
