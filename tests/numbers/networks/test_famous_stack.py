"""A famous demonstration, rerun; the ids are those of the claims."""

import pytest

from sims.numbers.networks import famous_stack
from sims.numbers.networks.famous_stack import gradient_norm, singular_values


def test_b_11_the_plain_collapse_is_the_default_initialization() -> None:
    assert gradient_norm(4, False, "default", 0) == pytest.approx(0.081, rel=0.3)
    assert gradient_norm(32, False, "default", 0) < 1e-15
    assert 10 < gradient_norm(64, False, "he", 0) < 100
    assert famous_stack.output_gradient() == 32


def test_b_11_the_residual_column_grows() -> None:
    norms = [gradient_norm(blocks, True, "default", 0) for blocks in (4, 16, 64)]
    assert norms == sorted(norms)
    assert norms[-1] > 3 * 32
    assert gradient_norm(16, True, "he", 0) > 100 * 32


@pytest.mark.parametrize("seed", range(5))
def test_singular_values_cluster_only_where_the_branch_is_small(seed: int) -> None:
    small, large = (singular_values(True, initialization, seed) for initialization in ("default", "he"))
    assert small[0] / small[-1] < 5
    assert large[0] / large[-1] > 10
    plain = singular_values(False, "default", seed)
    assert plain[0] < 1
    assert plain[-1] < 1e-12
    assert 20 < (plain > 1e-12).sum() < 44  # half of the ReLUs pass nothing, and their directions are lost


def test_the_condition_number_of_a_large_branch_varies_over_orders_of_magnitude() -> None:
    low, high = (
        famous_stack.singular_value(which="condition", skip=True, initialization="he", statistic=statistic)
        for statistic in ("lowest", "highest")
    )
    assert 20 < low < 30
    assert high > 1000
    assert famous_stack.singular_value(which="condition", skip=True, statistic="highest") < 3


def test_b_02_the_mean_square_of_the_stream_doubles_per_block() -> None:
    for blocks in (1, 5, 10):
        assert famous_stack.stream_growth(blocks=blocks) == pytest.approx(2.0**blocks, rel=0.3)


def test_the_random_numbers_of_the_caller_stay_as_they_were() -> None:
    import torch

    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    gradient_norm(2, True, "he", 99)
    singular_values(True, "he", 99)
    assert torch.equal(torch.rand(3), expected)
