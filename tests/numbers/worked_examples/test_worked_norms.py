"""The arithmetic of chapter 4, against PyTorch and against numbers worked out by hand."""

import numpy as np
import pytest
import torch

from sims.numbers.worked_examples import worked_norms

Z = {"first": 1.0, "second": 2.0, "third": 6.0}


def test_w4_1_three_numbers_by_hand():
    assert worked_norms.mean(**Z) == 3
    assert worked_norms.deviation(**Z) == pytest.approx(2.1602, abs=1e-4)
    assert worked_norms.normalized(**Z) == "[\N{MINUS SIGN}0.9258, \N{MINUS SIGN}0.4629, 1.3887]"
    assert worked_norms.gradient_of_sum(**Z) == "[0.0000, 0.0000, 0.0000]"
    assert worked_norms.gradient_of_first(**Z) == "[0.1763, \N{MINUS SIGN}0.2204, 0.0441]"
    assert worked_norms.largest_singular_value(**Z) == pytest.approx(0.4629, abs=1e-4)


def test_the_jacobian_is_torchs():
    z = np.random.default_rng(0).normal(size=9)
    theirs = torch.autograd.functional.jacobian(
        lambda x: torch.nn.functional.layer_norm(x, (9,), eps=0.0), torch.tensor(z)
    )
    np.testing.assert_allclose(worked_norms.jacobian(z), theirs.numpy(), atol=1e-12)


def test_its_singular_values_are_one_over_sigma_and_two_zeros():
    z = np.random.default_rng(1).normal(size=64)
    values = np.linalg.svd(z.std() * worked_norms.jacobian(z), compute_uv=False)
    np.testing.assert_allclose(values, [1.0] * 62 + [0.0] * 2, atol=1e-6)


def test_equal_numbers_have_no_direction_left():
    assert worked_norms.normalized(first=2, second=2, third=2) == "[0.0000, 0.0000, 0.0000]"
    assert worked_norms.largest_singular_value(first=2, second=2, third=2) == 0


def test_w4_2_scalars():
    assert worked_norms.product(slope=0.05, blocks=4) == pytest.approx(1.2155, abs=1e-4)
    assert worked_norms.product(slope=-0.05, blocks=4) == pytest.approx(0.8145, abs=1e-4)
    assert worked_norms.product(slope=-0.05, blocks=24) == pytest.approx(0.292, abs=1e-3)


def test_c_08_torchs_encoder_layer_is_post_ln_by_default():
    assert worked_norms.torch_default() == "False"


def test_c_18_layer_norm_looks_at_one_sample_only():
    points = torch.randn(5, 9)
    alone = torch.nn.functional.layer_norm(points[:1], (9,))
    assert torch.equal(torch.nn.functional.layer_norm(points, (9,))[:1], alone)


def test_c_05_a_pre_ln_product_has_no_floor():
    assert worked_norms.product(slope=-0.5, blocks=24) < 1e-7


def test_c_04_the_last_branch_weighs_as_much_as_the_stream_in_post_ln_and_next_to_nothing_in_pre_ln():
    """Measured in sums of independent normal vectors, with and without a norm after each sum."""
    random, width, sums = np.random.default_rng(0), 20_000, 48
    for placement in ("post", "pre"):
        stream = random.normal(size=width)
        for _ in range(sums):
            branch = random.normal(size=width)
            stream = stream + branch
            share = branch.var() / stream.var()
            if placement == "post":
                stream = (stream - stream.mean()) / stream.std()
        assert worked_norms.branch_share(placement=placement, sums=sums) == pytest.approx(share, rel=0.05)
