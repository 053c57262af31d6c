"""The language model in plain PyTorch: to read, to train without this project, and to verify the engine."""

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from sims.engines.language.architecture import LanguageModel
from sims.engines.language.layout import make_layout


class Attention(nn.Module):
    """Causal attention; x is (pieces, symbols, width)."""

    def __init__(self, model: LanguageModel) -> None:
        super().__init__()
        self.heads, self.kind, width = model.heads, model.attention, model.width
        self.queries_keys_values = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.mixture = nn.Parameter(torch.zeros(1 if self.kind == "value-skip" else 0))

    def forward(self, x: Tensor) -> Tensor:
        pieces, symbols, width = x.shape
        by_head = self.queries_keys_values(x).view(pieces, symbols, 3, self.heads, width // self.heads)
        queries, keys, values = by_head.permute(2, 0, 3, 1, 4)
        mixed = values
        if self.kind != "identity":
            mixed = functional.scaled_dot_product_attention(queries, keys, values, is_causal=True)
        if self.kind == "value-skip":
            mixed = values + self.mixture * mixed
        result: Tensor = self.out(mixed.transpose(1, 2).reshape(pieces, symbols, width))
        return result


class FeedForward(nn.Sequential):
    """Two linear layers with a GELU between them."""

    def __init__(self, width: int) -> None:
        super().__init__(nn.Linear(width, 4 * width), nn.GELU(approximate="tanh"), nn.Linear(4 * width, width))


class Language(nn.Module):
    """The network that `LanguageModel` describes: logits (pieces, symbols, symbols) of symbols (pieces, context)."""

    def __init__(self, model: LanguageModel) -> None:
        super().__init__()
        self.model = model
        self.symbols = nn.Embedding(model.symbols, model.width)
        self.places = nn.Parameter(torch.zeros(model.context, model.width))
        makers = (lambda: Attention(model), lambda: FeedForward(model.width))
        self.branches = nn.ModuleList(makers[number % 2]() for number in range(model.branches))
        self.gates = nn.Parameter(torch.zeros(model.branches if model.skip == "rezero" else 0))

    def norm(self, x: Tensor) -> Tensor:
        """LayerNorm without gain and shift of x, (pieces, symbols, width)."""
        return functional.layer_norm(x, (self.model.width,))

    def forward(self, symbols: Tensor) -> Tensor:
        return self.head(self.continued([self.symbols(symbols) + self.places])[-1])

    def continued(self, stream: list[Tensor]) -> list[Tensor]:
        """The stream, (pieces, symbols, width), after the embedding and after every branch, given its first ones."""
        for number in range(len(stream) - 1, len(self.branches)):
            h, branch, base = stream[-1], self.branches[number], self.model.bases[number]
            if self.model.skip == "rezero":
                stream.append(h + self.gates[number] * branch(h))
            elif self.model.norm == "post-layer":
                stream.append(self.norm(h + branch(h)))
            else:
                change = branch(self.norm(h))
                stream.append(stream[base] + change if base >= 0 else change)
        return stream

    def head(self, h: Tensor) -> Tensor:
        """The logits (pieces, symbols, symbols) of a stream, by the matrix of the symbols' vectors."""
        return functional.linear(self.norm(h), self.symbols.weight)


def loaded(model: LanguageModel, parameters: np.ndarray) -> Language:
    """The module with the engine's parameters (P,), in their precision."""
    network, layout = Language(model).to(torch.from_numpy(parameters).dtype), make_layout(model)
    width = model.width
    with torch.no_grad():
        network.symbols.weight.copy_(torch.tensor(parameters[: layout.positions].reshape(-1, width)))
        places = parameters[layout.positions : layout.layers[0].weight]
        network.places.copy_(torch.tensor(places.reshape(-1, width)))
        for linear, layer in zip(_linears(network), layout.layers, strict=True):
            linear.weight.copy_(torch.tensor(layer.weights(parameters)))
            linear.bias.copy_(torch.tensor(layer.biases(parameters)))
        if layout.gates >= 0:
            network.gates.copy_(torch.tensor(parameters[layout.gates : layout.gates + model.branches]))
        for number, mixture in enumerate(_mixtures(network)):
            mixture.copy_(torch.tensor(parameters[[layout.mixtures + number]]))
    return network


def flat_gradient(network: Language) -> np.ndarray:
    """The gradients of all parameters (P,), in the engine's order; call it after a backward pass."""
    linears = _linears(network)
    tensors = [network.symbols.weight, network.places]
    tensors += [linear.weight for linear in linears] + [linear.bias for linear in linears] + [network.gates]
    tensors += _mixtures(network)
    return np.concatenate([tensor.grad.numpy().ravel() for tensor in tensors if tensor.grad is not None])


def _linears(network: Language) -> list[nn.Linear]:
    """The linear layers, two for each branch, in the engine's order."""
    return [module for branch in network.branches for module in branch.modules() if isinstance(module, nn.Linear)]


def _mixtures(network: Language) -> list[nn.Parameter]:
    """β of every block, for value-skip attention."""
    attentions = [module for module in network.modules() if isinstance(module, Attention)]
    return [attention.mixture for attention in attentions if attention.mixture.numel()]
