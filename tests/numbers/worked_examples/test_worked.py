"""The worked examples of chapter 0, against numbers worked out by hand; the ids are those of the content brief."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.numbers.worked_examples import worked
from sims.simulations.depth import failures

NUMBERS = st.floats(-0.99, 100.0).map(lambda x: round(x, 3))


def test_w0_1_one_layer_loses_the_negative_number() -> None:
    """One layer is not enough for both signs."""
    assert worked.copied(first=0.5, second=-0.3) == "[0.5, 0]"
    assert worked.copy_error(first=0.5, second=-0.3) == "[0, 0.3]"


def test_w0_1_one_layer_copies_the_output_of_a_relu() -> None:
    assert worked.copied(first=0.5, second=0.3) == "[0.5, 0.3]"
    assert worked.copied_twice(first=0.5, second=-0.3) == "[0.5, 0]"


@given(NUMBERS, NUMBERS)
def test_w0_1_a_second_copying_layer_changes_nothing(first: float, second: float) -> None:
    assert worked.copied_twice(first=first, second=second) == worked.copied(first=first, second=second)


def test_w0_1_two_layers_copy_both_signs() -> None:
    """Two layers are enough."""
    assert worked.split_hidden(first=0.5, second=-0.3) == "[0.5, 0, 0, 0.3]"
    assert worked.split_copied(first=0.5, second=-0.3) == "[0.5, −0.3]"


def test_w0_1_the_bias_trick_copies_above_minus_the_shift() -> None:
    assert worked.shifted_hidden(first=0.5, second=-0.3, shift=1.0) == "[1.5, 0.7]"
    assert worked.shifted_copied(first=0.5, second=-0.3, shift=1.0) == "[0.5, −0.3]"
    assert worked.shifted_copied(first=0.5, second=-1.5, shift=1.0) == "[0.5, −1]"


@given(NUMBERS, NUMBERS)
def test_w0_1_all_three_ways_of_copying_agree_where_they_apply(first: float, second: float) -> None:
    two_layers = worked.split_copied(first=first, second=second)
    assert two_layers == worked.shifted_copied(first=first, second=second, shift=1.0)
    if min(first, second) >= 0:
        assert two_layers == worked.copied(first=first, second=second)


def test_w0_2_batch_norm_gain_per_layer() -> None:
    assert worked.batch_norm_gain() == pytest.approx(math.sqrt(math.pi / (math.pi - 1)), rel=1e-12)
    assert worked.batch_norm_gain() == pytest.approx(1.2112, abs=5e-5)


@pytest.mark.parametrize(("layers", "gain"), [(8, 4.63), (20, 46.1), (56, 4.57e4), (110, 1.42e9)])
def test_w0_2_batch_norm_gain_of_a_stack(layers: int, gain: float) -> None:
    assert worked.batch_norm_gain(layers=layers) == pytest.approx(gain, rel=2e-3)


def test_w0_2_batch_norm_gain_against_a_sample() -> None:
    """The two expectations of the derivation, over a million draws."""
    z = np.random.default_rng(0).standard_normal(1_000_000)
    behind = np.maximum(z, 0)
    sampled = math.sqrt((z > 0).mean() / behind.var())
    assert worked.batch_norm_gain() == pytest.approx(sampled, rel=5e-3)


def test_w0_3_default_block_gain() -> None:
    assert worked.default_block_gain() == pytest.approx(0.2357, abs=5e-5)
    assert worked.default_block_gain() == pytest.approx(math.sqrt(1 / 18), rel=1e-12)
    assert worked.default_block_gain(blocks=16) == pytest.approx(9.1e-11, rel=5e-3)


def test_w0_3_default_block_gain_against_torch() -> None:
    """A gradient sent back through one wide block with torch's own default weights."""
    import torch

    width = 2048
    torch.manual_seed(0)
    inner, outer = torch.nn.Linear(width, width), torch.nn.Linear(width, width)
    x = torch.randn(64, width, requires_grad=True)
    y = outer(torch.relu(inner(x)))
    upstream = torch.randn_like(y)
    (gradient,) = torch.autograd.grad(y, x, upstream)
    gain = (gradient.norm() / upstream.norm()).item()
    assert worked.default_block_gain() == pytest.approx(gain, rel=0.03)


def test_w0_3_default_layer_gain() -> None:
    assert worked.default_layer_gain() == pytest.approx(1 / math.sqrt(6), rel=1e-12)
    assert worked.default_layer_gain(layers=55) == pytest.approx(4e-22, rel=0.05)


def test_w0_3_default_layer_gain_against_torch() -> None:
    """A gradient sent back through one wide Linear–ReLU layer with torch's own default weights."""
    import torch

    width = 2048
    torch.manual_seed(0)
    layer = torch.nn.Linear(width, width)
    x = torch.randn(64, width, requires_grad=True)
    y = torch.relu(layer(x))
    upstream = torch.randn_like(y)
    (gradient,) = torch.autograd.grad(y, x, upstream)
    assert worked.default_layer_gain() == pytest.approx((gradient.norm() / upstream.norm()).item(), rel=0.03)


def test_w0_3_the_network_of_the_table_loses_that_factor_in_each_of_its_layers() -> None:
    """From 20 to 56 layers, the measured ratio of first to last gradient falls by the power of 36, within a factor of
    five: what the first and the last layer have of their own is in both."""
    at = {depth: failures.first_to_last_gradient(initialization="default", depth=depth) for depth in (20, 56)}
    assert 1 / 5 < at[56] / at[20] / worked.default_layer_gain(layers=36) < 5


@pytest.mark.parametrize("gradient", [1e-12, 1e-3, 0.1, 4.0])
def test_ch0_adam_first_step_against_torch(gradient: float) -> None:
    import torch

    weight = torch.nn.Parameter(torch.zeros(1, dtype=torch.float64))
    weight.grad = torch.tensor([gradient], dtype=torch.float64)
    torch.optim.Adam([weight], lr=0.5).step()
    assert worked.adam_first_step(gradient=gradient) == pytest.approx(-weight.item() / 0.5, rel=1e-6)


def test_ch0_adam_hardly_sees_the_size_of_a_gradient_unless_it_is_below_epsilon() -> None:
    assert worked.adam_step_ratio(larger=0.1, smaller=0.001) == pytest.approx(1e-5, rel=0.02)
    assert worked.adam_first_step(gradient=1e-21) == pytest.approx(1e-13)
