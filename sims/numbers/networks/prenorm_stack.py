"""A popular comparison of 30 untrained blocks, LayerNorm → Linear → GELU → Linear, with and without a skip."""

from functools import cache

from sims.contract.bands import STATISTICS
from sims.contract.calculation import Number, calculation

WIDTH = 128
TOKENS = 128
SEEDS = range(5)


@cache
def norms(depth: int, skip: bool, seed: int) -> tuple[float, float]:
    """The norm of the output and of the gradient at the input, for `depth` untrained blocks, in single precision.

    The input has the shape (4, 32, width): 128 tokens, standard normal. The hidden layer is four times as wide. The
    loss is the sum of the output. (It is not constant, as it would be if a block ended with LayerNorm.)
    """
    # The import takes a second, and building a page needs only the name of a kept value.
    import torch
    from torch import nn

    generator_state = torch.random.get_rng_state()
    torch.manual_seed(seed)
    try:
        blocks = [
            nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))
            for _ in range(depth)
        ]
        x = torch.randn(4, TOKENS // 4, WIDTH)
    finally:
        torch.random.set_rng_state(generator_state)
    x.requires_grad_()
    stream = x
    for block in blocks:
        stream = stream + block(stream) if skip else block(stream)
    (gradient,) = torch.autograd.grad(stream.sum(), x)
    return stream.norm().item(), gradient.norm().item()


@calculation(long=True, readings=("statistic",), tolerance=0.01)
def input_gradient(depth: int, skip: bool, statistic: str = "median") -> Number:
    """The norm of the gradient that reaches the input; the statistic is over five random starts."""
    return STATISTICS[statistic]([norms(depth, skip, seed)[1] for seed in SEEDS])
