"""Trains a convolutional network of He et al.'s CIFAR shape on the handwritten digits, in PyTorch.

A run is a value: it contains NumPy arrays, and no objects of PyTorch. BatchNorm is measured with both of its
statistics: the running averages of the training, and those of the images in the measurement itself.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sims.data.datasets import Dataset, digits
from sims.engines import segment
from sims.engines.recipe import Recipe
from sims.instruments.training.seed_tensors import arrays, tensors
from sims.instruments.training.training_loop import steps_taken

if TYPE_CHECKING:
    from torch import Tensor, nn
    from torch.optim import SGD

BATCH, MOMENTUM, DECAY = 64, 0.9, 1e-4
"""Images in a batch; and the paper's momentum and weight decay"""

STATISTICS = ("kept", "own")
"""Statistics that BatchNorm uses in a measurement: running averages ("kept"), or those of the images ("own")"""


@dataclass(frozen=True)
class Setup:
    """The settings of a run. `depth` is 6n + 2, `width` the number of channels of the first stage."""

    depth: int
    width: int
    skip: bool
    learning_rate: float
    seed: int


@dataclass(frozen=True)
class Look:
    """The measurements at one step. Errors are shares of wrong answers, 0 to 1."""

    step: int
    loss: float
    """Cross-entropy on the training set in nats, with BatchNorm's own statistics of that set"""
    kept_error: float
    """On the training set, with BatchNorm's running averages"""
    own_error: float
    """On the training set, with BatchNorm's own statistics of that set"""
    test_error: float
    """On the test set, with BatchNorm's running averages"""
    gradients: np.ndarray
    """(layers,) norm of the gradient of each layer's weight, on the first batch of the data"""
    gains: np.ndarray
    """(norms,) root mean square of the gains γ of each BatchNorm, from the input on"""
    shifts: np.ndarray
    """(norms,) mean of the shifts β of each BatchNorm"""
    lag: np.ndarray
    """(norms,) running standard deviation divided by that of the training set, geometric mean over the channels"""


@dataclass(frozen=True)
class ConvolutionRun:
    """A training run: `weights` is the network's state dictionary, `velocities` are the momentum buffers of SGD."""

    setup: Setup
    weights: dict[str, np.ndarray]
    velocities: tuple[np.ndarray, ...]
    step: int
    looks: tuple[Look, ...]


def begin(setup: Setup) -> ConvolutionRun:
    """Start a run: an untrained network, measured once. Raises ValueError for a depth that is not 6n + 2."""
    import torch

    from sims.pytorch.models.cifar_shape import cifar_shape

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(setup.seed)
        network = cifar_shape(setup.depth, setup.width, setup.skip, channels=1)
    run = ConvolutionRun(setup, arrays(network.state_dict()), (), 0, ())
    return replace(run, looks=(look(run),))


def advance(run: ConvolutionRun, steps: int, look_every: int) -> ConvolutionRun:
    """Continue a run by `steps` steps, with a look after every `look_every` steps. `run` itself is not changed."""
    from torch.nn.functional import cross_entropy

    if not steps:
        return run
    data, looks = digits(), run.looks
    images, labels = _tensors(data.train_inputs, data.train_labels)
    network = restored(run)
    optimizer = _optimizer(run, network)
    network.train()
    chosen = ((images[numbers], labels[numbers]) for numbers in batches(run, data, steps))
    for step in steps_taken(optimizer, chosen, lambda x, y: cross_entropy(network(x), y), run.step):
        if step % look_every == 0:
            looks = (*looks, look(replace(run, weights=arrays(network.state_dict()), step=step)))
    velocities = tuple(
        optimizer.state[parameter]["momentum_buffer"].numpy().copy() for parameter in network.parameters()
    )
    return ConvolutionRun(run.setup, arrays(network.state_dict()), velocities, run.step + steps, looks)


def restored(run: ConvolutionRun) -> "nn.Sequential":
    """The PyTorch network of a run, after its last step."""
    import torch

    from sims.pytorch.models.cifar_shape import cifar_shape

    setup = run.setup
    with torch.random.fork_rng(devices=[]):
        network = cifar_shape(setup.depth, setup.width, setup.skip, channels=1)
    network.load_state_dict(tensors(run.weights))
    return network


def _optimizer(run: ConvolutionRun, network: "nn.Sequential") -> "SGD":
    """The optimizer of a run, after its last step; a new one before the first step."""
    import torch

    parameters = list(network.parameters())
    optimizer = torch.optim.SGD(parameters, run.setup.learning_rate, MOMENTUM, weight_decay=DECAY)
    for parameter, velocity in zip(parameters, run.velocities, strict=False):
        optimizer.state[parameter]["momentum_buffer"] = torch.tensor(velocity)
    return optimizer


def batches(run: ConvolutionRun, data: Dataset, steps: int) -> np.ndarray:
    """Indices (steps, BATCH) of the images in the next batches, as the engines draw them."""
    return segment.batches(Recipe(batch=BATCH), run.setup.seed, len(data.train_labels), run.step, steps)


def look(run: ConvolutionRun) -> Look:
    """Measure the network of a run, with both statistics of BatchNorm. The run is not changed."""
    import torch
    from torch.nn.functional import cross_entropy

    data = digits()
    images, labels = _tensors(data.train_inputs, data.train_labels)
    test_images, test_labels = _tensors(data.test_inputs, data.test_labels)
    network = restored(run)
    norms = _norms(network)
    with torch.no_grad():
        gains = [float(norm.weight.square().mean().sqrt()) for norm in norms]
        shifts = [float(norm.bias.mean()) for norm in norms]
        network.eval()
        train, test = (_error(network(x), y) for x, y in ((images, labels), (test_images, test_labels)))
        variances = [buffer for name, buffer in network.named_buffers() if name.endswith("running_var")]
        kept_variances = [variance.clone() for variance in variances]
        # With a momentum of 1, the running averages after one pass are the statistics of that pass.
        network.train()
        for norm in norms:
            norm.momentum = 1.0
        answers = network(images)
        lag = [
            float((((one + norms[0].eps) / (other + norms[0].eps)).log().mean() / 2).exp())
            for one, other in zip(kept_variances, variances, strict=True)
        ]
        loss, own = float(cross_entropy(answers, labels)), _error(answers, labels)
    cross_entropy(network(images[:BATCH]), labels[:BATCH]).backward()
    gradients = [
        float(parameter.grad.norm())
        for parameter in network.parameters()
        if parameter.grad is not None and parameter.dim() > 1
    ]
    return Look(run.step, loss, train, own, test, *map(np.array, (gradients, gains, shifts, lag)))


def _norms(network: "nn.Sequential") -> list["nn.BatchNorm2d"]:
    from torch import nn

    return [module for module in network.modules() if isinstance(module, nn.BatchNorm2d)]


def _error(answers: "Tensor", labels: "Tensor") -> float:
    return float((answers.argmax(1) != labels).double().mean())


def _tensors(inputs: np.ndarray, labels: np.ndarray) -> tuple["Tensor", "Tensor"]:
    """Images (count, 1, 8, 8) and labels (count,)."""
    import torch

    return torch.tensor(inputs).reshape(-1, 1, 8, 8), torch.tensor(labels)
