"""The popular 30-block comparison, rerun; the ids are those of the content brief."""

import pytest

from sims.numbers.networks import prenorm_stack


def test_e_03_residual_stack_of_the_popular_comparison() -> None:
    output, gradient = prenorm_stack.norms(depth=30, skip=True, seed=42)
    assert output == pytest.approx(189.88, abs=0.5)
    assert gradient == pytest.approx(202.07, abs=0.5)


def test_e_03_plain_stack_of_the_popular_comparison() -> None:
    output, gradient = prenorm_stack.norms(depth=30, skip=False, seed=42)
    assert output == pytest.approx(22.9, rel=0.02)
    assert gradient == pytest.approx(63.5, rel=0.02)


@pytest.mark.exhaustive
def test_e_03_a_plain_gradient_explodes_with_depth() -> None:
    plain = {depth: float(prenorm_stack.input_gradient(depth=depth, skip=False)) for depth in (30, 50, 200)}
    residual = {depth: float(prenorm_stack.input_gradient(depth=depth, skip=True)) for depth in (30, 200)}
    assert 20 < plain[30] < 100
    assert plain[200] > 10 * plain[50]
    assert plain[200] > residual[200] > residual[30] > plain[30]
    least = float(prenorm_stack.input_gradient(depth=200, skip=False, statistic="lowest"))
    assert least > float(prenorm_stack.input_gradient(depth=200, skip=True, statistic="highest"))


def test_the_random_numbers_of_the_caller_stay_as_they_were() -> None:
    import torch

    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    prenorm_stack.norms(depth=2, skip=True, seed=5)
    assert torch.equal(torch.rand(3), expected)
