"""A whole run in plain PyTorch: start, batches and steps of `sims.engines.perceptrons`, without its speed.

For the same seed the two begin with the same numbers. Later they differ by what rounding makes of it.
"""

import numpy as np
import torch
from torch import nn
from torch.nn.functional import cross_entropy

from sims.data.datasets import Dataset
from sims.engines.deep_norm import start_factor
from sims.engines.perceptrons.architecture import Architecture
from sims.engines.perceptrons.initialization import drawn, mirrored
from sims.engines.recipe import Recipe
from sims.engines.stretch import batches
from sims.pytorch.networks import network


@torch.no_grad()
def initialize(architecture: Architecture, model: nn.Module, seed: int) -> None:
    """Draw the initial weights: from stem to head, then those of the gates."""
    random = np.random.default_rng((seed, 0))
    layers = [each for each in model.modules() if isinstance(each, nn.Linear)]
    if architecture.skip in ("highway", "linear"):
        named = model.named_modules()
        gates = [each for name, each in named if name.endswith("gate") and isinstance(each, nn.Linear)]
        layers = [*(each for each in layers if each not in gates), *gates]
    for number, layer in enumerate(layers):
        rows, columns = layer.weight.shape
        if architecture.initialization == "looks-linear" and number < architecture.depth:
            weight = mirrored(rows, columns, random, number == 0, number == architecture.depth - 1)
            bias = np.zeros(rows)
        else:
            weight, bias = drawn(architecture, rows, columns, random)
        if architecture.initialization == "zero-last" and 0 < number < architecture.depth - 1:
            weight *= number % architecture.layers_per_block != 0
        if architecture.norm == "deep-norm" and 0 < number < architecture.depth - 1:
            weight *= start_factor(architecture.blocks)
        if architecture.skip in ("highway", "linear") and number >= architecture.depth:
            bias = np.full(rows, architecture.gate_bias if architecture.skip == "highway" else 0.0)
        layer.weight.copy_(torch.from_numpy(weight))
        if layer.bias is not None:
            layer.bias.copy_(torch.from_numpy(bias))


def start(architecture: Architecture, data: Dataset, seed: int) -> nn.Module:
    """The network for that data, with the initial weights of that seed."""
    model = network(architecture, data.features, data.classes)
    initialize(architecture, model, seed)
    return model


def optimizer_for(recipe: Recipe, model: nn.Module) -> torch.optim.Optimizer:
    """What turns gradients into steps."""
    match recipe.optimizer:
        case "sgd":
            return torch.optim.SGD(model.parameters(), recipe.learning_rate)
        case "momentum":
            return torch.optim.SGD(model.parameters(), recipe.learning_rate, momentum=0.9)
        case "adam":
            return torch.optim.Adam(model.parameters(), recipe.learning_rate)


def train(recipe: Recipe, model: nn.Module, data: Dataset, seed: int, steps: int) -> list[float]:
    """Train for that many steps, or until the loss is no finite number; the loss of every batch before its step."""
    inputs, labels = torch.tensor(data.train_inputs), torch.tensor(data.train_labels)
    optimizer = optimizer_for(recipe, model)
    losses: list[float] = []
    for step, rows in enumerate(batches(recipe, seed, len(labels), 0, steps), 1):
        if recipe.warmup:
            for group in optimizer.param_groups:
                group["lr"] = recipe.learning_rate * min(step / recipe.warmup, 1)
        loss = cross_entropy(model(inputs[rows]), labels[rows])
        losses.append(loss.item())
        if not loss.isfinite():
            break
        optimizer.zero_grad()
        loss.backward()
        if recipe.clip is not None:
            nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
        optimizer.step()
    return losses


@torch.no_grad()
def judged(model: nn.Module, data: Dataset) -> tuple[float, float]:
    """Loss and share of wrong answers over all training points."""
    inputs, labels = torch.tensor(data.train_inputs), torch.tensor(data.train_labels)
    answers = model(inputs)
    return cross_entropy(answers, labels).item(), (answers.argmax(1) != labels).float().mean().item()
