"""Every operation forward and back, against torch's own and its autograd."""

import numpy as np
import pytest
import torch
from torch.nn import functional

from sims.instruments.hand_derived.block_operations import (
    EPSILON,
    attend,
    attend_back,
    attention,
    gain_back,
    heads,
    joined,
    norm,
    norm_back,
    outer,
    rotate,
    swiglu,
    swiglu_back,
)

CLOSE = {"rtol": 1e-10, "atol": 1e-12}


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def leaf(values: np.ndarray) -> torch.Tensor:
    return torch.tensor(values, requires_grad=True)


def gradients(output: torch.Tensor, upstream: np.ndarray, *leaves: torch.Tensor) -> list[np.ndarray]:
    return [gradient.numpy() for gradient in torch.autograd.grad(output, leaves, torch.tensor(upstream))]


def test_rms_norm_and_its_way_back(rng):
    x, gain, dy = rng.normal(size=(3, 4, 8)), rng.normal(size=8), rng.normal(size=(3, 4, 8))
    tx, tgain = leaf(x), leaf(gain)
    expected = functional.rms_norm(tx, (8,), tgain, eps=EPSILON)
    np.testing.assert_allclose(norm(x, gain), expected.detach().numpy(), **CLOSE)
    dx, dgain = gradients(expected, dy, tx, tgain)
    np.testing.assert_allclose(norm_back(dy, x, gain), dx, **CLOSE)
    np.testing.assert_allclose(gain_back(dy, x), dgain, **CLOSE)


def test_the_gradient_of_a_norm_has_nothing_along_the_token(rng):
    x, dy = rng.normal(size=(4, 8)), rng.normal(size=(4, 8))
    along = (norm_back(dy, x, np.ones(8)) * x).sum(axis=-1)
    np.testing.assert_allclose(along, 0, atol=1e-5)


@pytest.mark.parametrize("causal", [True, False])
def test_attention_and_its_way_back(rng, causal):
    q, k, v, da = rng.normal(size=(4, 3, 5, 8))
    p = attention(q, k, causal)
    tq, tk, tv = leaf(q), leaf(k), leaf(v)

    def turned(x: torch.Tensor) -> torch.Tensor:
        split = x.reshape(3, 5, 2, 4).transpose(1, 2)
        angles = torch.arange(5, dtype=torch.float64)[:, None] / 100.0 ** (torch.arange(2) / 2)
        pairs = torch.complex(split[..., :2], split[..., 2:]) * torch.polar(torch.ones_like(angles), angles)
        return torch.cat([pairs.real, pairs.imag], dim=-1)

    values = tv.reshape(3, 5, 2, 4).transpose(1, 2)
    expected = functional.scaled_dot_product_attention(turned(tq), turned(tk), values, is_causal=causal)
    expected = expected.transpose(1, 2).reshape(3, 5, 8)
    np.testing.assert_allclose(attend(p, v), expected.detach().numpy(), **CLOSE)
    for ours, theirs in zip(attend_back(da, p, q, k, v), gradients(expected, da, tq, tk, tv), strict=True):
        np.testing.assert_allclose(ours, theirs, **CLOSE)


def test_a_token_looks_at_none_that_comes_later(rng):
    p = attention(*rng.normal(size=(2, 4, 8)))
    np.testing.assert_array_equal(np.triu(p, 1), 0)
    np.testing.assert_allclose(p.sum(axis=-1), 1)


def test_turning_back_undoes_the_turning_and_heads_are_joined_again(rng):
    x = rng.normal(size=(3, 4, 8))
    np.testing.assert_allclose(rotate(rotate(heads(x)), -1), heads(x), **CLOSE)
    np.testing.assert_array_equal(joined(heads(x)), x)


def test_swiglu_and_its_way_back(rng):
    g, u, ds = rng.normal(size=(3, 4, 16))
    tg, tu = leaf(g), leaf(u)
    expected = functional.silu(tg) * tu
    np.testing.assert_allclose(swiglu(g, u), expected.detach().numpy(), **CLOSE)
    for ours, theirs in zip(swiglu_back(ds, g, u), gradients(expected, ds, tg, tu), strict=True):
        np.testing.assert_allclose(ours, theirs, **CLOSE)


def test_the_gradient_of_a_matrix_is_a_sum_over_all_tokens(rng):
    x, dy, weights = rng.normal(size=(3, 4, 8)), rng.normal(size=(3, 4, 6)), rng.normal(size=(8, 6))
    tw = leaf(weights)
    (expected,) = gradients(torch.tensor(x) @ tw, dy, tw)
    np.testing.assert_allclose(outer(x, dy), expected, **CLOSE)
