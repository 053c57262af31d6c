"""Stacks of residual blocks with norms in various places; the stacks of several seeds train side by side.

F is W₂ relu(W₁ x), without biases; norms have no gain and no shift. The stream begins with the normed output of the
stem.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from torch import Tensor, nn
from torch.nn.functional import cross_entropy, layer_norm, relu, rms_norm

from sims.pytorch.stacks.placing import Placing


@dataclass(frozen=True)
class ForwardPass:
    """The result of a forward pass of all seeds."""

    answers: Tensor
    """(seeds, images, classes)"""
    streams: list[Tensor]
    """(seeds, images, width) from first to last, one more than blocks"""
    carried: list[Tensor]
    """The first term of each block's sum: skip · h"""
    added: list[Tensor]
    """The second term of each block's sum, before a norm of the sum"""


class PlacedStacks(nn.Module):
    """Networks of images → stem → norm → blocks → norm → classes; the first dimension of each parameter is the seed.

    `weights` holds "stem" (seeds, width, pixels), "first" and "last" (seeds, blocks, width, width), "head" (seeds,
    classes, width), "bias" (seeds, classes), and on the sphere "alpha" (seeds, blocks, width).
    """

    def __init__(self, weights: Mapping[str, Tensor], placing: Placing) -> None:
        super().__init__()
        self.weights = nn.ParameterDict({name: nn.Parameter(weight) for name, weight in weights.items()})
        self.placing = placing

    def forward(self, images: Tensor) -> ForwardPass:
        """`images` are (seeds, images, pixels)."""
        placing, h = self.placing, _layer(images @ self.weights["stem"].mT)
        streams, carried, added = [h], [], []
        # Unbound once: indexing a parameter in every block would make autograd build a full-size gradient each time.
        matrices = [self.weights[name].unbind(1) for name in ("first", "last")]
        alphas = self.weights["alpha"].unbind(1) if placing.sphere else ()
        for block, (first, last) in enumerate(zip(*matrices, strict=True), 1):
            x = _layer(h) if placing.norm_in else h
            if placing.fading:
                x = x * block**-placing.fading
            branch = relu(x @ first.mT) @ last.mT
            if placing.norm_out:
                branch = _layer(branch) if placing.norm_out == "layer" else _rms(branch)
            if placing.sphere:
                branch = alphas[block - 1][:, None] * (_rms(branch) - h)
            carried.append(placing.skip * h)
            added.append(branch)
            h = carried[-1] + branch
            if placing.norm_sum:
                h = _layer(h)
            elif placing.sphere:
                h = _rms(h)
            streams.append(h)
        top = h if placing.norm_sum or placing.sphere else _layer(h)
        return ForwardPass(top @ self.weights["head"].mT + self.weights["bias"][:, None], streams, carried, added)


def losses(answers: Tensor, labels: Tensor) -> Tensor:
    """(seeds,) mean cross-entropy in nats, of answers (seeds, images, classes) and labels (seeds, images)."""
    return cross_entropy(answers.permute(0, 2, 1), labels, reduction="none").mean(dim=1)


def _layer(x: Tensor) -> Tensor:
    return layer_norm(x, x.shape[-1:])


def _rms(x: Tensor) -> Tensor:
    return rms_norm(x, x.shape[-1:])
