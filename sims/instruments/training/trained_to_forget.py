"""One block trained to forget a feature: to remove the stream's component along a direction, and nothing else."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Generator, Tensor

WIDTH, HIDDEN, BATCH = 16, 16, 128
"""Width of a stream, units of a branch, and streams in a batch"""

STEPS, LEARNING_RATE = 1000, 0.01
"""Steps and learning rate of Adam; in the last fifth of a run the learning rate is a tenth"""

SPREAD = 0.5
"""Standard deviation of the logarithm of a stream's size"""

TESTED = 2048
"""New streams on which a trained block is tested"""

BLOCKS = {"delta": "delta skip", "raw": "branch", "normed": "LayerNorm and branch"}
"""Block → its name: x − β (k·x) k with learned k and β, both the same for every stream; x + F(x); and x + F(N(x)).
F is Linear, ReLU, Linear without biases, and N a LayerNorm without gain and shift."""


@dataclass(frozen=True)
class Forgotten:
    """The effect of a block on new streams."""

    left: float
    """Root mean square of the feature after the block over that before it"""

    harm: float
    """Root mean square of the change of the rest of the stream, over that of the rest"""

    parameters: int


def forget(block: str, seed: int, steps: int = STEPS) -> Forgotten:
    """Train a block on streams of different sizes; the target is the stream without its component along a random
    direction, and the loss is the mean square. Raises KeyError for an unknown block."""
    import torch

    random = torch.Generator().manual_seed(seed)
    direction = torch.nn.functional.normalize(torch.randn(WIDTH, generator=random), dim=0)
    weights = {
        "delta": lambda: [torch.randn(WIDTH, generator=random), torch.zeros(())],
        "raw": lambda: _branch(random),
        "normed": lambda: _branch(random),
    }[block]()
    for weight in weights:
        weight.requires_grad_()
    optimizer = torch.optim.Adam(weights, LEARNING_RATE)
    for step in range(steps):
        if step == int(0.8 * steps):
            optimizer.param_groups[0]["lr"] = LEARNING_RATE / 10
        x = _streams(random, BATCH)
        target = x - (x @ direction)[:, None] * direction
        optimizer.zero_grad()
        (through(block, weights, x) - target).square().mean().backward()
        optimizer.step()
    with torch.no_grad():
        x = _streams(random, TESTED)
        change = through(block, weights, x) - x
        rest = change - (change @ direction)[:, None] * direction
        feature, others = x @ direction, x - (x @ direction)[:, None] * direction
        left = ((x + change) @ direction).square().mean() / feature.square().mean()
        harm = rest.square().mean() / others.square().mean()
    return Forgotten(float(left.sqrt()), float(harm.sqrt()), sum(weight.numel() for weight in weights))


def through(block: str, weights: "list[Tensor]", x: "Tensor") -> "Tensor":
    """Streams (streams, width) after the block. β is 2 σ of its weight, between 0 and 2."""
    from torch.nn.functional import layer_norm, normalize, relu

    if block == "delta":
        k = normalize(weights[0], dim=0)
        return x - 2 * weights[1].sigmoid() * (x @ k)[:, None] * k
    inputs = layer_norm(x, (WIDTH,)) if block == "normed" else x
    return x + relu(inputs @ weights[0].T) @ weights[1].T


def _branch(random: "Generator") -> "list[Tensor]":
    import torch

    first = torch.randn(HIDDEN, WIDTH, generator=random) * (2 / WIDTH) ** 0.5
    return [first, torch.zeros(WIDTH, HIDDEN)]


def _streams(random: "Generator", count: int) -> "Tensor":
    import torch

    noise = torch.randn(count, WIDTH + 1, generator=random)
    streams: Tensor = noise[:, :WIDTH] * (SPREAD * noise[:, WIDTH:]).exp()
    return streams
