"""Jacobians of real networks, multiplied: the bound holds, the typical stretch fits before training only."""

import numpy as np
import pytest

from sims.contract.simulation import Frame
from sims.instruments.gradients.opened_blocks import opened
from sims.simulations.gradients.network_jacobians import NetworkJacobians, walks


def untrained(**settings: object) -> Frame:
    simulation = NetworkJacobians(**settings)
    return simulation.frame(simulation.start())


@pytest.fixture(scope="module")
def frame() -> Frame:
    return untrained(blocks=12)


@pytest.mark.parametrize("name", ["plain", "residual"])
def test_no_product_exceeds_the_bound(frame: Frame, name: str) -> None:
    bound = frame[f"{name}_bound"] * (1 + 1e-9)
    assert (frame[f"{name}_product"] <= bound).all()
    assert (frame[f"{name}_gradient"] <= bound * 3**0.5).all()
    assert bound[-1] > 20 * frame[f"{name}_gradient"][-1]


@pytest.mark.parametrize("name", ["plain", "residual"])
def test_the_typical_stretch_tells_the_gradient_before_training(frame: Frame, name: str) -> None:
    ratio = frame[f"{name}_gradient"][-1] / frame[f"{name}_typical"][-1]
    assert 1 / 5 < ratio < 5


def test_b_11_the_default_initialization_makes_the_plain_gradient_vanish() -> None:
    results = untrained(blocks=12, initialization="default").results
    assert float(results["plain_gradient"]) < 1e-3
    assert float(results["residual_gradient"]) == pytest.approx(1, abs=0.5)


def test_g_17_a_zero_last_layer_keeps_the_first_from_learning() -> None:
    frame = untrained(blocks=4, branch="two-layer", initialization="zero-last")
    assert (frame["first"] == 0).all()
    assert (frame["last"] > 0).all()
    assert frame["arriving"] == pytest.approx(np.full(4, frame["arriving"][0]))
    simulation = NetworkJacobians(blocks=4, branch="two-layer", initialization="zero-last")
    after = simulation.frame(simulation.advance(simulation.start(), 2))
    assert (after["first"] > 0).all()


def test_blocks_of_one_layer_have_one_matrix() -> None:
    assert "last" not in untrained(blocks=3).quantities
    assert "last" in untrained(blocks=3, branch="two-layer").quantities


def test_walks_against_whole_singular_values() -> None:
    simulation = NetworkJacobians(blocks=3, seeds=1)
    run = simulation.start()["residual"]
    data = run.source.load()
    blocks = opened(run, 0, data.test_inputs[:2], data.test_labels[:2])
    means = walks(blocks)
    jacobians = [blocks.jacobian(index) for index in range(3)]
    largest = np.stack([np.linalg.svd(jacobian, compute_uv=False)[:, 0] for jacobian in jacobians])
    product = jacobians[2] @ jacobians[1] @ jacobians[0]
    values = np.linalg.svd(product, compute_uv=False)
    assert means["spectral"] == pytest.approx(largest.mean(axis=1))
    assert means["bound"][-1] == pytest.approx(np.sqrt((largest.prod(axis=0) ** 2).mean()))
    assert means["product"][-1] == pytest.approx(np.sqrt((values**2).mean()))


def test_a_network_that_is_certain_has_a_gradient_of_zero() -> None:
    simulation = NetworkJacobians(blocks=3, seeds=1)
    run = simulation.start()["plain"]
    data = run.source.load()
    blocks = opened(run, 0, data.test_inputs[:2], data.test_labels[:2])
    nothing = type(blocks)(**{**vars(blocks), "gradient": np.zeros_like(blocks.gradient)})
    assert walks(nothing)["gradient"].tolist() == [0] * 4
