"""Gradients through Post-LN blocks, against PyTorch and against the power law."""

import numpy as np
import pytest
import torch

from sims.numbers.arithmetic import exact
from sims.simulations.norm_placement import ln_jacobian
from sims.simulations.norm_placement.ln_jacobian import POINTS, WIDTH, Blocks, LnJacobian


def test_gradients_along_all_routes_are_torchs():
    blocks = Blocks(0.5, 3, 0)
    cotangents = np.random.default_rng(1).normal(size=(POINTS, WIDTH))
    x = torch.tensor(blocks.streams[0], requires_grad=True)
    h = x
    for first, second in zip(blocks.first, blocks.second, strict=True):
        branch = torch.relu(h @ torch.tensor(first).T) @ torch.tensor(second).T
        h = torch.nn.functional.layer_norm(h + branch, (WIDTH,), eps=0.0)
    np.testing.assert_allclose(h.detach().numpy(), blocks.streams[-1], atol=1e-12)
    (slope,) = torch.autograd.grad((h * torch.tensor(cotangents)).sum(), x)
    ours = blocks.gradients(cotangents, with_branch=True)
    assert ours[-1] == pytest.approx(slope.square().mean().sqrt().item(), rel=1e-9)


def test_jacobians_of_a_block_multiply_to_its_gradient():
    blocks = Blocks(0.5, 1, 0)
    of_norm, of_branch = blocks.jacobians(0, 3)
    cotangents = np.zeros((POINTS, WIDTH))
    cotangents[3] = np.random.default_rng(2).normal(size=WIDTH)
    whole = cotangents[3] @ of_norm @ (np.eye(WIDTH) + of_branch)
    size = np.sqrt(np.square(whole).sum() / cotangents.size)
    assert blocks.gradients(cotangents, with_branch=True)[-1] == pytest.approx(size, rel=1e-9)


@pytest.mark.parametrize("variance", [0.04, 0.25, 1.0])
def test_the_skips_keep_what_their_norms_divide_by(variance):
    blocks = Blocks(variance, 24, 0)
    cotangents = np.random.default_rng(1).normal(size=(POINTS, WIDTH))
    sizes = blocks.gradients(cotangents, with_branch=False)
    product = np.exp(sum(np.log(scale).mean() for scale in blocks.scales))
    assert sizes[-1] / sizes[0] == pytest.approx(product, rel=0.15)


@pytest.mark.parametrize("variance", [0.04, 0.25, 1.0])
@pytest.mark.parametrize("blocks", [4, 24])
def test_the_skips_fade_by_the_power_law_and_the_whole_does_not(variance, blocks):
    """The law is that of a branch with a variance of exactly v. Drawn branches vary around it, which keeps more."""
    law = ln_jacobian.kept(variance=variance, norms=blocks)
    skip = ln_jacobian.measured(variance=variance, blocks=blocks, with_branch=False)
    assert 0.95 * law < skip < 2 * law
    assert 0.8 < ln_jacobian.measured(variance=variance, blocks=blocks, with_branch=True) < 1.5


@pytest.mark.exhaustive
def test_what_is_left_spreads_with_depth_and_fades_in_the_end():
    """Within a factor of three of 1 at 24 blocks whatever the seed; below 1 on all of them at 1,000."""
    low, high = (
        [
            ln_jacobian.measured(variance=1.0, blocks=blocks, with_branch=True, statistic=statistic)
            for blocks in (24, 300)
        ]
        for statistic in ("lowest", "highest")
    )
    assert 1 / 3 < low[0] < high[0] < 3
    assert high[1] / low[1] > 30 * high[0] / low[0]
    assert ln_jacobian.measured(variance=1.0, blocks=1000, with_branch=True, statistic="highest") < 1


def test_the_table_of_powers():
    assert ln_jacobian.kept(variance=0.25) == pytest.approx(0.8944, abs=1e-4)
    assert ln_jacobian.kept(variance=0.25, norms=4) == pytest.approx(0.64)
    assert ln_jacobian.kept(variance=1.0, norms=24) == pytest.approx(2.44e-4, rel=1e-3)


@pytest.mark.parametrize("variance", [0.01, 4.0])
def test_two_singular_values_are_zero_whatever_the_branch(variance):
    frame = LnJacobian(variance=variance, blocks=1).compute()
    assert frame.results["zeros"] == 2
    np.testing.assert_allclose(frame["alone"][:-2], 1, atol=1e-6)


@pytest.mark.exhaustive
@pytest.mark.parametrize("blocks", [100, 300, 1000])
def test_what_is_left_is_what_a_product_of_random_matrices_leaves(blocks):
    """The median of ten seeds lies within one spread of the formula for independent Gaussian matrices."""
    median = ln_jacobian.measured(variance=1.0, blocks=blocks, with_branch=True)
    formula = exact.gaussian_product_median(matrices=blocks, width=ln_jacobian.WIDTH)
    spread = exact.gaussian_product_spread(matrices=blocks, width=ln_jacobian.WIDTH)
    assert formula / spread < median < formula * spread
