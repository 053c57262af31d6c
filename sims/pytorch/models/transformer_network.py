"""The transformer in plain PyTorch, built from `sims.pytorch.layers.blocks`: the network that the kernels compute."""

from functools import partial

import torch
from torch import Tensor, nn

from sims.engines.transformers.architecture import Transformer
from sims.engines.transformers.layout import token_features
from sims.pytorch.layers.blocks import Attention, DeepNorm, FeedForward, LayerNorm, PeriNorm, PostNorm, PreNorm


class TransformerNetwork(nn.Module):
    """The network for points (batch, inputs), with torch's own initial weights; its outputs are (batch, outputs)."""

    def __init__(self, architecture: Transformer, inputs: int, outputs: int) -> None:
        super().__init__()
        a = architecture
        self.tokens = a.tokens
        self.embedding = nn.Linear(token_features(a, inputs), a.width, bias=False)
        self.positions = nn.Parameter(torch.randn(a.tokens, a.width))
        around = {"pre-layer": PreNorm, "post-layer": PostNorm, "peri-layer": PeriNorm}.get(
            a.norm, partial(DeepNorm, carry=a.carry)
        )
        self.sublayers = nn.ModuleList(
            around(
                Attention(a.width, a.heads, a.causal) if sublayer % 2 == 0 else FeedForward(a.width, a.hidden), a.width
            )
            for sublayer in range(a.depth)
        )
        self.norm = LayerNorm(a.width) if a.ends_with_norm else nn.Identity()
        self.head = nn.Linear(a.width, outputs)

    def streams(self, points: Tensor) -> list[Tensor]:
        """h, shape (batch, tokens, width), after the embedding and after each sublayer."""
        streams = [self.embedding(points.unflatten(1, (self.tokens, -1))) + self.positions]
        for sublayer in self.sublayers:
            streams.append(sublayer(streams[-1]))
        return streams

    def answer(self, stream: Tensor) -> Tensor:
        """The outputs (batch, outputs) from the last stream."""
        return self.head(self.norm(stream).mean(dim=1))

    def forward(self, points: Tensor) -> Tensor:
        return self.answer(self.streams(points)[-1])

    def ordered_parameters(self) -> list[nn.Parameter]:
        """Its parameters in the order of a row of `TrainingState.parameters`."""
        inside: list[nn.Parameter] = [parameter for sublayer in self.sublayers for parameter in sublayer.parameters()]
        return [*self.embedding.parameters(), *inside, *self.head.parameters(), self.positions]
