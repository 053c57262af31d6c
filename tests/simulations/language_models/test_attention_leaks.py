"""Exact zeros where attention cannot look, against `torch.nn.MultiheadAttention`."""

import numpy as np
import pytest
import torch

from sims.simulations.language_models.attention_leaks import (
    HEADS,
    SEQUENCES,
    TOKENS,
    WIDTH,
    AttentionLeaks,
    gradient,
    influence,
)


def theirs(sequence, token, batch_first, causal, seed):
    random = np.random.default_rng(seed)
    x = torch.tensor(random.normal(size=(SEQUENCES, TOKENS, WIDTH)), requires_grad=True)
    module = torch.nn.MultiheadAttention(WIDTH, HEADS, bias=False, batch_first=batch_first, dtype=torch.float64)
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.tensor(random.normal(size=(3 * WIDTH, WIDTH)) / WIDTH**0.5))
        module.out_proj.weight.copy_(torch.tensor(random.normal(size=(WIDTH, WIDTH)) / WIDTH**0.5))
    direction = torch.tensor(random.normal(size=WIDTH))
    size = TOKENS if batch_first else SEQUENCES
    mask = torch.ones(size, size, dtype=torch.bool).triu(1) if causal else None
    out, _ = module(x, x, x, attn_mask=mask)
    (slope,) = torch.autograd.grad(out[sequence, token] @ direction, x)
    return slope.norm(dim=2).numpy()


@pytest.mark.parametrize("batch_first", [False, True])
@pytest.mark.parametrize("causal", [False, True])
def test_every_cell_is_torchs(batch_first, causal):
    ours, reference = gradient(2, 4, batch_first, causal, 1), theirs(2, 4, batch_first, causal, 1)
    np.testing.assert_allclose(ours, reference, rtol=1e-10, atol=1e-12)
    np.testing.assert_array_equal(ours == 0, reference == 0)


def test_without_batch_first_tokens_never_meet_and_sequences_mix():
    assert influence(of="other_tokens", batch_first=False) == 0
    assert influence(of="other_sequences", batch_first=False) > 0.01


def test_with_batch_first_sequences_are_apart():
    assert influence(of="other_sequences", batch_first=True) == 0
    assert influence(of="other_tokens", batch_first=True) > 0.01


def test_the_causal_mask_hides_what_comes_after_and_nothing_else():
    assert influence(of="later_tokens", batch_first=True) > 0.01
    assert influence(of="later_tokens", batch_first=True, causal=True) == 0
    assert influence(of="earlier_tokens", batch_first=True, causal=True) > 0.01


@pytest.mark.parametrize(("sequence", "token"), [(1, 1), (SEQUENCES, TOKENS)])
def test_the_ends_of_the_grid(sequence, token):
    simulation = AttentionLeaks(sequence=sequence, token=token, batch_first=True, causal=True)
    frame = simulation.compute()
    assert np.count_nonzero(frame["gradient"]) == token
    assert "what a language model needs" in simulation.describe(frame)
