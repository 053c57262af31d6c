"""The mask hides the future, and its absence shows."""

import numpy as np
import torch

from sims.numbers.networks.causality import TOKENS, WIDTH, jacobian, leak
from sims.pytorch.layers.transformer_blocks import PreNormBlock


def test_the_jacobian_is_that_of_torch() -> None:
    torch.manual_seed(3)
    block = PreNormBlock(width=WIDTH, heads=4, hidden=4 * WIDTH, causal=False)
    x = torch.randn(1, TOKENS, WIDTH)

    def first_output(last: torch.Tensor) -> torch.Tensor:
        return block(torch.cat([x[:, :-1], last[None, None]], dim=1))[0, 0]

    expected = torch.func.jacrev(first_output, chunk_size=1)(x[0, -1])
    np.testing.assert_allclose(jacobian(causal=False, seed=3), expected.detach().numpy(), rtol=0, atol=1e-6)


def test_the_future_is_seen_without_the_mask_only() -> None:
    assert leak(causal=True, statistic="highest") == 0
    lowest, median, highest = (
        float(leak(causal=False, statistic=statistic)) for statistic in ("lowest", "median", "highest")
    )
    assert 0.2 < lowest < 0.25 < median < 0.3 < highest < 0.4
