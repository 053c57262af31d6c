"""Trains networks that pass their stream on in one of several forms, on the handwritten digits.

A run is a value: it contains NumPy arrays, and no objects of PyTorch.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sims.data.datasets import digits
from sims.instruments.training.seed_batches import fresh_batches
from sims.instruments.training.seed_tensors import first_points, point_batches, root_mean_squares, stacked, tensors
from sims.instruments.training.training_loop import SeedRun, train

if TYPE_CHECKING:
    from sims.pytorch.stacks.stream_forms import StreamForms

WIDTH, BATCH, LANES, LOOKED_AT = 32, 64, 4, 256
"""Width of the stream, images in a batch, lanes, and number of training images (the first ones) used in looks"""


@dataclass(frozen=True)
class FormSetup:
    """The settings of a run. `own`: how much a lane's own logit exceeds the others, if mixes are doubly stochastic."""

    form: str
    blocks: int
    own: float
    learning_rate: float
    seeds: tuple[int, ...]


@dataclass(frozen=True)
class FormLook:
    """The measurements at one step, for every seed."""

    step: int
    losses: np.ndarray
    """(seeds,) mean cross-entropy in nats on the images used in looks"""
    sizes: np.ndarray
    """(seeds, blocks + 1) root mean square of the input to every block and to the head"""
    heard: np.ndarray
    """As `StreamForms` returns it: the weights on earlier layers, or the mixing matrices of lanes"""
    read: np.ndarray
    """(seeds, lanes) share of each lane in what blocks read; (seeds, 0) without lanes"""


@dataclass(frozen=True)
class FormRun(SeedRun):
    """A training run: its settings, weights and measurements."""

    setup: FormSetup
    looks: tuple[FormLook, ...]


def begin(setup: FormSetup) -> FormRun:
    """Start a run: untrained networks, measured once. All forms start with the same weights in their blocks.

    Raises KeyError for an unknown form.
    """
    from sims.pytorch.stacks.stream_forms import form_weights
    from sims.pytorch.stacks.tall_stacks import initial_weights

    data = digits()
    shape = (setup.blocks, WIDTH, data.features, data.classes)
    own = form_weights(setup.form, setup.blocks, WIDTH, LANES, setup.own)
    weights = stacked(initial_weights(seed, *shape, 1.0, 1.0) | own for seed in setup.seeds)
    return _with_look(FormRun(weights, {}, 0, setup, ()))


def advance(run: FormRun, steps: int, look_every: int) -> FormRun:
    """Continue a run by `steps` steps, with a look after every `look_every` steps. `run` itself is not changed."""
    data, network = digits(), _network(run)
    numbers = batches(run.setup.seeds, len(data.train_labels), run.step, steps)
    return train(
        run,
        network.weights,
        run.setup.learning_rate,
        point_batches(data, numbers),
        lambda images, labels: network.losses(network(images)[0], labels),
        look_every,
        _with_look,
    )


def batches(seeds: tuple[int, ...], images: int, step: int, steps: int) -> Iterator[np.ndarray]:
    """Indices (seeds, BATCH) of the images in each of the next `steps` batches, from 0 to `images` - 1.

    Every seed and step draws its own batch, without replacement.
    """
    return fresh_batches(seeds, 1, step, steps, lambda random: random.choice(images, BATCH, replace=False))


def _network(run: FormRun) -> "StreamForms":
    from sims.pytorch.stacks.stream_forms import StreamForms

    return StreamForms(run.setup.form, tensors(run.weights))


def _with_look(run: FormRun) -> FormRun:
    """Measure the networks of a run on the first training images."""
    import torch

    images, labels = first_points(digits(), len(run.setup.seeds), LOOKED_AT)
    network = _network(run)
    with torch.no_grad():
        answers, got, heard = network(images)
        losses = network.losses(answers, labels).double().numpy()
    look = FormLook(run.step, losses, root_mean_squares(got), heard.double().numpy(), _read(run))
    return replace(run, looks=(*run.looks, look))


def _read(run: FormRun) -> np.ndarray:
    """Shares of the lanes in the absolute weights with which blocks read them, summed over the blocks."""
    read = np.abs(run.weights.get("pre", np.zeros((len(run.setup.seeds), 1, 0)))).astype(float).sum(axis=1)
    shares: np.ndarray = read / read.sum(axis=1, keepdims=True) if read.size else read
    return shares
