"""Whole networks in plain PyTorch, built from `sims.pytorch.layers.blocks`: those that the fast trainer computes."""

from torch import nn

from sims.engines.perceptrons.architecture import Architecture
from sims.pytorch.layers.blocks import (
    BatchNorm,
    Dense,
    DropoutSkip,
    Highway,
    LayerNorm,
    LinearSkip,
    Plain,
    Residual,
    ReZero,
)

ACTIVATIONS = {"relu": nn.ReLU, "tanh": nn.Tanh}


def linear(architecture: Architecture, inputs: int, outputs: int) -> list[nn.Module]:
    """A linear layer and the norm after it, if there is one. Batch norm replaces the bias."""
    match architecture.norm:
        case "batch":
            return [nn.Linear(inputs, outputs, bias=False), BatchNorm(outputs)]
        case "layer":
            return [nn.Linear(inputs, outputs), LayerNorm(outputs)]
        case _:
            return [nn.Linear(inputs, outputs)]


def norm_in_front(architecture: Architecture, inputs: int) -> list[nn.Module]:
    """The norm in front of an activation in a "pre-activation" network, if there is one."""
    match architecture.norm:
        case "batch":
            return [BatchNorm(inputs)]
        case "layer" | "pre-layer" | "peri-layer":
            return [LayerNorm(inputs)]
        case _:
            return []


def branch(architecture: Architecture, inputs: int, outputs: int) -> nn.Sequential:
    """F: one layer with its activation before or after it, or two layers with an activation between them."""
    activation = ACTIVATIONS[architecture.activation]
    if architecture.unit == "pre-activation":
        return nn.Sequential(
            *norm_in_front(architecture, inputs),
            activation(),
            nn.Linear(inputs, outputs, bias=architecture.norm != "batch"),
            *([LayerNorm(outputs)] if architecture.norm == "peri-layer" else []),
        )
    return nn.Sequential(
        *([LayerNorm(inputs)] if architecture.norm in ("pre-layer", "peri-layer") else []),
        *linear(architecture, inputs, outputs),
        activation(),
        *(linear(architecture, outputs, outputs) if architecture.layers_per_block == 2 else []),
        *([LayerNorm(outputs)] if architecture.norm == "peri-layer" else []),
    )


def block(architecture: Architecture, number: int) -> nn.Module:
    """The block with that number, counted from 0."""
    width = architecture.width
    if architecture.skip == "dense":
        return Dense(branch(architecture, width + number * architecture.growth, architecture.growth))
    inside = branch(architecture, width, width)
    joined = joined_with_stream(architecture, inside)
    if architecture.unit == "original":
        return nn.Sequential(joined, ACTIVATIONS[architecture.activation]())
    if architecture.norm in ("post-layer", "deep-norm"):
        return nn.Sequential(joined, LayerNorm(width))
    return joined


def joined_with_stream(architecture: Architecture, inside: nn.Module) -> nn.Module:
    """The block around a branch, which joins its output with the stream."""
    match architecture.skip:
        case "additive":
            return Residual(inside, architecture.factor, architecture.carry)
        case "rezero":
            return ReZero(inside)
        case "highway":
            return Highway(inside, architecture.width, architecture.gate_bias)
        case "linear":
            return LinearSkip(inside, architecture.width)
        case "dropout":
            return DropoutSkip(inside, architecture.dropped)
        case _:
            return Plain(inside)


def network(architecture: Architecture, inputs: int, outputs: int) -> nn.Sequential:
    """The network for points (batch, inputs), with torch's own initial weights."""
    activation, last_width = ACTIVATIONS[architecture.activation], architecture.last_width
    blocks = [block(architecture, number) for number in range(architecture.blocks)]
    final_norm: list[nn.Module] = [LayerNorm(last_width)] if architecture.final_norm else []
    stem: nn.Module = nn.Sequential(*linear(architecture, inputs, architecture.width), activation())
    before_head = final_norm
    if architecture.unit == "pre-activation":
        stem = nn.Linear(inputs, architecture.width, bias=architecture.norm != "batch")
        normed = norm_in_front(architecture, last_width) if architecture.norm in ("batch", "layer") else final_norm
        before_head = [*normed, activation()]
    head = nn.Linear(last_width, outputs)
    return nn.Sequential(stem, *blocks, *before_head, head, *([nn.Tanh()] if architecture.squashed else []))


def ordered_parameters(model: nn.Module) -> list[nn.Parameter]:
    """The model's parameters in the order of a row of `TrainingState.parameters`: layers, then gates, then factors.

    Use it with `torch.nn.utils.vector_to_parameters` and `parameters_to_vector` to copy weights.
    """
    gates = [module.gate for module in model.modules() if isinstance(module, Highway | LinearSkip)]
    layers = [module for module in model.modules() if isinstance(module, nn.Linear) and module not in gates]
    factors = [module.factor for module in model.modules() if isinstance(module, ReZero)]
    return [*(parameter for layer in (*layers, *gates) for parameter in layer.parameters()), *factors]
