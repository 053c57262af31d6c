"""Which blocks have lost their plus sign, and what is measured, in words."""

import pytest

from sims.instruments.networks.wirings import in_words, missing, skips, wiring


def test_only_blocks_that_exist_lose_their_plus_sign() -> None:
    assert missing("2, 6-28", 7) == [2, 6, 7]
    assert skips([2, 6, 7], 7) == (1, 0, 1, 1, 1, 0, 0)


@pytest.mark.parametrize(("cut", "words"), [("", "With all 7"), ("3", "With 6 of 7"), ("1-28", "Without any of the 7")])
def test_the_words_name_the_wiring(cut: str, words: str) -> None:
    assert wiring(missing(cut, 7), 7) == f"{words} plus signs"


def test_what_stays_as_large_as_it_was_is_not_called_one_time_as_large() -> None:
    words = in_words({"stream": 1.004, "came": 61, "apart": 40.2, "gradient": 6.41})
    assert "the stream comes out just as large as it went in" in words
    assert "come in 61° and go out 40° apart" in words
    assert "6.4 times as large as it was after the last" in words
