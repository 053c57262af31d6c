"""Small language models that differ in nothing but how the outputs of their branches are passed on. One model for each
seed, side by side.

Causal transformers: the sum of a learned vector for every symbol and place, normalized, is the stream x₀; then come
attention and feed-forward branches without biases, in turn; then a last norm, and logits by the symbols' vectors. Norms
are LayerNorms without gain and shift. What becomes of the stream is up to a wiring of `residual_wirings`.
"""

from collections.abc import Callable, Mapping
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, gelu, scaled_dot_product_attention

from sims.pytorch.models.residual_wirings import WIRINGS, normal


class ResidualModels(nn.Module):
    """Symbols (seeds, pieces, context) → logits; the first dimension of each parameter is the seed.

    `weights` are those of `initial_weights`. If they have fewer blocks than `blocks`, the blocks are repeated in turn.
    """

    def __init__(self, wiring: str, blocks: int, heads: int, weights: Mapping[str, Tensor]) -> None:
        super().__init__()
        self.wire, self.blocks, self.heads = WIRINGS[wiring].stream, blocks, heads
        self.weights = nn.ParameterDict({name: nn.Parameter(weight) for name, weight in weights.items()})

    def forward(self, symbols: Tensor) -> Tensor:
        """Logits (seeds, pieces, context, symbols)."""
        return self.head(self.streams(symbols)[-1])

    def streams(self, symbols: Tensor, without: int | None = None) -> list[Tensor]:
        """What the wiring passes on, before the first branch and after each, (seeds, pieces, context, width); the head
        reads the last one. The branches of block `without` return 0."""
        w = dict(self.weights)
        x = torch.stack([table[symbol] for table, symbol in zip(w["symbols"], symbols, strict=True)])
        x = normal(x + w["places"][:, None, : symbols.shape[-1]])
        branches = self.branches()
        if without is not None:
            for number in (2 * without, 2 * without + 1):
                branches[number] = partial(_silenced, branches[number])
        return list(self.wire(x, branches, w))

    def head(self, x: Tensor) -> Tensor:
        """Logits (seeds, pieces, context, symbols) of a stream (seeds, pieces, context, width)."""
        return normal(x) @ self.weights["symbols"][:, None].mT

    def branches(self) -> list[Callable[[Tensor], Tensor]]:
        """Attention and feed-forward branches, in turn: functions of a normalized stream that do not normalize."""
        layers = {name: self.weights[name].unbind(1) for name in ("attend", "out", "up", "down")}
        own = len(layers["attend"])
        first: list[Tensor] = []
        branches: list[Callable[[Tensor], Tensor]] = []
        for number in range(self.blocks):
            at = number % own
            attention = partial(self._attention, first, number, layers["attend"][at], layers["out"][at])
            branches += [attention, partial(_feed_forward, layers["up"][at], layers["down"][at])]
        return branches

    def _attention(self, first: list[Tensor], number: int, attend: Tensor, out: Tensor, x: Tensor) -> Tensor:
        """Causal attention; `first` takes the values of the first layer, for those that mix them in."""
        queries, keys, values = _times(x, attend).chunk(3, dim=-1)
        if "shares" in self.weights:
            if not number:
                first.append(values)
            else:
                shares = self.weights["shares"][:, number - 1, :, None, None, None]
                values = shares[:, 0] * first[0] + shares[:, 1] * values
        queries, keys, values = (self._by_head(part) for part in (queries, keys, values))
        read = scaled_dot_product_attention(queries, keys, values, is_causal=True)
        return _times(read.transpose(1, 2).flatten(2).view_as(x), out)

    def _by_head(self, x: Tensor) -> Tensor:
        """(seeds, pieces, context, width) → (seeds · pieces, heads, context, width of a head)."""
        return x.flatten(0, 1).unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def losses(self, logits: Tensor, following: Tensor) -> Tensor:
        """(seeds,) mean cross-entropy in nats per symbol, for the symbols that follow, (seeds, pieces, context)."""
        return cross_entropy(logits.permute(0, 3, 1, 2), following, reduction="none").mean(dim=(1, 2))


def initial_weights(
    wiring: str, seed: int, blocks: int, own: int, width: int, symbols: int, context: int, hidden: int
) -> dict[str, Tensor]:
    """The weights of a seed, without the dimension for seeds: those of `own` blocks, and those of the wiring for
    `blocks` blocks. The former are the same for all wirings.

    Normal with variance 1/inputs, divided by 2 `blocks` in the last layer of a branch; vectors have a standard
    deviation of 0.02.
    """
    random = torch.Generator().manual_seed(seed)

    def draw(outputs: int, inputs: int, variance: float) -> Tensor:
        return torch.randn(own, outputs, inputs, generator=random) * variance**0.5

    narrow = 1 / (2 * blocks)
    weights = {
        "symbols": 0.02 * torch.randn(symbols, width, generator=random),
        "places": 0.02 * torch.randn(context, width, generator=random),
        "attend": draw(3 * width, width, 1 / width),
        "out": draw(width, width, narrow / width),
        "up": draw(hidden, width, 1 / width),
        "down": draw(width, hidden, narrow / hidden),
    }
    return weights | WIRINGS[wiring].weights(blocks, width)


def _silenced(branch: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    """0 in place of a branch, which is computed: its values may be read by others."""
    return torch.zeros_like(branch(x))


def _feed_forward(up: Tensor, down: Tensor, x: Tensor) -> Tensor:
    return _times(gelu(_times(x, up), approximate="tanh"), down)


def _times(x: Tensor, matrix: Tensor) -> Tensor:
    """Multiply x (seeds, pieces, context, inputs) by a matrix for each seed, (seeds, outputs, inputs)."""
    return torch.bmm(x.flatten(1, 2), matrix.mT).unflatten(1, x.shape[1:3])
