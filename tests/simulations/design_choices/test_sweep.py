"""Everybody at a rate of their own: the choice is the rule's, and the final's seeds took no part in it."""

import numpy as np
import pytest

from sims.comparisons.standings import Score, score_of
from sims.simulations.design_choices.sweep import FRESH, RATES, STEPS, Sweep, chosen

SMALL = {"depth": 4, "seeds": 1, "field": "norms"}


@pytest.fixture(scope="module")
def sweep() -> Sweep:
    return Sweep(**SMALL)


@pytest.mark.exhaustive
def test_the_final_is_run_at_the_chosen_rate_on_other_seeds(sweep: Sweep) -> None:
    swept = sweep.advance(sweep.start(), STEPS)
    assert not swept.final
    over = sweep.advance(swept, 10)
    for name, run in over.final.items():
        keys = {rate: score_of(swept.tried[name, rate]).key for rate in RATES}
        assert run.recipe.learning_rate == min(RATES, key=keys.__getitem__)
        assert run.seeds == (FRESH,)
        assert run.step == 10
    assert swept.step == STEPS
    assert over.step == STEPS + 10
    assert sweep.frame(over).results == pytest.approx(
        {f"{name}_rate": run.recipe.learning_rate for name, run in over.final.items()}
        | {f"{name}_finishers": len(score_of(run).finished) for name, run in over.final.items()}
    )


@pytest.mark.exhaustive
def test_a_chunk_across_the_border_gives_the_same_bits(sweep: Sweep) -> None:
    halves = sweep.advance(sweep.advance(sweep.start(), STEPS), 5)
    whole = sweep.advance(sweep.start(), STEPS + 5)
    for name in sweep.entrants:
        assert np.array_equal(halves.final[name].parameters, whole.final[name].parameters)


def test_the_lower_of_equal_rates_is_chosen_and_more_finished_seeds_win() -> None:
    stuck, fast = Score((), (0.5, 0.6)), Score((90, 100), (0.0, 0.0))
    scores = {("plain", rate): stuck for rate in RATES} | {
        ("dense", rate): fast if rate in RATES[2:4] else stuck for rate in RATES
    }
    assert chosen(scores, ("plain", "dense")) == {"plain": RATES[0], "dense": RATES[2]}
