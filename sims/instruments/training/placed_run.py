"""Trains stacks with one placement of norms on the handwritten digits, and measures their stream.

A run is a value: it contains NumPy arrays, and no objects of PyTorch.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sims.data.datasets import digits
from sims.instruments.training.seed_batches import fresh_batches
from sims.instruments.training.seed_tensors import first_points, mean_squares, point_batches, stacked, tensors
from sims.instruments.training.training_loop import SeedRun, train
from sims.pytorch.stacks.placing import Placing

if TYPE_CHECKING:
    from sims.pytorch.stacks.placed_stacks import PlacedStacks

WIDTH, BATCH, LOOKED_AT = 64, 64, 128
"""Width of the stream, images in a batch, and number of training images (the first ones) used in looks"""


@dataclass(frozen=True)
class PlacedSetup:
    """The settings of a run."""

    placing: Placing
    shrink: float
    """Factor on both initial matrices of a branch"""
    variance: float
    """Mean square of an initial branch's output over that of its input, averaged over weights, without `shrink`"""
    blocks: int
    learning_rate: float
    seeds: tuple[int, ...]


@dataclass(frozen=True)
class PlacedLook:
    """The measurements at one step, for every seed, over images and width."""

    stream: np.ndarray
    """(seeds, blocks + 1) mean square of the stream before each block and after the last"""
    update: np.ndarray
    """(seeds, blocks) root mean square of what a block adds to the stream, over that of the stream it adds to"""
    loss: np.ndarray
    """(seeds,) mean cross-entropy in nats"""


@dataclass(frozen=True)
class PlacedRun(SeedRun):
    """A training run: its settings, weights and measurements."""

    setup: PlacedSetup
    steps: tuple[int, ...]
    losses: tuple[np.ndarray, ...]
    """(seeds,) at each of `steps`"""
    start: PlacedLook
    now: PlacedLook


def begin(setup: PlacedSetup) -> PlacedRun:
    """Start a run: untrained networks, measured once. One seed has the same initial weights in all placements."""
    from sims.pytorch.stacks.tall_stacks import initial_weights

    data = digits()
    sizes = (setup.shrink, setup.shrink * setup.variance**0.5)
    shape = (setup.blocks, WIDTH, data.features, data.classes)
    weights = stacked(initial_weights(seed, *shape, *sizes) for seed in setup.seeds)
    if setup.placing.sphere:
        weights["alpha"] = np.full((len(setup.seeds), setup.blocks, WIDTH), 1 / setup.blocks, np.float32)
    start = look(setup, weights)
    return PlacedRun(weights, {}, 0, setup, (0,), (start.loss,), start, start)


def advance(run: PlacedRun, steps: int, look_every: int) -> PlacedRun:
    """Continue a run by `steps` steps, with a look after every `look_every` steps. `run` itself is not changed."""
    from sims.pytorch.stacks.placed_stacks import losses

    data, network = digits(), _network(run.setup, run.weights)
    numbers = batches(run.setup.seeds, len(data.train_labels), run.step, steps)
    return train(
        run,
        network.weights,
        run.setup.learning_rate,
        point_batches(data, numbers),
        lambda images, labels: losses(network(images).answers, labels),
        look_every,
        _with_look,
    )


def batches(seeds: tuple[int, ...], images: int, step: int, steps: int) -> Iterator[np.ndarray]:
    """Indices (seeds, BATCH) of the images in each of the next `steps` batches, from 0 to `images` - 1.

    Every seed and step draws its own batch, without replacement.
    """
    return fresh_batches(seeds, 1, step, steps, lambda random: random.permutation(images)[:BATCH])


def look(setup: PlacedSetup, weights: dict[str, np.ndarray]) -> PlacedLook:
    """Measure stream sizes and losses of weights (seeds, …) on the first training images."""
    import torch

    from sims.pytorch.stacks.placed_stacks import losses

    images, labels = first_points(digits(), len(setup.seeds), LOOKED_AT)
    with torch.no_grad():
        passed = _network(setup, weights)(images)
        loss = losses(passed.answers, labels).double().numpy()
    update = np.sqrt(mean_squares(passed.added) / mean_squares(passed.carried))
    return PlacedLook(mean_squares(passed.streams), update, loss)


def _with_look(run: PlacedRun) -> PlacedRun:
    now = look(run.setup, run.weights)
    return replace(run, steps=(*run.steps, run.step), losses=(*run.losses, now.loss), now=now)


def _network(setup: PlacedSetup, weights: dict[str, np.ndarray]) -> "PlacedStacks":
    from sims.pytorch.stacks.placed_stacks import PlacedStacks

    return PlacedStacks(tensors(weights), setup.placing)
