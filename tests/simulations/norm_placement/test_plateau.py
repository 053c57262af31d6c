"""In trained transformers most sublayers can be missed one at a time, and the first ones cannot (E-08)."""

import numpy as np
import pytest

from sims.simulations.norm_placement.plateau import LOOKS, PLACED, Plateau

pytestmark = pytest.mark.exhaustive


@pytest.fixture(scope="module")
def trained():
    return Plateau().compute()


@pytest.mark.parametrize("placement", PLACED)
def test_all_three_learn_the_digits(trained, placement):
    assert trained.results[f"{placement}_whole"] < 0.02


@pytest.mark.parametrize("placement", PLACED)
def test_e_08_the_last_quarter_is_not_missed(trained, placement):
    """Over 3 seeds, no sublayer of the last quarter costs more than 5 of 100 points; of Pre- and Peri-LN, the first
    two cost more each."""
    assert trained[f"{placement}_lost_high"][-4:].max() <= 0.05
    if placement != "deep":
        assert trained[f"{placement}_lost_low"][1] > 0.2


def test_the_share_falls_from_the_first_to_the_last_in_peri_ln(trained):
    """Each branch of Peri-LN has the same size, and the stream grows."""
    share = trained["peri_share"]
    assert share[-1] < 0.4 * share[0]
    assert (np.diff(share) < 0.02).all()


def test_a_head_that_reads_early_errs_more_and_more_the_earlier_it_reads(trained):
    for placement in PLACED:
        exits = trained[f"{placement}_exit"]
        assert exits[0] > 0.6 > exits[len(exits) // 2] > exits[-1]


def test_the_networks_are_looked_at_a_few_times():
    simulation = Plateau(depth=8, seeds=1, training_steps=100)
    state = simulation.start()
    assert simulation.describe(simulation.frame(state)).startswith("Nothing is trained yet")
    between = simulation.advance(state, 100 // LOOKS - 1)
    assert between.step == 0
    assert simulation.advance(between, 1).step == 100 // LOOKS


def test_a_run_that_diverges_says_so():
    simulation = Plateau(depth=8, seeds=1, training_steps=100, learning_rate=0.01)
    frame = simulation.compute()
    assert frame.finished
    assert all(np.isfinite(frame[f"{name}_lost"]).all() for name in PLACED)
