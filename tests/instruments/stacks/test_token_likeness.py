"""Stacked attention in NumPy, against torch's own attention, norm and layers."""

import numpy as np
import pytest
import torch
from torch.nn.functional import layer_norm, linear, relu, scaled_dot_product_attention

from sims.instruments.stacks.token_likeness import HEADS, TOKENS, WIDTH, Layers, cosines, mean_cosine, tokens_after


def torchs(layers: Layers, skip: bool, feed: bool, start: np.ndarray) -> torch.Tensor:
    x = torch.tensor(start)
    for mixing, output, first, second in zip(
        *(torch.tensor(array) for array in (layers.mixing, layers.output, layers.first, layers.second)), strict=True
    ):
        inside = linear(layer_norm(x, (WIDTH,), eps=0.0), mixing)
        queries, keys, values = inside.reshape(TOKENS, 3, HEADS, -1).permute(1, 2, 0, 3)
        mixed = scaled_dot_product_attention(queries, keys, values).transpose(0, 1).reshape(TOKENS, WIDTH)
        x = linear(mixed, output) + (x if skip else 0)
        if feed:
            x = linear(relu(linear(layer_norm(x, (WIDTH,), eps=0.0), first)), second) + (x if skip else 0)
    return x


@pytest.mark.parametrize("skip", [False, True])
@pytest.mark.parametrize("feed", [False, True])
def test_tokens_are_torchs(skip: bool, feed: bool) -> None:
    generator = np.random.default_rng(0)
    # Without skips, tokens become so alike that a norm in front of the next layer divides by what rounding left.
    layers, x = Layers.drawn(2, generator), generator.standard_normal((TOKENS, WIDTH))
    actual = tokens_after(layers, skip, feed, x)
    assert actual.shape == (3, TOKENS, WIDTH)
    np.testing.assert_allclose(actual[-1], torchs(layers, skip, feed, x).numpy(), atol=1e-10)


def test_cosines_are_torchs() -> None:
    x = np.random.default_rng(1).standard_normal((5, 7))
    theirs = torch.nn.functional.cosine_similarity(torch.tensor(x)[:, None], torch.tensor(x)[None], dim=-1).numpy()
    np.testing.assert_allclose(cosines(x), theirs, atol=1e-12)
    assert mean_cosine(cosines(x)) == pytest.approx(theirs[~np.eye(5, dtype=bool)].mean())
