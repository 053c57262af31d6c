"""The builder as a simulation, and the numbers that the chapter takes from it."""

import numpy as np
import pytest

from sims.numbers.arithmetic import exact
from sims.simulations.design_choices import recipes
from sims.simulations.design_choices.recipes import Recipes


def test_the_numbers_of_the_chapter() -> None:
    assert recipes.model_parameters(family="gpt-2", width=768, blocks=12) == 124_439_808
    assert recipes.parameters(family="llama", width=4096) == 202_383_360
    assert recipes.part_parameters(family="original", width=512, part="attention") == 1_050_624
    assert recipes.part_parameters(family="original", width=512, part="mlp") == 2_099_712
    assert recipes.part_parameters(family="original", width=512, part="norm") == 2_048
    assert recipes.hidden_units(width=4096) == 11_008
    assert recipes.hidden_units(width=8192, family="gpt-2") == 32_768
    assert recipes.additions(blocks=96) == 192


@pytest.mark.parametrize(
    ("blocks", "factor", "spread"),
    [
        (12, 0.2041, 0.004082),
        (24, 0.1443, 0.002887),
        (32, 0.1250, 0.0025),
        (48, 0.1021, 0.002041),
        (96, 0.0722, 0.001443),
    ],
)
def test_f_05_the_table_of_factors(blocks: int, factor: float, spread: float) -> None:
    assert recipes.start_factor(blocks=blocks) == pytest.approx(factor, abs=5e-5)
    assert recipes.start_factor(blocks=blocks, spread=0.02) == pytest.approx(spread, abs=5e-7)
    assert recipes.start_factor(blocks=blocks) == pytest.approx(float(exact.branch_factor(additions=2 * blocks)))


def test_f_05_stream_variance_of_the_worked_example() -> None:
    assert recipes.stream_variance(blocks=32, variance=0.5, scaled=False) == 33
    assert recipes.stream_variance(blocks=32, variance=0.5, scaled=True) == 1.5


@pytest.mark.parametrize("blocks", [8, 32, 128])
def test_f_05_independent_branches_over_the_root_of_their_number_stay_and_equal_ones_do_not(blocks: int) -> None:
    """F-05: 1 + v at any depth for branches that know nothing of each other, and 1 + 2Nv once all of them agree."""
    variance, draws, additions = 0.5, 20_000, 2 * blocks
    random = np.random.default_rng(0)
    factor = float(recipes.start_factor(blocks=blocks))
    stream = random.normal(size=draws)
    agreed = stream + additions * factor * random.normal(scale=variance**0.5, size=draws)
    for _ in range(additions):
        stream = stream + factor * random.normal(scale=variance**0.5, size=draws)
    assert stream.var() == pytest.approx(
        recipes.stream_variance(blocks=blocks, variance=variance, scaled=True), rel=0.03
    )
    assert agreed.var() == pytest.approx(
        recipes.stream_variance(blocks=blocks, variance=variance, scaled=False), rel=0.03
    )


def test_its_words_count_what_its_rows_count() -> None:
    simulation = Recipes(family="llama", width=4096, head_width=128, blocks=32)
    frame = simulation.compute()
    assert frame["parameters"].sum() == frame.results["parameters"] == 202_383_360
    assert frame["operations"].sum() == frame.results["operations"]
    assert "64 residual additions" in simulation.describe(frame)
    assert "passes its input on unchanged" in Recipes(start="zero").describe(Recipes(start="zero").compute())
    assert "class LlamaBlock" in simulation.listing()
