"""Towers of blocks; the ids are those of the claims."""

import numpy as np
import pytest

from sims.comparisons.scalings import SCALINGS
from sims.simulations.depth.signal import ALPHAS, Signal, alpha_through, growth, largest_alpha, reading, theory


def test_a_stream_that_underflows_is_said_to_become_zero() -> None:
    simulation = Signal(recipe="plain", start="default", blocks=100)
    text = simulation.describe(simulation.compute())
    assert "Plain: after 100 blocks the stream is too small for single precision, and becomes 0." in text


@pytest.mark.exhaustive
@pytest.mark.parametrize(("alpha", "factor", "room"), [(1.0, 1.0274, 0.002), (0.5, 1.00692, 0.001)])
def test_f_01_without_a_norm_every_block_multiplies_the_stream(alpha: float, factor: float, room: float) -> None:
    """F-01: a library's default start; α = 1 and α = 0.5."""
    assert growth(alpha=alpha) == pytest.approx(factor, abs=room)
    assert theory(alpha=alpha, blocks=1, start="default") ** 0.5 == pytest.approx(factor, abs=1e-4)


@pytest.mark.exhaustive
def test_f_01_with_a_norm_in_the_branch_the_mean_square_grows_by_the_same_amount() -> None:
    sizes = [reading(scaling="pre", what="stream", blocks=1000, at=at) ** 2 for at in (250, 500, 1000)]
    assert sizes[1] / sizes[0] == pytest.approx(2, rel=0.15)
    assert sizes[2] / sizes[1] == pytest.approx(2, rel=0.15)


def test_full_size_branches_leave_the_numbers_without_scaling_and_a_norm_keeps_them_there() -> None:
    """It is depth without a norm that fails, in every seed."""
    low, high = (
        reading(scaling="1", what="overflow", blocks=1000, statistic=statistic) for statistic in ("lowest", "highest")
    )
    assert 200 < low <= high < 300
    assert reading(scaling="pre", what="stream", blocks=1000, statistic="highest") < 50


@pytest.mark.exhaustive
@pytest.mark.parametrize("blocks", [100, 1000])
def test_f_05_at_the_start_one_over_the_root_keeps_stream_and_gradient(blocks: int) -> None:
    for quantity in ("stream", "gradient"):
        for statistic in ("lowest", "highest"):
            assert 1.2 < reading(scaling="root", what=quantity, blocks=blocks, statistic=statistic) < 2.5


@pytest.mark.exhaustive
def test_f_10_deep_norm_keeps_the_gradient_of_a_thousand_blocks_and_its_inversion_loses_it() -> None:
    """F-10: the norm behind the sum, and the factors exchanged."""
    assert reading(scaling="deep", what="gradient", blocks=1000, statistic="lowest") > 0.9
    assert reading(scaling="deep", what="gradient", blocks=1000, statistic="highest") < 1.1
    assert reading(scaling="inverted", what="gradient", blocks=1000, statistic="highest") < 0.05
    assert reading(scaling="inverted", what="cosine", blocks=1000, statistic="lowest") > 0.999


def test_f_10_a_factor_in_front_of_a_norm_does_nothing() -> None:
    """F-10: LN(5x) = LN(x), but for the norm's ε and rounding."""
    one, five = (Signal(recipe="inverted-front", beta=beta, blocks=30).compute() for beta in (1.0, 5.0))
    for name in ("right_stream", "right_gradient", "right_first", "right_last"):
        assert five[name] == pytest.approx(one[name], rel=2e-4)


@pytest.mark.parametrize("recipe", ["rezero", "zero", "fixup"])
def test_what_starts_at_the_identity_hands_everything_on(recipe: str) -> None:
    """Of ReZero's gradients only that of α is there; of a zero last layer, only the last layer's."""
    frame = Signal(recipe=recipe, blocks=20).compute()
    assert frame["right_stream"] == pytest.approx(np.ones(21), abs=1e-6)
    assert frame["right_gradient"] == pytest.approx(np.ones(21), abs=1e-6)
    assert (frame["right_first"] == 0).all()
    assert (frame["right_last"] == 0).all() == (recipe == "rezero")
    assert (frame["right_factor"] != 0).all() == (recipe == "rezero")


def test_a_scaled_branch_gets_a_gradient_scaled_alike() -> None:
    """With α = 0.001 against 0.01, where the stream is next to the same."""
    small, smaller = (Signal(alpha=alpha, blocks=20).compute() for alpha in (0.01, 0.001))
    assert smaller["left_gradient"] == pytest.approx(small["left_gradient"], rel=0.05)
    assert smaller["left_first"] == pytest.approx(small["left_first"] / 10, rel=0.1)


def test_a_small_start_is_a_choice() -> None:
    """The same blocks with and without it."""
    scaled, bare = (reading(scaling=scaling, what="gradient", blocks=100) for scaling in ("root", "1"))
    assert scaled < 3 < 1e12 < bare


@pytest.mark.parametrize("alpha", [0.1, 0.3, 0.5, 1.0])
def test_pulling_the_edge_to_where_it_is_changes_nothing(alpha: float) -> None:
    stream = Signal(alpha=alpha, blocks=100).compute()["left_stream"]
    actual = alpha_through(float(stream[100]), 100, "full")
    assert abs(ALPHAS.index(actual) - ALPHAS.index(alpha)) <= 1


@pytest.mark.exhaustive
def test_the_largest_factor_that_survives_is_between_theory_and_chance() -> None:
    """Theory: single precision ends at 3.4e38, which (1 + α²)^500 reaches at α = 0.44."""
    assert largest_alpha() in (0.35, 0.4, 0.45)


@pytest.mark.parametrize("recipe", SCALINGS)
def test_every_recipe_has_words(recipe: str) -> None:
    simulation = Signal(recipe=recipe, blocks=10)
    assert SCALINGS[recipe].label in simulation.describe(simulation.compute())
