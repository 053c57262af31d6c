"""Products of random matrices; the ids are those of the claims."""

import numpy as np
import pytest

from sims.simulations.gradients.jacobian_walk import (
    DEEPEST,
    FAMILIES,
    JacobianWalk,
    factors,
    outcome,
    reading,
    readings,
    walk,
)


def test_a_spectral_norm_of_two_leaves_a_vector_alone() -> None:
    results = outcome("gaussian", 128, 1.0, DEEPEST, 0)[1]
    assert results["spectral"] == pytest.approx(1.97, abs=0.05)
    assert results["factor"] == pytest.approx(0.998, abs=0.02)
    assert results["rms"] == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("seed", range(3))
def test_a_spectral_norm_above_one_and_a_product_that_vanishes(seed: int) -> None:
    results = JacobianWalk(width=64, sigma=0.8, seed=seed).compute().results
    assert results["spectral"] > 1.4
    assert results["end"] < 1e-15


def test_the_nilpotent_pair() -> None:
    matrices = factors("nilpotent", 16, 0).matrices
    product = matrices[0] @ matrices[1]
    assert np.linalg.eigvals(matrices[0]) == pytest.approx(np.zeros(16))
    assert np.linalg.eigvals(matrices[1]) == pytest.approx(np.zeros(16))
    assert np.linalg.eigvals(product).max() == 4
    assert readings("nilpotent", 16, 1.0, 0)[2] == pytest.approx(0)
    results = JacobianWalk(family="nilpotent", width=16).compute().results
    assert results["factor"] == pytest.approx(2, rel=0.01)


def test_orthogonal_matrices_do_as_all_three_numbers_say() -> None:
    results = JacobianWalk(family="orthogonal", width=16, sigma=0.9, layers=50).compute().results
    for name in ("spectral", "rms", "eigenvalue", "factor"):
        assert results[name] == pytest.approx(0.9)


def test_with_the_identity_random_matrices_always_grow() -> None:
    for sigma in (0.5, 1.5):
        results = JacobianWalk(family="identity", width=32, sigma=sigma).compute().results
        assert float(results["factor"]) > 1
        assert results["rms"] == pytest.approx((1 + sigma**2) ** 0.5, rel=0.05)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_walk_is_the_product(family: str) -> None:
    matrices, vectors, _ = factors(family, 16, 1)
    product = np.eye(16)
    for matrix in matrices[:6]:
        product = (0.7 * matrix + (np.eye(16) if family == "identity" else 0)) @ product
    expected = np.linalg.norm(product @ vectors, axis=0)
    assert walk(family, 16, 0.7, 1)[6] == pytest.approx(expected, rel=1e-9)


def test_the_sentence_on_ten_seeds_holds_for_the_rows_of_the_picture() -> None:
    """A spectral norm near 2, and less than the whole length left behind 200 matrices, on every seed."""
    assert reading(what="spectral") == pytest.approx(2, abs=0.15)
    low, high = (reading(what="end", statistic=statistic) for statistic in ("lowest", "highest"))
    assert 0.01 < low < high < 1
    assert reading(what="spectral", sigma=0.8, statistic="lowest") > 1.4
    assert reading(what="end", sigma=0.8, statistic="highest") < 1e-19
