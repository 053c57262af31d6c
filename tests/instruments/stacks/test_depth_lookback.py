"""Attention over depth is PyTorch's attention with normalized keys; a query of zero is the mean."""

import numpy as np
import pytest
import torch
from torch.nn.functional import rms_norm, scaled_dot_product_attention

from sims.instruments.stacks.depth_lookback import plane_outputs, voices, weights


@pytest.mark.parametrize("seed", range(5))
def test_weights_times_outputs_are_attention_as_pytorch_has_it(seed: int) -> None:
    random = np.random.default_rng(seed)
    outputs, query = random.normal(size=(9, 16)) * random.uniform(0.1, 5, (9, 1)), random.normal(size=16)
    values = torch.tensor(outputs)
    keys = rms_norm(values, (16,), eps=0.0)
    expected = scaled_dot_product_attention(torch.tensor(query)[None], keys, values, scale=1.0)[0]
    assert weights(query, outputs) @ outputs == pytest.approx(expected.numpy(), abs=1e-12)


def test_a_query_of_zero_is_the_mean_and_not_the_sum() -> None:
    outputs = plane_outputs(6, 0)
    shares = weights(np.zeros(2), outputs)
    assert shares @ outputs == pytest.approx(outputs.mean(axis=0))
    assert shares @ outputs != pytest.approx(outputs.sum(axis=0))
    assert voices(shares) == pytest.approx(6)


def test_the_length_of_an_output_does_not_win() -> None:
    outputs = np.array([[1.0, 0.0], [100.0, 0.0]])
    assert weights(np.array([3.0, 1.0]), outputs) == pytest.approx([0.5, 0.5])


def test_a_long_query_picks_one() -> None:
    outputs = plane_outputs(5, 2)
    shares = weights(1e4 * outputs[3], outputs)
    assert shares == pytest.approx(np.eye(5)[3], abs=1e-9)
    assert voices(shares) == pytest.approx(1, abs=1e-6)


def test_fewer_outputs_are_the_first_ones() -> None:
    assert plane_outputs(3, 1).tolist() == plane_outputs(8, 1)[:3].tolist()
