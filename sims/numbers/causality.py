"""What a causal mask hides: the gradient of an early token's output with respect to a later token's input."""

from sims.contract.calculation import Number, calculation

TOKENS = 10


@calculation(long=True)
def leak(causal: bool, seed: int = 0) -> Number:
    """Norm of the gradient of the sum of token 0's cubed outputs with respect to the input of the last of ten tokens.

    For one untrained block in the order of GPT-2, of width 64 with 4 heads, on standard normal inputs.
    """
    # The import takes a second, and building a page needs only the name of a kept value.
    import torch

    from sims.pytorch.transformer_blocks import PreNormBlock

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        block = PreNormBlock(width=64, heads=4, hidden=256, causal=causal)
        x = torch.randn(1, TOKENS, 64, requires_grad=True)
    (slope,) = torch.autograd.grad(block(x)[:, 0].pow(3).sum(), x)
    return slope[:, -1].norm().item()
