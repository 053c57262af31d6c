"""A block that is to forget a feature: what it computes, and what it can learn."""

import numpy as np
import pytest
import torch

from sims.instruments.stacks.delta_chain import skip_matrix
from sims.instruments.training.trained_to_forget import BLOCKS, HIDDEN, WIDTH, forget, through


def streams() -> torch.Tensor:
    return torch.randn(7, WIDTH, generator=torch.Generator().manual_seed(3))


def test_a_delta_skip_is_its_matrix() -> None:
    k, x = torch.arange(1.0, WIDTH + 1), streams()
    matrix = skip_matrix(1.0, (k / k.norm()).numpy())
    np.testing.assert_allclose(through("delta", [k, torch.zeros(())], x), x.numpy() @ matrix.T, atol=1e-5)


def test_behind_a_norm_a_branch_does_not_see_how_large_a_stream_is() -> None:
    random = torch.Generator().manual_seed(0)
    weights = [torch.randn(HIDDEN, WIDTH, generator=random), torch.randn(WIDTH, HIDDEN, generator=random)]
    x = 10 * streams()
    changes = {name: [through(name, weights, size * x) - size * x for size in (1, 4)] for name in ("raw", "normed")}
    torch.testing.assert_close(changes["raw"][1], 4 * changes["raw"][0], atol=1e-3, rtol=1e-4)
    torch.testing.assert_close(changes["normed"][1], changes["normed"][0], atol=1e-3, rtol=1e-4)


@pytest.mark.exhaustive
def test_both_that_see_the_stream_forget_and_the_one_behind_a_norm_does_not() -> None:
    results = {block: forget(block, 0) for block in BLOCKS}
    assert results["delta"].left < 0.001
    assert results["raw"].left < 0.01
    assert 0.3 < results["normed"].left < 0.9
    assert all(result.harm < 0.02 for result in results.values())
    assert [result.parameters for result in results.values()] == [WIDTH + 1, 2 * WIDTH * HIDDEN, 2 * WIDTH * HIDDEN]


def test_an_unknown_block_is_refused() -> None:
    with pytest.raises(KeyError):
        forget("nothing", 0, 1)
