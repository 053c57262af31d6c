"""Shattered gradients: the brief's order of networks, and what a frame holds (B-16)."""

import numpy as np
import pytest

from sims.simulations.gradients.shattering import STARTS, Shattering, likeness


def test_b_16_fifty_plain_layers_shatter_and_scaled_skips_do_not() -> None:
    assert likeness(connection="plain", depth=50) < 0.5 < 0.85 < likeness(connection="scaled", depth=50)


def test_b_16_likeness_falls_with_the_depth_of_plain_networks() -> None:
    values = [likeness(connection="plain", depth=depth) for depth in (1, 5, 20, 50)]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("connection", ["residual", "scaled", "normalized"])
def test_the_plain_network_is_the_same_beside_each_residual_one(connection: str) -> None:
    frame = Shattering(depth=10, connection=connection).compute()
    beside = Shattering(depth=10).compute()
    assert np.array_equal(frame["plain_slope"], beside["plain_slope"])
    assert frame["residual_likeness"][0] == pytest.approx(1)
    assert np.square(frame["residual_slope"]).mean() == pytest.approx(1)


def test_the_number_of_the_prose_is_a_median_of_frames() -> None:
    values = [Shattering(depth=5, seed=seed).compute().results["plain"] for seed in range(STARTS)]
    assert likeness(connection="plain", depth=5) == pytest.approx(float(np.median(values)))
