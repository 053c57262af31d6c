"""The small arithmetic of the explorer's page."""

import pytest

from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, start
from sims.numbers.arithmetic import experiment

LOSSES = [0.0, 0.0, 0.69, 0.0, 0.69]


def test_three_summaries_of_five_seeds() -> None:
    assert experiment.median(values=LOSSES) == 0
    assert experiment.mean(values=LOSSES) == pytest.approx(0.276)
    assert experiment.failures(values=LOSSES, above=0.1) == pytest.approx(0.4)


@pytest.mark.parametrize("skip", ["additive", "dense"])
def test_parameters_are_those_of_the_network_that_is_trained(skip: str) -> None:
    state = start(Architecture(10, skip=skip), Recipe(), source("spirals"), (0,))
    assert experiment.parameters(depth=10, skip=skip) == state.parameters.shape[1]


def test_multiplications_are_counted_by_hand() -> None:
    assert experiment.multiplications(depth=4) == 2 * 32 + 2 * 32 * 32 + 32 * 2
    assert experiment.cost_ratio(depth=4, other=3) == pytest.approx(2176 / 1152)
