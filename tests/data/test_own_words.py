"""The text that is learned from."""

import numpy as np
import pytest

from sims.data.own_words import decoded, encoded, entropy_of_frequencies, entropy_of_pairs, parts, symbols


def test_numbers_and_symbols_are_the_same_text():
    text = "A skip connection adds: 1 + 1?".replace("+", "and")
    assert decoded(encoded(text)) == text
    assert len(set(symbols())) == len(symbols()) == 73
    with pytest.raises(ValueError, match="does not know: β"):
        encoded("a β")


def test_held_out_lines_are_not_learned():
    learned, held_out = (decoded(part) for part in parts())
    assert not set(held_out.splitlines()) & set(learned.splitlines())
    assert 0.08 < len(held_out) / len(learned + held_out) < 0.12
    assert not parts()[0].flags.writeable


def test_a_guess_that_knows_more_loses_less():
    _, held_out = parts()
    counts = np.bincount(held_out) / len(held_out)
    own = -(counts[counts > 0] * np.log(counts[counts > 0])).sum()
    assert own < entropy_of_frequencies() < own + 0.05
    assert entropy_of_pairs() < entropy_of_frequencies() - 0.5
