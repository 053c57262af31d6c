"""Stacks with their norms in one place that train on the handwritten digits, and what becomes of their stream.

A run is a value: arrays in NumPy, and nothing that PyTorch would have to be asked about.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sims.data.datasets import digits
from sims.pytorch.stacks.placing import Placing

if TYPE_CHECKING:
    from torch import Tensor

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
class PlacedRun:
    """Networks in training: `weights` by name, each with the seeds first, and Adam's two moments of each."""

    setup: PlacedSetup
    weights: dict[str, np.ndarray]
    moments: dict[str, tuple[np.ndarray, np.ndarray]]
    step: int
    steps: tuple[int, ...]
    losses: tuple[np.ndarray, ...]
    """(seeds,) at each of `steps`"""
    start: PlacedLook
    now: PlacedLook


def begin(setup: PlacedSetup) -> PlacedRun:
    """The untrained networks, looked at once; those of one seed start with the same numbers, whatever the placing."""
    import torch

    from sims.pytorch.stacks.tall_stacks import initial_weights

    data = digits()
    sizes = (setup.shrink, setup.shrink * setup.variance**0.5)
    per_seed = [initial_weights(seed, setup.blocks, WIDTH, data.features, data.classes, *sizes) for seed in setup.seeds]
    weights = {name: torch.stack([one[name] for one in per_seed]).numpy() for name in per_seed[0]}
    if setup.placing.sphere:
        weights["alpha"] = np.full((len(setup.seeds), setup.blocks, WIDTH), 1 / setup.blocks, np.float32)
    first_look = look(setup, weights)
    return PlacedRun(setup, weights, {}, 0, (0,), (first_look.loss,), first_look, first_look)


def advance(run: PlacedRun, steps: int, look_every: int) -> PlacedRun:
    """The run so many steps later, with a look after every `look_every` steps; `run` itself stays as it is."""
    import torch

    from sims.pytorch import kept_adam
    from sims.pytorch.stacks.placed_stacks import losses

    if steps <= 0:
        return run
    data = digits()
    images, labels = torch.tensor(data.train_inputs), torch.tensor(data.train_labels)
    network = _network(run.setup, run.weights)
    optimizer = kept_adam.restored(network.weights, run.moments, run.setup.learning_rate, run.step)
    for step in range(run.step + 1, run.step + steps + 1):
        chosen = torch.from_numpy(batch(run.setup.seeds, step, len(labels)))
        optimizer.zero_grad()
        losses(network(images[chosen]).answers, labels[chosen]).sum().backward()
        optimizer.step()
        if step % look_every == 0:
            now = look(run.setup, kept_adam.arrays(network.weights))
            run = replace(run, steps=(*run.steps, step), losses=(*run.losses, now.loss), now=now)
    moments = kept_adam.moments(optimizer, network.weights)
    return replace(run, weights=kept_adam.arrays(network.weights), moments=moments, step=run.step + steps)


def batch(seeds: tuple[int, ...], step: int, count: int) -> np.ndarray:
    """(seeds, BATCH) numbers of the images of a step, of `count`: every seed and step draws its own."""
    return np.stack([np.random.default_rng((seed, 1, step)).permutation(count)[:BATCH] for seed in seeds])


def look(setup: PlacedSetup, weights: dict[str, np.ndarray]) -> PlacedLook:
    """All sizes and losses, on the first images of the training part."""
    import torch

    from sims.pytorch.stacks.placed_stacks import losses

    data = digits()
    shape = (len(setup.seeds), -1, -1)
    images = torch.tensor(data.train_inputs[:LOOKED_AT]).expand(*shape)
    labels = torch.tensor(data.train_labels[:LOOKED_AT]).expand(*shape[:2])
    with torch.no_grad():
        passed = _network(setup, weights)(images)
        loss = losses(passed.answers, labels).double().numpy()
    stream = np.stack([_square(values) for values in passed.streams], axis=1)
    added, carried = (np.stack([_square(values) for values in one], axis=1) for one in (passed.added, passed.carried))
    return PlacedLook(stream, np.sqrt(added / carried), loss)


def _network(setup: PlacedSetup, weights: dict[str, np.ndarray]) -> "PlacedStacks":
    import torch

    from sims.pytorch.stacks.placed_stacks import PlacedStacks

    return PlacedStacks({name: torch.tensor(weight) for name, weight in weights.items()}, setup.placing)


def _square(values: "Tensor") -> np.ndarray:
    """(seeds,) mean square over images and width, in double precision."""
    squares: np.ndarray = values.double().square().mean(dim=(1, 2)).numpy()
    return squares
