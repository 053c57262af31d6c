"""Checks a causal mask, by the Jacobian of an early token's output with respect to a later token's input."""

import numpy as np

from sims.contract.calculation import Number, calculation

TOKENS, WIDTH = 10, 64
SEEDS = range(10)
SHARES = {"lowest": 0.0, "median": 0.5, "highest": 1.0}


def jacobian(causal: bool, seed: int) -> np.ndarray:
    """∂(output of token 0) / ∂(input of the last of ten tokens), shape (width, width), of an untrained block.

    The block has the order of GPT-2, width 64 and 4 heads; its inputs are standard normal.
    """
    # The import takes a second, and building a page needs only the name of a kept value.
    import torch

    from sims.pytorch.layers.transformer_blocks import PreNormBlock

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        block = PreNormBlock(width=WIDTH, heads=4, hidden=4 * WIDTH, causal=causal)
        x = torch.randn(1, TOKENS, WIDTH, requires_grad=True)
    first = block(x)[0, 0]
    rows = [torch.autograd.grad(output, x, retain_graph=True)[0][0, -1].numpy() for output in first]
    return np.stack(rows)


@calculation(long=True, readings=("statistic",))
def leak(causal: bool, statistic: str = "median") -> Number:
    """Frobenius norm of `jacobian`: the "lowest", "median" or "highest" of ten random starts."""
    return float(np.quantile([np.linalg.norm(jacobian(causal, seed)) for seed in SEEDS], SHARES[statistic]))
