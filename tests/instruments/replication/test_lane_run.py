"""Trainings in lanes: that they are those of the comparison, go on where they stopped, and are measured as told."""

import numpy as np
import pytest

from sims.instruments.replication.lane_run import (
    LaneSetup,
    advance,
    begin,
    flipped_losses,
    fullest,
    likeness,
    model_of,
    unevenness,
)
from sims.instruments.replication.trained_designs import held_out, losses, trained

SEEDS = (0, 1)


def setup(form: str = "mhc", rounds: int = 20, apart: bool = False) -> LaneSetup:
    return LaneSetup(form, rounds, apart, 0.008, 20, SEEDS)


@pytest.mark.exhaustive
@pytest.mark.parametrize("form", ["hyper-connections", "mhc"])
def test_a_run_is_that_of_the_comparison_however_it_is_cut(form: str) -> None:
    pieces = held_out()[0][:4]
    cut = advance(advance(begin(setup(form)), 12, 10), 8, 10)
    assert [look.step for look in cut.looks] == [0, 10, 20]
    expected = losses(trained(form, SEEDS, [0.008] * len(SEEDS), 20), pieces)
    assert losses(model_of(cut), pieces) == pytest.approx(expected, rel=1e-5)
    assert advance(cut, 0, 10).step == 20


@pytest.mark.exhaustive
def test_looks_before_training() -> None:
    same, apart = begin(setup()).looks[0], begin(setup(apart=True)).looks[0]
    assert same.alike == pytest.approx(np.ones((2, 13)))
    assert same.fullest == pytest.approx(np.full((2, 13), 0.25))
    assert same.stretch == pytest.approx(np.ones((2, 13)), abs=1e-3)
    assert same.sums[:, 0].tolist() == [1, 1]
    assert same.dye[:, 0].tolist() == [[1, 0, 0, 0]] * 2
    assert same.dye.sum(axis=2) == pytest.approx(np.ones((2, 13)), abs=1e-3)
    assert np.abs(apart.alike[:, 0]).max() < 0.2
    assert begin(setup(rounds=0)).looks[0].uneven.min() > same.uneven.max()


def test_measures_of_lanes_that_are_written_out() -> None:
    lanes = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 2.0]])[None, None, None]
    assert likeness(lanes) == pytest.approx([1 / 3])
    assert fullest(lanes) == pytest.approx([4 / 6])
    assert unevenness(np.array([[0.5, 0.5], [0.2, 0.5]])) == pytest.approx(0.3)


@pytest.mark.exhaustive
def test_a_plain_model_with_flipped_signs_learns() -> None:
    pieces = held_out()[0][:8]
    before, after = (flipped_losses(LaneSetup("pre-ln", 0, False, 0.008, steps, SEEDS), pieces) for steps in (0, 20))
    assert (after < before - 0.3).all()
