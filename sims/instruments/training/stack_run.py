"""Trains deep stacks with one recipe on the handwritten digits, and measures their stream and gradients.

A run is a value: it contains NumPy arrays, and no objects of PyTorch.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sims.data.datasets import digits
from sims.instruments.stacks.tall_stack import Rules
from sims.instruments.training.seed_batches import seed_batches
from sims.instruments.training.seed_tensors import first_points, point_batches, root_mean_squares, stacked, tensors
from sims.instruments.training.training_loop import SeedRun, train

if TYPE_CHECKING:
    from sims.pytorch.stacks.tall_stacks import TallStacks

WIDTH, BATCH, LOOKED_AT = 32, 64, 256
"""Width of the stream, images in a batch, and number of training images (the first ones) used in looks"""

CHANNELS, BLOCK, FIXUP = "channels", "block", "fixup"
"""What is learned with a branch: a factor per channel, a factor per block, or Fixup's factor and four biases"""


@dataclass(frozen=True)
class StackSetup:
    """The settings of a run. `rules.branch` is the initial value of a learned factor."""

    rules: Rules
    learned: str
    """`CHANNELS`, `BLOCK`, `FIXUP`, or empty where the factor is a constant"""
    blocks: int
    learning_rate: float
    seeds: tuple[int, ...]


@dataclass(frozen=True)
class StackLook:
    """The measurements at one step, for every seed. A size is a root mean square over images and width."""

    stream: np.ndarray
    """(seeds, blocks + 1) size of the stream before each block and after the last, relative to the first one"""
    gradient: np.ndarray
    """(seeds, blocks + 1) size of the loss's gradient with respect to the stream, relative to the last one"""
    first: np.ndarray
    """(seeds, blocks) norm of the gradient of each W₁"""
    last: np.ndarray
    """(seeds, blocks) the same for W₂"""


@dataclass(frozen=True)
class StackRun(SeedRun):
    """A training run: its settings, weights and measurements."""

    setup: StackSetup
    steps: tuple[int, ...]
    losses: tuple[np.ndarray, ...]
    """(seeds,) mean cross-entropy in nats on the images used in looks, at each of `steps`"""
    start: StackLook
    now: StackLook


def begin(setup: StackSetup) -> StackRun:
    """Start a run: untrained networks, measured once."""
    from sims.pytorch.stacks.tall_stacks import initial_weights

    data, rules = digits(), setup.rules
    shape = (setup.blocks, WIDTH, data.features, data.classes)
    weights = stacked(initial_weights(seed, *shape, rules.first, rules.last) for seed in setup.seeds)
    blocks = (len(setup.seeds), setup.blocks)
    if setup.learned:
        width = WIDTH if setup.learned == CHANNELS else 1
        weights["factor"] = np.full((*blocks, width), rules.branch, np.float32)
    if setup.learned == FIXUP:
        weights["biases"] = np.zeros((*blocks, 4), np.float32)
    losses, start = _look(setup, weights)
    return StackRun(weights, {}, 0, setup, (0,), (losses,), start, start)


def advance(run: StackRun, steps: int, look_every: int) -> StackRun:
    """Continue a run by `steps` steps, with a look after every `look_every` steps. `run` itself is not changed."""
    data, stacks = digits(), network(run.setup, run.weights)
    numbers = seed_batches(run.setup.seeds, len(data.train_labels), BATCH, run.step, steps)
    return train(
        run,
        stacks.weights,
        run.setup.learning_rate,
        point_batches(data, numbers),
        lambda images, labels: stacks.losses(stacks(images)[0], labels),
        look_every,
        _with_look,
    )


def network(setup: StackSetup, weights: dict[str, np.ndarray]) -> "TallStacks":
    """The PyTorch networks of a setup, with the weights of a run, (seeds, …)."""
    from sims.pytorch.stacks.tall_stacks import BlockRules, TallStacks

    rules = setup.rules
    start = 1.0 if setup.learned else rules.branch
    constants = tuple(start * block**-rules.fading for block in range(1, setup.blocks + 1))
    return TallStacks(tensors(weights), BlockRules(constants, rules.skip, rules.norm_in, rules.norm_sum))


def _with_look(run: StackRun) -> StackRun:
    losses, now = _look(run.setup, run.weights)
    return replace(run, steps=(*run.steps, run.step), losses=(*run.losses, losses), now=now)


def _look(setup: StackSetup, weights: dict[str, np.ndarray]) -> tuple[np.ndarray, StackLook]:
    """The losses (seeds,) and all sizes, on the first training images."""
    images, labels = first_points(digits(), len(setup.seeds), LOOKED_AT)
    stacks = network(setup, weights)
    answers, streams = stacks(images)
    for h in streams:
        h.retain_grad()
    losses = stacks.losses(answers, labels)
    losses.sum().backward()
    stream, gradient = root_mean_squares(streams), root_mean_squares([h.grad for h in streams])
    norms = {name: stacks.weights[name].grad.double().norm(dim=(2, 3)).numpy() for name in ("first", "last")}
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        look = StackLook(stream / stream[:, :1], gradient / gradient[:, -1:], norms["first"], norms["last"])
    return losses.detach().double().numpy(), look
