"""The example that is worked by hand, the lines of the picture, and the numbers that are read off them."""

import numpy as np
import pytest

from sims.contract.frame import Frame
from sims.instruments.costs.reconstruction import held, reconstruct
from sims.simulations.costs import reversible
from sims.simulations.costs.reversible import DEPTHS, PRECISIONS, Reversible


@pytest.fixture(scope="module")
def whole() -> tuple[Reversible, Frame]:
    simulation = Reversible(strength=1.0, seeds=1)
    return simulation, simulation.compute()


def test_the_worked_example() -> None:
    assert [reversible.forward(part=part) for part in (1, 2)] == [2, 6]
    assert [reversible.back(part=part) for part in (1, 2)] == [1, 2]


@pytest.mark.exhaustive
def test_the_lines_hold_what_was_measured(whole: tuple[Reversible, Frame]) -> None:
    _, frame = whole
    for depth, precision in ((4, "float16"), (16, "float64")):
        measured, at = reconstruct(precision, depth, 1.0, 0), DEPTHS.index(depth)
        assert frame[f"{precision}_error"][at] == measured.error
        assert frame[f"{precision}_gradient"][at] == measured.gradient_error
        assert (frame[f"{precision}_ordinary"][at], frame[f"{precision}_reversible"][at]) == tuple(
            size / 1e3 for size in held(precision, depth)
        )


def test_what_is_not_measured_has_no_number() -> None:
    simulation = Reversible(seeds=2)
    frame = simulation.frame(simulation.advance(simulation.start(), 3))
    assert frame["bfloat16_known"].tolist() == [True] + [False] * 6
    assert not frame["float16_known"].any()
    assert np.isnan(frame["float16_error"]).all()
    assert "Nothing is measured yet" in simulation.describe(frame)


def test_a_broken_run_is_said_to_be_one(whole: tuple[Reversible, Frame]) -> None:
    simulation, frame = whole
    broken = Reversible(**{**simulation.settings(), "precision": "float16", "depth": 64})
    assert frame["float16_known"].all()
    assert "does not recover its input" in broken.describe(broken.reread(frame))


def test_chosen_numbers_are_read_anew(whole: tuple[Reversible, Frame]) -> None:
    simulation, frame = whole
    for precision in PRECISIONS:
        other = Reversible(**{**simulation.settings(), "precision": precision, "depth": 8})
        values = other.reread(frame).results
        assert values["gradient_error"] == frame[f"{precision}_gradient"][3]
        assert values["float16_error"] == frame["float16_error"][3]
