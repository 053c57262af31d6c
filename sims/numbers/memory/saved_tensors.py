"""What PyTorch keeps between the forward and the backward pass of an entrant of the arena, measured in PyTorch."""

from dataclasses import replace

from sims.comparisons.entrants import architecture
from sims.contract.calculation import calculation
from sims.data.datasets import source
from sims.engines.transformers.architecture import Transformer


@calculation(long=True)
def kilobytes(entrant: str, depth: int, two_layers: bool = False) -> float:
    """Thousands of bytes that automatic differentiation saves for one network of the arena and the 256 spiral points.

    Every block of memory counts once, however many saved tensors share it; parameters and inputs do not count. With
    `two_layers`, a fully connected entrant has `depth` / 2 branches of the form Linear, ReLU, Linear.
    """
    # PyTorch takes seconds to import: the pages that name this calculation, and the workers, must not wait for it.
    import torch

    from sims.pytorch.diagnostics.checks import saved_bytes
    from sims.pytorch.models.networks import network
    from sims.pytorch.models.transformer_network import TransformerNetwork

    data = source("spirals").load()
    points = torch.tensor(data.train_inputs)
    chosen = architecture(entrant, "spirals", depth, "default", "1")
    model: torch.nn.Module
    if isinstance(chosen, Transformer):
        model = TransformerNetwork(chosen, data.features, data.classes)
    else:
        model = network(replace(chosen, unit="two-layer") if two_layers else chosen, data.features, data.classes)
    return saved_bytes(model, points) / 1e3
