"""Small language models whose attention may read the first layer's values again. One model for each seed, side by side.

Causal transformers: a LayerNorm N without gain and shift before every branch and before the head, branches without
biases, a learned vector for every symbol and every place, and logits by the symbols' vectors. What differs is U, the
values that attention in layer l mixes, where V_l are the values that the layer computes itself
(after Value Residual Learning, 2410.17897):

- "plain": U = V_l;
- "learned": U = λ₁ V_1 + λ₂ V_l with two learned numbers for every layer, which start at 1/2;
- "shared": U = V_1, and only the first layer computes values.

The first layer is the same in all.
"""

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, gelu, layer_norm

FORMS = ("plain", "learned", "shared")


class ValueModels(nn.Module):
    """Symbols (seeds, pieces, context) → logits; the first dimension of each parameter is the seed.

    `weights` are those of `initial_weights`. Raises ValueError for an unknown form.
    """

    def __init__(self, form: str, heads: int, weights: Mapping[str, Tensor]) -> None:
        super().__init__()
        if form not in FORMS:
            raise ValueError(f"no form {form!r}")
        self.form, self.heads = form, heads
        self.weights = nn.ParameterDict({name: nn.Parameter(weight) for name, weight in weights.items()})

    def forward(self, symbols: Tensor) -> tuple[Tensor, list[Tensor], list[Tensor]]:
        """Logits (seeds, pieces, context, symbols); for every layer the attention, (seeds, pieces, heads, context,
        context) with rows that sum to 1, and the mixed values U, (seeds, pieces, context, width)."""
        w = self.weights
        h = torch.stack([table[symbol] for table, symbol in zip(w["symbols"], symbols, strict=True)])
        h = h + w["places"][:, None, : symbols.shape[-1]]
        attentions: list[Tensor] = []
        mixed: list[Tensor] = []
        for layer in range(w["query"].shape[1]):
            x = _normal(h)
            values = self._values(layer, x, mixed)
            attention = self._attention(x, layer)
            read = attention @ self._by_head(values)
            h = h + _times(read.transpose(2, 3).flatten(3), w["out"], layer)
            h = h + _times(gelu(_times(_normal(h), w["up"], layer)), w["down"], layer)
            attentions.append(attention)
            mixed.append(values)
        return _normal(h) @ w["symbols"][:, None].mT, attentions, mixed

    def _values(self, layer: int, x: Tensor, before: list[Tensor]) -> Tensor:
        """The values that a layer mixes; `before` holds those of the earlier layers, the first layer's own values
        first."""
        if before and self.form == "shared":
            return before[0]
        own = _times(x, self.weights["value"], layer)
        if not before or self.form == "plain":
            return own
        shares = self.weights["shares"][:, layer - 1, :, None, None, None]
        mixed: Tensor = shares[:, 0] * before[0] + shares[:, 1] * own
        return mixed

    def _by_head(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.heads, -1)).transpose(2, 3)

    def _attention(self, x: Tensor, layer: int) -> Tensor:
        queries, keys = (self._by_head(_times(x, self.weights[name], layer)) for name in ("query", "key"))
        scores = queries @ keys.mT / queries.shape[-1] ** 0.5
        later = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
        return scores.masked_fill(later, -torch.inf).softmax(dim=-1)

    def losses(self, logits: Tensor, following: Tensor) -> Tensor:
        """(seeds,) mean cross-entropy in nats per symbol, for the symbols that follow, (seeds, pieces, context)."""
        return cross_entropy(logits.permute(0, 3, 1, 2), following, reduction="none").mean(dim=(1, 2))


def initial_weights(
    form: str, seed: int, blocks: int, width: int, symbols: int, context: int, hidden: int
) -> dict[str, Tensor]:
    """The weights of a seed, without the dimension for seeds; weights that two forms share are the same in both.

    Normal with variance 1/inputs, divided by 2 `blocks` in the last layer of a branch; vectors have a standard
    deviation of 0.02.
    """
    random = torch.Generator().manual_seed(seed)

    def draw(outputs: int, inputs: int, variance: float) -> Tensor:
        return torch.randn(blocks, outputs, inputs, generator=random) * variance**0.5

    narrow = 1 / (2 * blocks)
    weights = {
        "symbols": 0.02 * torch.randn(symbols, width, generator=random),
        "places": 0.02 * torch.randn(context, width, generator=random),
        "query": draw(width, width, 1 / width),
        "key": draw(width, width, 1 / width),
        "value": draw(width, width, 1 / width),
        "out": draw(width, width, narrow / width),
        "up": draw(hidden, width, 1 / width),
        "down": draw(width, hidden, narrow / hidden),
    }
    if form == "shared":
        weights["value"] = weights["value"][:1]
    return weights | ({"shares": torch.full((blocks - 1, 2), 0.5)} if form == "learned" else {})


def _normal(x: Tensor) -> Tensor:
    return layer_norm(x, x.shape[-1:])


def _times(x: Tensor, matrices: Tensor, layer: int) -> Tensor:
    """Multiply x (seeds, pieces, context, inputs) by a layer's matrix, from (seeds, layers, outputs, inputs)."""
    return x @ matrices[:, None, layer].mT
