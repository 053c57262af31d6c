"""Reruns a popular demonstration of vanishing gradients: blocks Linear → ReLU → Linear without and with a skip.

Its plain gradients vanish. The cause is the library's default initial weights, not the missing skip: so the same stack
is also computed with weights that fit its ReLUs, He's for the first matrix of a block, and variance 1/fan-in for the
last, which no ReLU follows.
"""

import statistics
from functools import cache
from typing import Any

import numpy as np

from sims.contract.bands import STATISTICS
from sims.contract.calculation import Number, calculation

WIDTH, HIDDEN, POINTS = 256, 512, 4
SEEDS = range(5)

SMALL = 64
"""Width of the single block whose Jacobian is computed; its hidden layer has the same width."""


def _branch(width: int, hidden: int, initialization: str) -> Any:
    """Linear → ReLU → Linear with torch's default weights; or, for "he", with variance 2/fan-in, then 1/fan-in.

    In the forward pass, such a branch keeps the mean square. With He's 2/fan-in in both matrices it would double it.
    """
    from torch import nn

    first, last = nn.Linear(width, hidden), nn.Linear(hidden, width)
    if initialization == "he":
        nn.init.kaiming_normal_(first.weight, nonlinearity="relu")
        nn.init.kaiming_normal_(last.weight, nonlinearity="linear")
        nn.init.zeros_(first.bias)
        nn.init.zeros_(last.bias)
    return nn.Sequential(first, nn.ReLU(), last)


@cache
def gradient_norm(blocks: int, skip: bool, initialization: str, seed: int) -> float:
    """The norm of the gradient at the input, shape (4, 256), of the sum of all outputs, in single precision."""
    # The import takes a second, and building a page needs only the name of a kept value.
    import torch

    with torch.random.fork_rng():
        torch.manual_seed(seed)
        branches = [_branch(WIDTH, HIDDEN, initialization) for _ in range(blocks)]
        x = torch.randn(POINTS, WIDTH)
    x.requires_grad_()
    stream = x
    for branch in branches:
        stream = stream + branch(stream) if skip else branch(stream)
    (gradient,) = torch.autograd.grad(stream.sum(), x)
    return gradient.norm().item()


@cache
def singular_values(skip: bool, initialization: str, seed: int) -> np.ndarray:
    """(64,) the singular values of a single block's Jacobian at a random point, largest first, in double precision."""
    import torch

    with torch.random.fork_rng():
        torch.manual_seed(seed)
        branch = _branch(SMALL, SMALL, initialization).double()
        x = torch.randn(SMALL, dtype=torch.float64)
    jacobian = torch.autograd.functional.jacobian(lambda h: h + branch(h) if skip else branch(h), x)
    values: np.ndarray = torch.linalg.svdvals(jacobian).numpy()
    return values


@calculation(long=True, readings=("statistic",))
def input_gradient(blocks: int, skip: bool, initialization: str = "default", statistic: str = "median") -> Number:
    """The norm of the gradient at the input: "median", "lowest" or "highest" of five random starts."""
    return STATISTICS[statistic]([gradient_norm(blocks, skip, initialization, seed) for seed in SEEDS])


@calculation
def output_gradient() -> Number:
    """The norm of the gradient at the output of the stack, which is 1 for each output."""
    return float((POINTS * WIDTH) ** 0.5)


@calculation(long=True, readings=("which", "statistic"))
def singular_value(which: str, skip: bool, initialization: str = "default", statistic: str = "median") -> Number:
    """The "largest" or "smallest" singular value of one block's Jacobian, or their ratio, its "condition".

    "median", "lowest" or "highest" of twenty random starts, as the smallest one varies a lot.
    """
    spectra = [singular_values(skip, initialization, seed) for seed in range(20)]
    read = {
        "largest": lambda values: values[0],
        "smallest": lambda values: values[-1],
        "condition": lambda values: values[0] / values[-1],
    }[which]
    return STATISTICS[statistic]([float(read(values)) for values in spectra])


@calculation(long=True)
def stream_growth(blocks: int, width: int = 128) -> Number:
    """The mean square of the stream after `blocks` blocks over that of a normal input, 64 points; mean of 5 starts.

    Each branch, Linear → ReLU → Linear with He's variance 2/fan-in for the first matrix and 1/fan-in for the last, has
    about the same mean square as its input.
    """
    growths = []
    for seed in SEEDS:
        random = np.random.default_rng(seed)
        h = random.normal(size=(64, width))
        before = float((h**2).mean())
        for _ in range(blocks):
            inner = np.maximum(h @ random.normal(0, (2 / width) ** 0.5, (width, width)), 0)
            h = h + inner @ random.normal(0, (1 / width) ** 0.5, (width, width))
        growths.append(float((h**2).mean()) / before)
    return statistics.mean(growths)
