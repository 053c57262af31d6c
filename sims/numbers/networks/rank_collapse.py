"""Rank collapse: stacked attention without skips makes all tokens alike (Dong et al. 2103.03404)."""

import numpy as np

from sims.contract.calculation import calculation

TOKENS, WIDTH, HEADS, STARTS = 16, 64, 4, 10


@calculation(long=True)
def difference(layers: int, skip: bool) -> float:
    """Share of the tokens' mean square that is not common to all of them, 0 to 1, after `layers` layers of attention.

    The median of ten starts of untrained attention (no MLP, no norm, torch's initial weights without biases) on
    standard normal tokens. Independent tokens have 1 − 1/tokens; it is 0 if all tokens are the same vector.
    """
    # The import takes a second, and building a page needs only the name of a kept value.
    import torch

    from sims.pytorch.layers.transformer_blocks import Attention

    shares = []
    for seed in range(STARTS):
        with torch.random.fork_rng(devices=[]), torch.no_grad():
            torch.manual_seed(seed)
            x = torch.randn(1, TOKENS, WIDTH, dtype=torch.float64)
            for _ in range(layers):
                attention = Attention(WIDTH, HEADS, causal=False).double()
                for linear in (attention.queries_keys_values, attention.output):
                    torch.nn.init.zeros_(linear.bias)
                x = attention(x) + (x if skip else 0)
            shares.append(float((x - x.mean(dim=1, keepdim=True)).square().mean() / x.square().mean()))
    return float(np.median(shares))
