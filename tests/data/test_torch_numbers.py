"""The random numbers of a seed are those of torch."""

import numpy as np
import pytest
import torch

from sims.data.torch_numbers import TorchNumbers


@pytest.mark.parametrize("seed", [0, 42, 9999])
def test_numbers_come_as_torch_draws_them(seed):
    torch.manual_seed(seed)
    theirs = [torch.nn.Linear(64, 48), torch.randn(4, 64), torch.rand(5), torch.randn(1024)]
    ours = TorchNumbers(seed)
    weight, bias = ours.linear(64, 48)
    np.testing.assert_allclose(weight, theirs[0].weight.detach().numpy(), rtol=0, atol=2e-8)
    np.testing.assert_allclose(bias, theirs[0].bias.detach().numpy(), rtol=0, atol=2e-8)
    np.testing.assert_allclose(ours.normal(4, 64), theirs[1].numpy(), rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(ours.uniform(5), theirs[2].numpy())
    np.testing.assert_allclose(ours.normal(1024), theirs[3].numpy(), rtol=1e-5, atol=1e-6)


def test_a_count_that_torch_treats_otherwise_is_refused():
    with pytest.raises(ValueError, match="17 is no multiple of 16"):
        TorchNumbers(0).normal(17)
