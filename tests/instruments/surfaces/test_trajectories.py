"""Planes through a trajectory."""

import numpy as np
import pytest
from sklearn.decomposition import TruncatedSVD

from sims.instruments.surfaces.trajectories import principal, random_plane, seen_by


def walk(numbers: int = 500) -> np.ndarray:
    return np.random.default_rng(0).normal(size=(30, numbers)).cumsum(axis=0)


def test_the_plane_is_the_one_that_scikit_learn_finds() -> None:
    snapshots = walk()
    away = snapshots - snapshots[-1]
    theirs = TruncatedSVD(2, algorithm="arpack", random_state=0).fit(away)
    ours = principal(snapshots)
    np.testing.assert_allclose(np.abs(ours.directions @ theirs.components_.T), np.eye(2), atol=1e-7)
    assert ours.explained == pytest.approx((theirs.singular_values_**2).sum() / (away**2).sum())


def test_coordinates_are_projections_and_the_end_is_the_origin() -> None:
    ours = principal(walk())
    np.testing.assert_allclose(ours.directions @ ours.directions.T, np.eye(2), atol=1e-9)
    np.testing.assert_array_equal(ours.coordinates[-1], [0, 0])
    assert (ours.coordinates[0] >= 0).all()


def test_a_random_plane_sees_the_root_of_two_over_the_dimension() -> None:
    """W3.3: √(2/10,000) = 0.014, here as the root mean square over 40 planes."""
    snapshots = walk(10_000)[[0, -1]]
    shares = [seen_by(random_plane(10_000, seed), snapshots) for seed in range(40)]
    assert np.sqrt(np.mean(np.square(shares))) == pytest.approx(0.01414, rel=0.3)


def test_a_trajectory_that_never_moved_is_a_point() -> None:
    still = principal(np.ones((4, 10)))
    assert np.isfinite(still.directions).all()
    np.testing.assert_array_equal(still.coordinates, np.zeros((4, 2)))
