"""The words for a recipe fit what the simulations offer."""

import pytest

from sims.contract.recipe_words import NORMS, STARTS, steps_taken
from sims.contract.simulation import Simulation
from sims.simulations.depth.degradation import Degradation
from sims.simulations.depth.failures import Failures


def test_a_recipe_in_words() -> None:
    assert steps_taken(600, "momentum", 0.05, 128) == "600 steps of SGD with momentum at 0.05, batches of 128"


@pytest.mark.parametrize("simulation", [Degradation, Failures])
def test_there_are_words_for_every_norm_and_every_start(simulation: type[Simulation]) -> None:
    assert set(simulation.param["norm"].objects) <= set(NORMS)
    assert set(simulation.param["initialization"].objects) <= set(STARTS)


@pytest.mark.parametrize("simulation", [Degradation, Failures])
def test_the_disclosure_names_the_whole_recipe(simulation: type[Simulation]) -> None:
    """Without gain and shift a norm keeps a layer from copying, so the strip says so."""
    for norm in ("none", "batch"):
        strip = simulation(norm=norm, optimizer="momentum", learning_rate=0.05).disclosure()
        assert ("without gain and shift" in strip.network) == (norm != "none")
        assert STARTS["he"] in strip.network
        assert "SGD with momentum at 0.05, batches of 128" in strip.seeds
