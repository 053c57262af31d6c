"""The ancestors of the residual block, each as whole networks of such blocks; the networks of several seeds run side by
side.

They express the ideas in today's notation: a branch of two layers unless the idea says otherwise, ReLU, and the same
stem and head for all. `sims.pytorch.layers.blocks` has most of the blocks one by one.
"""

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, layer_norm, relu

from sims.engines.deep_norm import skip_factor, start_factor

GATE_BIAS = -2.0
"""Initial bias of a highway's gates"""

UNITS = 2
"""Features that a block of a cascade appends"""

GROWTH = 8
"""Features that a dense block appends"""

BATCH_EPSILON = 1e-5

TWO_LAYERS = ("plain", "direct", "highway", "resnet", "identity", "rezero", "pre", "deep")
"""Ancestors whose branch has two layers"""

APPENDED = {"cascade": UNITS, "dense": GROWTH}
"""Ancestors that append features → how many per block"""

GATES = ("input", "candidate", "output")
"""Layers of an LSTM cell; the cell of 1997 has no forget gate (its abstract, and that of Gers et al. 2000)"""


class AncestorStack(nn.Module):
    """Networks of points → stem → blocks → classes; the first dimension of each parameter is the seed.

    A layer named n has `weights["n"]` (seeds, out, in) and `weights["n_bias"]` (seeds, out); layers that every block
    has are stacked as (seeds, blocks, out, in) and (seeds, blocks, out).
    """

    def __init__(self, kind: str, weights: Mapping[str, Tensor]) -> None:
        super().__init__()
        self.kind = kind
        self.weights = nn.ParameterDict({name: nn.Parameter(weight) for name, weight in weights.items()})

    def forward(self, points: Tensor) -> Tensor:
        """Outputs (seeds, points, classes) for points (seeds, points, features)."""
        h = relu(self._layer("stem", points))
        if self.kind in APPENDED:
            h = self._appending(h)
        elif self.kind == "lstm":
            h = self._cells(h)
        else:
            h = self._blocks(h)
        answers = self._layer("head", h)
        return answers + points @ self.weights["direct"].mT if self.kind == "direct" else answers

    def _blocks(self, h: Tensor) -> Tensor:
        blocks = zip(*(self._unbound(name) for name in ("first", "last")), strict=True)
        gates = self._unbound("gate") if self.kind == "highway" else None
        factors = self.weights["factor"].unbind(1) if self.kind == "rezero" else None
        for at, (first, last) in enumerate(blocks):
            match self.kind:
                case "plain" | "direct":
                    h = relu(_linear(relu(_linear(h, first)), last))
                case "highway":
                    assert gates
                    t = torch.sigmoid(_linear(h, gates[at]))
                    h = t * relu(_linear(relu(_linear(h, first)), last)) + (1 - t) * h
                case "resnet":
                    h = relu(h + batch_norm(_linear(relu(batch_norm(_linear(h, first))), last)))
                case "identity":
                    h = h + _linear(relu(batch_norm(_linear(relu(batch_norm(h)), first))), last)
                case "rezero":
                    assert factors
                    h = h + factors[at][:, None, None] * _linear(relu(_linear(h, first)), last)
                case "pre":
                    h = h + _linear(relu(_linear(_normalized(h), first)), last)
                case "deep":
                    carry = skip_factor(len(self._unbound("first")))
                    h = _normalized(carry * h + _linear(relu(_linear(h, first)), last))
        return _normalized(h) if self.kind == "pre" else h

    def _cells(self, c: Tensor) -> Tensor:
        """LSTM cells along the depth: the carry is fixed at 1, and the next cell's input is gated."""
        h = torch.tanh(c)
        for entered, candidate, output in zip(*(self._unbound(name) for name in GATES), strict=True):
            c = c + torch.sigmoid(_linear(h, entered)) * torch.tanh(_linear(h, candidate))
            h = torch.sigmoid(_linear(h, output)) * torch.tanh(c)
        return h

    def _appending(self, h: Tensor) -> Tensor:
        for at in range(sum(name.startswith("append") for name in self.weights) // 2):
            if self.kind == "cascade":
                more = torch.tanh(self._layer(f"append{at}", h))
            else:
                more = self._layer(f"append{at}", relu(batch_norm(h)))
            h = torch.cat([h, more], dim=2)
        return h

    def _layer(self, name: str, h: Tensor) -> Tensor:
        return _linear(h, (self.weights[name], self.weights[f"{name}_bias"]))

    def _unbound(self, name: str) -> list[tuple[Tensor, Tensor]]:
        """Matrix and bias of a layer, block by block."""
        return list(zip(self.weights[name].unbind(1), self.weights[f"{name}_bias"].unbind(1), strict=True))


def losses(answers: Tensor, labels: Tensor) -> Tensor:
    """(seeds,) mean cross-entropy in nats, of answers (seeds, points, classes) and labels (seeds, points)."""
    return cross_entropy(answers.permute(0, 2, 1), labels, reduction="none").mean(dim=1)


def batch_norm(h: Tensor) -> Tensor:
    """BatchNorm without gain and shift, over the points of each seed: x is (seeds, points, width)."""
    centered = h - h.mean(dim=1, keepdim=True)
    return centered * torch.rsqrt(centered.square().mean(dim=1, keepdim=True) + BATCH_EPSILON)


def initial_weights(kind: str, seed: int, blocks: int, width: int, features: int, classes: int) -> dict[str, Tensor]:
    """The weights of one seed, without the dimension for seeds; biases are 0, except those of a highway's gates.

    He's variance 2/inputs before a ReLU, and 1/inputs elsewhere. Raises KeyError for an unknown kind.
    """
    random = torch.Generator().manual_seed(seed)
    weights: dict[str, Tensor] = {}

    def draw(name: str, *shape: int, gain: float = 1.0) -> None:
        weights[name] = torch.randn(shape, generator=random) * (gain / shape[-1]) ** 0.5
        weights[f"{name}_bias"] = torch.zeros(shape[:-1])

    draw("stem", width, features, gain=2.0)
    draw("head", classes, width + APPENDED.get(kind, 0) * blocks)
    if kind in TWO_LAYERS:
        draw("first", blocks, width, width, gain=2.0)
        draw("last", blocks, width, width, gain=2.0 if kind in ("plain", "direct", "highway") else 1.0)
    elif kind in APPENDED:
        for at in range(blocks):
            inputs = width + APPENDED[kind] * at
            draw(f"append{at}", APPENDED[kind], inputs, gain=1.0 if kind == "cascade" else 2.0)
    elif kind == "lstm":
        for name in GATES:
            draw(name, blocks, width, width)
    else:
        raise KeyError(kind)
    match kind:
        case "direct":
            draw("direct", classes, features)
            del weights["direct_bias"]
        case "highway":
            draw("gate", blocks, width, width)
            weights["gate_bias"] += GATE_BIAS
        case "rezero":
            weights["factor"] = torch.zeros(blocks)
        case "deep":
            for name in ("first", "last"):
                weights[name] *= start_factor(blocks)
    return weights


def _linear(h: Tensor, layer: tuple[Tensor, Tensor]) -> Tensor:
    matrix, bias = layer
    return torch.baddbmm(bias[:, None], h, matrix.mT)


def _normalized(h: Tensor) -> Tensor:
    return layer_norm(h, h.shape[-1:])
