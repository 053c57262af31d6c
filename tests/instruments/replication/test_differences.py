"""The statistics of a comparison, by hand and against SciPy."""

import numpy as np
import pytest
from scipy import stats

from sims.instruments.replication.differences import QUANTILES, Difference, floor, paired, verdict


def test_a_paired_difference_by_hand():
    baseline = np.array([2.0, 2.1, 2.2, 2.3, 2.4, 2.5])
    difference = paired(baseline + np.array([0.1, 0.3] * 3), baseline)
    # Deviations of 0.1 from the mean: variance 6 · 0.01 / 5, and its mean over 6 seeds 0.002.
    assert difference.mean == pytest.approx(0.2)
    assert difference.high - difference.mean == pytest.approx(2.571 * 0.002**0.5)
    assert difference.mean - difference.low == pytest.approx(2.571 * 0.002**0.5)


def test_what_all_designs_share_with_the_baseline_at_a_seed_drops_out():
    noise = np.random.default_rng(0).normal(size=10)
    assert paired(noise + 0.25, noise) == pytest.approx((0.25, 0.25, 0.25))


@pytest.mark.parametrize("freedom", QUANTILES)
def test_quantiles_are_students(freedom):
    assert QUANTILES[freedom] == pytest.approx(stats.t.ppf(0.975, freedom), abs=5e-4)


def test_an_interval_equals_scipys():
    one, other = np.random.default_rng(1).normal(size=(2, 10))
    expected = stats.ttest_rel(one, other).confidence_interval()
    assert paired(one, other)[1:] == pytest.approx((expected.low, expected.high), rel=1e-3)


def test_other_numbers_of_seeds_are_refused():
    with pytest.raises(KeyError):
        paired(np.zeros(3), np.zeros(3))


def test_the_noise_floor_holds_95_percent_of_differences_between_groups():
    groups = np.random.default_rng(2).normal(size=(10_000, 2, 10))
    apart = np.abs(np.diff(groups.mean(axis=2))[:, 0])
    assert (apart < [floor(*pair) for pair in groups]).mean() == pytest.approx(0.95, abs=0.007)
    one, other = np.arange(10.0), 7 + np.arange(10.0)
    assert floor(one, other) == pytest.approx(2.101 * (np.var(one, ddof=1) * 2 / 10) ** 0.5)
    with pytest.raises(KeyError):
        floor(np.zeros(3), np.zeros(3))


@pytest.mark.parametrize(
    ("difference", "expected"),
    [
        (Difference(-0.2, -0.3, -0.1), "better"),
        (Difference(0.2, 0.1, 0.3), "worse"),
        (Difference(0.2, -0.1, 0.5), "tie"),
        (Difference(0.04, 0.03, 0.05), "tie"),
        (Difference(-0.04, -0.05, -0.03), "tie"),
    ],
)
def test_a_verdict_needs_an_interval_without_0_and_more_than_the_noise(difference, expected):
    assert verdict(difference, 0.05) == expected
