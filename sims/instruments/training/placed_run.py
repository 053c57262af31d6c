"""Stacks with their norms in one place that train on the handwritten digits, and what becomes of their stream.

A run is a value: arrays in NumPy, and nothing that PyTorch would have to be asked about.
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
"""Numbers in the stream, images in a batch, and the first images of the training part, which are looked at"""


@dataclass(frozen=True)
class PlacedSetup:
    """What tells one run from another."""

    placing: Placing
    shrink: float
    """What both initial matrices of a branch are multiplied by"""
    variance: float
    """Mean square of an initial branch over that of what it gets, in the mean over weights, but for `shrink`"""
    blocks: int
    learning_rate: float
    seeds: tuple[int, ...]


@dataclass(frozen=True)
class PlacedLook:
    """What was measured at one step, for every seed, over images and width."""

    stream: np.ndarray
    """(seeds, blocks + 1) mean square of the stream from foot to top"""
    update: np.ndarray
    """(seeds, blocks) root mean square of what a block adds, over that of what it adds to"""
    loss: np.ndarray
    """(seeds,) mean cross-entropy in nats"""


@dataclass(frozen=True)
class PlacedRun(SeedRun):
    """Networks in training."""

    setup: PlacedSetup
    steps: tuple[int, ...]
    losses: tuple[np.ndarray, ...]
    """(seeds,) at each of `steps`"""
    start: PlacedLook
    now: PlacedLook


def begin(setup: PlacedSetup) -> PlacedRun:
    """The untrained networks, looked at once; those of one seed start with the same numbers, whatever the placing."""
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
    """The run so many steps later, with a look after every `look_every` steps; `run` itself stays as it is."""
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
    """Numbers (seeds, BATCH) of the images, of so many, in each of the next `steps` batches: every seed and step draws
    its own, none twice."""
    return fresh_batches(seeds, 1, step, steps, lambda random: random.permutation(images)[:BATCH])


def look(setup: PlacedSetup, weights: dict[str, np.ndarray]) -> PlacedLook:
    """All sizes and losses, on the first images of the training part."""
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
