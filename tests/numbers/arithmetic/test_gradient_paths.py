"""The numbers of sentences about paths, with the values of the fact ledger; the ids are those of the claims."""

import math

import numpy as np
import pytest

from sims.instruments.gradients.path_sums import counts
from sims.numbers.arithmetic import gradient_paths


def test_b_13_enumeration_is_the_product() -> None:
    assert gradient_paths.enumeration_error(blocks=14) < 1e-12


def test_b_01_negative_gains() -> None:
    for blocks, left in ((10, 0.349), (20, 0.1216), (50, 0.00515)):
        assert gradient_paths.with_skips(gain=-0.1, blocks=blocks) == pytest.approx(left, rel=3e-3)
    for blocks, left in ((3, 0.343), (10, 0.0282), (20, 7.97923e-4), (50, 1.80e-8)):
        assert gradient_paths.with_skips(gain=-0.3, blocks=blocks) == pytest.approx(left, rel=3e-3)
    assert gradient_paths.with_skips(gain=-1.0, blocks=1) == 0
    assert gradient_paths.size(gain=-1.5, blocks=20) == gradient_paths.size(gain=-0.5, blocks=20)
    assert [gradient_paths.with_skips(gain=-2.0, blocks=blocks) for blocks in (7, 8)] == [-1, 1]
    assert gradient_paths.with_skips(gain=-2.5, blocks=20) == pytest.approx(3325.256730, rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_b_01_no_direction_shrinks_below_one_minus_the_norm_of_the_branch(seed: int) -> None:
    jacobian = np.random.default_rng(seed).normal(size=(8, 8)) / 8
    smallest = np.linalg.svd(np.eye(8) + jacobian, compute_uv=False)[-1]
    assert smallest >= 1 - np.linalg.norm(jacobian, 2)
    unit = np.linalg.qr(jacobian)[0][:, 0]
    assert (np.eye(8) - np.outer(unit, unit)) @ unit == pytest.approx(np.zeros(8), abs=1e-12)


def test_the_table_at_a_gain_of_three_tenths() -> None:
    for blocks, plain, residual, ratio in (
        (3, 0.027, 2.197, 81.37),
        (5, 0.00243, 3.71293, 1527.9547),
        (10, 5.905e-6, 13.7858, 2.3346e6),
        (20, 3.487e-11, 190.050, 5.4506e12),
        (50, 7.179e-27, 4.979e5, 6.94e31),
        (100, 5.154e-53, 2.479e11, 4.81e63),
    ):
        assert gradient_paths.without_skips(gain=0.3, blocks=blocks) == pytest.approx(plain, rel=1e-3)
        assert gradient_paths.with_skips(gain=0.3, blocks=blocks) == pytest.approx(residual, rel=1e-3)
        assert gradient_paths.ratio(gain=0.3, blocks=blocks) == pytest.approx(ratio, rel=1e-3)
    assert gradient_paths.with_skips(gain=0.3, blocks=5) == pytest.approx(3.71293, abs=1e-9)
    assert gradient_paths.ratio(gain=0.3, blocks=5) == pytest.approx(1527.9547, abs=1e-3)
    assert gradient_paths.ratio(gain=0.0, blocks=3) == math.inf
    assert gradient_paths.paths(blocks=20) == 1_048_576


def test_b_05_shares_by_length() -> None:
    groups = [gradient_paths.group(gain=0.3, blocks=3, length=length) for length in range(4)]
    assert groups == pytest.approx([1, 0.9, 0.27, 0.027])
    shares = [gradient_paths.group_share(gain=0.3, blocks=3, length=length) for length in range(4)]
    assert shares == pytest.approx([0.455166, 0.409649, 0.122895, 0.012289], abs=1e-6)
    assert gradient_paths.direct_percent(gain=0.3, blocks=3) == pytest.approx(45.5166, abs=1e-4)
    assert gradient_paths.group_share(gain=-1.0, blocks=3, length=0) == math.inf
    half = float(gradient_paths.half_share_gain(blocks=3))
    assert half == pytest.approx(0.259921, abs=1e-6)
    assert gradient_paths.direct_percent(gain=half, blocks=3) == pytest.approx(50)


def test_one_bad_block() -> None:
    sums = [gradient_paths.three(first=0.3, second=-0.9, third=0.5, length=length) for length in range(4)]
    assert sums == pytest.approx([1, -0.1, -0.57, -0.135])
    assert gradient_paths.three(first=0.3, second=-0.9, third=0.5) == pytest.approx(0.195) == pytest.approx(sum(sums))


def test_the_later_block_is_on_the_left() -> None:
    assert gradient_paths.order_error(right=True) < 1e-5
    assert gradient_paths.order_error(right=False) > 0.1
    assert gradient_paths.in_order(upper=1.0, lower=1.0, first="A") == "[1, 1; 1, 2]"
    assert gradient_paths.in_order(upper=1.0, lower=1.0, first="B") == "[2, 1; 1, 1]"
    assert gradient_paths.in_order(upper=-2.0, lower=1.0, first="A") == "[1, −2; 1, −1]"


def test_b_18_binomial_lengths() -> None:
    counted = counts(54) / 2.0**54
    assert counted[5:18].sum() == pytest.approx(0.00453667, abs=1e-6)
    assert counted[19:36].sum() == pytest.approx(0.980166, abs=1e-6)
    assert gradient_paths.likeliest_length(gain=0.2, blocks=54) == 9
    for gain, mean in ((0.1, 4.9), (0.2, 9.0), (0.3, 12.5), (0.5, 18.0)):
        assert gradient_paths.mean_length(gain=gain, blocks=54) == pytest.approx(mean, abs=0.05)


def test_page_gradient_paths_divided_branches_keep_the_gradient_at_every_depth() -> None:
    """page.gradient-paths: between 1 + g and e^g, from one block to any number."""
    for blocks in (1, 3, 20, 100, 10_000):
        assert 1.3 <= gradient_paths.divided(gain=0.3, blocks=blocks) < math.exp(0.3)


def test_branches_of_random_directions_are_half_of_all_unless_divided() -> None:
    for blocks in (8, 16, 54):
        assert gradient_paths.random_mean_length(blocks=blocks, divided=False) == pytest.approx(blocks / 2)
    poisson = [1 / math.sqrt(math.factorial(length)) for length in range(60)]
    limit = sum(length * size for length, size in enumerate(poisson)) / sum(poisson)
    assert gradient_paths.random_mean_length(blocks=1000) == pytest.approx(limit, rel=2e-3)
