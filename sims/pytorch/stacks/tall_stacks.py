"""Stacks of residual blocks that train side by side: one for each seed, with its own weights and the same rules.

A block is h ← N(skip · h + factor · W₂ relu(W₁ N(h))), each N a LayerNorm without gain and shift, or nothing. The
factor is a constant, a learned number (ReZero) or a learned number for every channel (LayerScale).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, layer_norm, relu


@dataclass(frozen=True)
class BlockRules:
    """How blocks join branch and stream; `constants` holds one factor for each branch."""

    constants: tuple[float, ...]
    skip: float = 1.0
    norm_in: bool = False
    """LayerNorm at the start of every branch, and then also before the head"""
    norm_sum: bool = False


class TallStacks(nn.Module):
    """Networks of images → stem → blocks → classes; the first dimension of each parameter is the seed.

    `weights` holds "stem" (seeds, width, pixels), "first" and "last" (seeds, blocks, width, width), "head" (seeds,
    classes, width) and "bias" (seeds, classes). It may hold "factor", (seeds, blocks, 1 or width), which is learned and
    multiplies the branch; and Fixup's "biases", (seeds, blocks, 4): scalars before W₁, before the ReLU, before W₂, and
    after the factor.
    """

    def __init__(self, weights: Mapping[str, Tensor], rules: BlockRules) -> None:
        super().__init__()
        self.weights = nn.ParameterDict({name: nn.Parameter(weight) for name, weight in weights.items()})
        self.rules = rules

    def forward(self, images: Tensor) -> tuple[Tensor, list[Tensor]]:
        """Outputs (seeds, images, classes) for images (seeds, images, pixels), and the stream from first to last."""
        h = images @ self.weights["stem"].mT
        streams = [h]
        matrices = [self.weights[name].unbind(1) for name in ("first", "last")]
        # Unbound once: indexing a parameter in each of 64 blocks would make autograd build 64 full-size gradients.
        factors, biases = (self.weights[key].unbind(1) if key in self.weights else () for key in ("factor", "biases"))
        for at, (first, last) in enumerate(zip(*matrices, strict=True)):
            shifts: tuple[Tensor | float, ...] = biases[at][:, :, None, None].unbind(1) if biases else (0.0,) * 4
            x = _norm(h) if self.rules.norm_in else h
            hidden = relu((x + shifts[0]) @ first.mT + shifts[1]) + shifts[2]
            branch = (hidden @ last.mT) * self.rules.constants[at]
            if factors:
                branch = branch * factors[at][:, None]
            h = self.rules.skip * h + branch + shifts[3]
            if self.rules.norm_sum:
                h = _norm(h)
            streams.append(h)
        top = _norm(h) if self.rules.norm_in else h
        return top @ self.weights["head"].mT + self.weights["bias"][:, None], streams

    def losses(self, answers: Tensor, labels: Tensor) -> Tensor:
        """(seeds,) mean cross-entropy in nats, of answers (seeds, images, classes) and labels (seeds, images)."""
        return cross_entropy(answers.permute(0, 2, 1), labels, reduction="none").mean(dim=1)


def initial_weights(
    seed: int, blocks: int, width: int, pixels: int, classes: int, first: float, last: float
) -> dict[str, Tensor]:
    """The weights of one seed, without the dimension for seeds; a branch keeps the mean square of its input.

    He's variance 2/width before the ReLU and 1/width after it, times `first`² and `last`².
    """
    random = torch.Generator().manual_seed(seed)

    def draw(*shape: int, spread: float) -> Tensor:
        return torch.randn(shape, generator=random) * spread

    return {
        "stem": draw(width, pixels, spread=pixels**-0.5),
        "first": draw(blocks, width, width, spread=first * (2 / width) ** 0.5),
        "last": draw(blocks, width, width, spread=last * width**-0.5),
        "head": draw(classes, width, spread=width**-0.5),
        "bias": torch.zeros(classes),
    }


def _norm(x: Tensor) -> Tensor:
    return layer_norm(x, x.shape[-1:])
