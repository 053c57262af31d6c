"""One convolutional network of He et al.'s CIFAR shape that trains on the handwritten digits, in PyTorch.

A run is a value: arrays in NumPy, and nothing that PyTorch would have to be asked about. BatchNorm is watched with both
of its statistics: those kept during training, and those of the images that are looked at.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sims.data.datasets import Dataset, digits
from sims.engines import stretch
from sims.engines.recipe import Recipe
from sims.instruments.training.seed_tensors import arrays, tensors
from sims.instruments.training.training_loop import steps_taken

if TYPE_CHECKING:
    from torch import Tensor, nn
    from torch.optim import SGD

BATCH, MOMENTUM, DECAY = 64, 0.9, 1e-4
"""Images in a batch; and the paper's momentum and weight decay"""

STATISTICS = ("kept", "own")
"""What BatchNorm subtracts and divides by when the network is asked: running averages, or those of the images"""


@dataclass(frozen=True)
class Setup:
    """What tells one run from another. `depth` is 6n + 2, `width` the channels of the first stage."""

    depth: int
    width: int
    skip: bool
    learning_rate: float
    seed: int


@dataclass(frozen=True)
class Look:
    """What was measured at one step. Errors are shares of wrong answers, 0 to 1."""

    step: int
    loss: float
    """Cross-entropy on the training set in nats, with its own statistics"""
    kept_error: float
    """On the training set, with the statistics that BatchNorm has kept"""
    own_error: float
    """On the training set, with its own statistics"""
    test_error: float
    """On the test set, with the kept statistics"""
    gradients: np.ndarray
    """(layers,) norm of the gradient of each layer's weight, on the first batch of the data"""
    gains: np.ndarray
    """(norms,) root mean square of BatchNorm's gains γ, norm by norm from the input"""
    shifts: np.ndarray
    """(norms,) mean of BatchNorm's shifts β"""
    lag: np.ndarray
    """(norms,) kept standard deviation over the training set's own, geometric mean of the channels"""


@dataclass(frozen=True)
class ConvolutionRun:
    """A network in training: `weights` are its whole state dictionary, `velocities` the momentum of its parameters."""

    setup: Setup
    weights: dict[str, np.ndarray]
    velocities: tuple[np.ndarray, ...]
    step: int
    looks: tuple[Look, ...]


def begin(setup: Setup) -> ConvolutionRun:
    """The untrained network, looked at once. Raises ValueError for a depth that is not 6n + 2."""
    import torch

    from sims.pytorch.models.cifar_shape import cifar_shape

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(setup.seed)
        network = cifar_shape(setup.depth, setup.width, setup.skip, channels=1)
    run = ConvolutionRun(setup, arrays(network.state_dict()), (), 0, ())
    return replace(run, looks=(look(run),))


def advance(run: ConvolutionRun, steps: int, look_every: int) -> ConvolutionRun:
    """The run so many steps later, with a look after every `look_every` steps; `run` itself stays as it is."""
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
    """The network of a run, as it was after its last step."""
    import torch

    from sims.pytorch.models.cifar_shape import cifar_shape

    setup = run.setup
    with torch.random.fork_rng(devices=[]):
        network = cifar_shape(setup.depth, setup.width, setup.skip, channels=1)
    network.load_state_dict(tensors(run.weights))
    return network


def _optimizer(run: ConvolutionRun, network: "nn.Sequential") -> "SGD":
    """Its optimizer, as it was after the last step; fresh where there are no velocities yet."""
    import torch

    parameters = list(network.parameters())
    optimizer = torch.optim.SGD(parameters, run.setup.learning_rate, MOMENTUM, weight_decay=DECAY)
    for parameter, velocity in zip(parameters, run.velocities, strict=False):
        optimizer.state[parameter]["momentum_buffer"] = torch.tensor(velocity)
    return optimizer


def batches(run: ConvolutionRun, data: Dataset, steps: int) -> np.ndarray:
    """Numbers (steps, BATCH) of the images in the batches that come next, as the engines draw them."""
    return stretch.batches(Recipe(batch=BATCH), run.setup.seed, len(data.train_labels), run.step, steps)


def look(run: ConvolutionRun) -> Look:
    """Ask the network of a run, with both statistics of its BatchNorms. The run stays as it is."""
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
        # With a momentum of 1, what BatchNorm keeps of a pass is that pass's statistics.
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
