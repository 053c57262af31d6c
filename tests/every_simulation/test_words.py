"""What every simulation says: whole sentences, for whatever settings and at whatever moment of a run."""

import re
from itertools import islice

import pytest

from sims.contract.simulation import Simulation
from tests.every_simulation.frames import (
    SIMULATIONS,
    TRAININGS,
    every,
    every_training,
    looks,
    short_run,
    wild,
)
from tests.first_frame import first_frame
from tests.settings import corners, shortest

NO_NUMBER = re.compile(r"(?<![^\W_])(nan|[-\N{MINUS SIGN}+]?inf|infinity)(?![^\W_])", re.IGNORECASE)
"""What is printed for something that is no number, wherever it stands in a sentence"""


CODE = re.compile(r"\de[-+]?\d")
"""A power of ten as Python prints it"""


def assert_readable(text: str) -> None:
    """A text is whole sentences, without what Python prints where there is no number, no parentheses in a row,
    and nothing that is one time as large as something else."""
    assert text.endswith(".")
    assert len(text) > 3
    assert not NO_NUMBER.findall(text), text
    assert not CODE.findall(text), text
    assert ") (" not in text, text
    assert " 1 times as large" not in text, text


@pytest.mark.parametrize(
    "text",
    [
        "It is nan%.",
        "A loss (nan).",
        "It is inf.",
        "From -inf to 3.",
        "nan×10.",
        "It is NaN.",
        "It is 2e-06.",
        "1% (2%) (plain).",
    ],
)
def test_a_word_that_is_no_number_is_noticed_anywhere(text: str) -> None:
    with pytest.raises(AssertionError):
        assert_readable(text)


@every
def test_its_words_are_whole_sentences_without_bare_infinities(name: str) -> None:
    assert_speaks(SIMULATIONS[name]())


def assert_speaks(simulation: Simulation) -> None:
    """The first picture is described in whole sentences, and so are the experiment and its limits."""
    described = simulation.describe(first_frame(simulation))
    assert len(described) > 40
    assert_readable(described)
    for text in vars(simulation.disclosure()).values():
        assert_readable(text)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", sorted(SIMULATIONS.keys() - TRAININGS.keys()))
def test_its_words_are_whole_sentences_at_every_corner(name: str) -> None:
    for corner in corners(SIMULATIONS[name]):
        assert_speaks(SIMULATIONS[name](**corner))


@pytest.mark.exhaustive
@every_training
def test_the_words_of_a_training_hold_at_its_start_at_its_end_and_in_a_wild_run(name: str) -> None:
    kind = TRAININGS[name]
    for settings, frames in ((shortest(kind), short_run(name)), (wild(kind), islice(looks(kind(**wild(kind))), 3))):
        for frame in frames:
            assert_readable(kind(**settings).describe(frame))
            for divergence in frame.diverged:
                assert_readable(divergence.sentences())
