"""Spectra as training goes: around 1 where branches are small, and spread where they are not."""

import numpy as np
import pytest

from sims.contract.frame import Frame
from sims.instruments.gradients.jacobian_spectra import effective_rank
from sims.simulations.gradients.spectrum import LOOKS, POINTS, WIDTH, Spectrum, error, found, value


def untrained(**settings: object) -> Frame:
    simulation = Spectrum(**settings)
    return simulation.frame(simulation.start())


@pytest.fixture(scope="module")
def run() -> tuple[Spectrum, Frame]:
    simulation = Spectrum(blocks=4, training_steps=200, seeds=2)
    return simulation, simulation.compute()


@pytest.mark.exhaustive
@pytest.mark.parametrize("trained", [False, True])
def test_values_cluster_around_1_where_the_branch_is_small_and_spread_where_it_is_not(trained: bool) -> None:
    small = value("residual", "near", trained, "lowest", branch_factor="1/sqrt(blocks)")
    full = value("residual", "near", trained, "highest")
    assert small > 0.95
    assert full < 0.75


def test_blocks_that_start_at_zero_are_the_identity_and_their_product_too() -> None:
    frame = untrained(initialization="zero-last", blocks=4)
    assert frame["residual_blocks"] == pytest.approx(np.ones((4, WIDTH)))
    assert frame["residual_whole"] == pytest.approx(np.ones(WIDTH))
    assert float(frame.results["residual_whole_rank"]) == pytest.approx(WIDTH)


def test_many_blocks_near_the_identity_make_a_product_that_is_not() -> None:
    for trained in (False, True):
        block = value("residual", "block_rank", trained, "lowest", branch_factor="1/sqrt(blocks)")
        whole = value("residual", "whole_rank", trained, "highest", branch_factor="1/sqrt(blocks)")
        assert block > 0.95 * WIDTH
        assert whole < 0.7 * WIDTH


def test_a_plain_block_loses_directions_and_all_together_lose_nearly_all() -> None:
    assert value("plain", "block_rank", False, "highest") < WIDTH / 2
    assert value("plain", "whole_rank", False, "highest") < 3
    assert error("plain") > error("residual", branch_factor="1/sqrt(blocks)", statistic="highest")


@pytest.mark.exhaustive
def test_trained_plain_blocks_lose_more_than_half_of_their_directions_outright() -> None:
    simulation = Spectrum()
    run = simulation.advance(simulation.start(), simulation.training_steps).runs["plain"]
    assert all((spectra.blocks == 0).mean() > 0.5 for spectra in found(run))


def test_a_run_is_looked_at_before_it_and_in_equal_steps_until_its_end(run: tuple[Spectrum, Frame]) -> None:
    _, frame = run
    assert frame["looks"].tolist() == [200 // LOOKS * look for look in range(LOOKS + 1)]
    for quantity in ("near", "block_rank", "whole_rank", "largest"):
        for name in ("plain", "residual"):
            assert frame[f"{name}_{quantity}"][-1] == pytest.approx(frame.results[f"{name}_{quantity}"])
            assert (frame[f"{name}_{quantity}_low"] <= frame[f"{name}_{quantity}_high"]).all()


def test_what_is_drawn_is_the_median_of_seeds_and_images() -> None:
    simulation = Spectrum(blocks=2, seeds=2)
    state = simulation.start()
    frame, spectra = simulation.frame(state), found(state.runs["residual"])
    first = np.concatenate([item.whole[:, 0] for item in spectra])
    assert first.shape == (2 * POINTS,)
    assert frame["residual_whole"][0] == pytest.approx(np.median(first))
    ranks = [effective_rank(item.whole).mean() for item in spectra]
    assert frame.results["residual_whole_rank"] == pytest.approx(np.median(ranks))


def test_the_factor_leaves_the_plain_network_as_it_was() -> None:
    one, other = untrained(blocks=2), untrained(blocks=2, branch_factor="1/blocks")
    assert np.array_equal(one["plain_blocks"], other["plain_blocks"])
    assert not np.array_equal(one["residual_blocks"], other["residual_blocks"])
