"""Tall stacks under one recipe that train on the handwritten digits, and what becomes of stream and gradients.

A run is a value: arrays in NumPy, and nothing that PyTorch would have to be asked about.
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
"""Numbers in the stream, images in a batch, and the first images of the training part, which are looked at"""

CHANNELS, BLOCK, FIXUP = "channels", "block", "fixup"
"""What is learned in front of a branch: a factor per channel, a factor per block, or Fixup's factor and four biases"""


@dataclass(frozen=True)
class StackSetup:
    """What tells one run from another. `rules.branch` is where a learned factor starts."""

    rules: Rules
    learned: str
    """`CHANNELS`, `BLOCK`, `FIXUP`, or empty where the factor is a constant"""
    blocks: int
    learning_rate: float
    seeds: tuple[int, ...]


@dataclass(frozen=True)
class StackLook:
    """What was measured at one step, for every seed. A size is a root mean square over images and width."""

    stream: np.ndarray
    """(seeds, blocks + 1) size of the stream from foot to top, relative to the foot"""
    gradient: np.ndarray
    """(seeds, blocks + 1) size of the loss's gradient with respect to it, relative to the top"""
    first: np.ndarray
    """(seeds, blocks) norm of the gradient of each W₁"""
    last: np.ndarray
    """(seeds, blocks) the same for W₂"""


@dataclass(frozen=True)
class StackRun(SeedRun):
    """Networks in training."""

    setup: StackSetup
    steps: tuple[int, ...]
    losses: tuple[np.ndarray, ...]
    """(seeds,) mean cross-entropy in nats on the images that are looked at, at each of `steps`"""
    start: StackLook
    now: StackLook


def begin(setup: StackSetup) -> StackRun:
    """The untrained networks, looked at once."""
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
    """The run so many steps later, with a look after every `look_every` steps; `run` itself stays as it is."""
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
    """The networks of a setup, with weights as a run has them."""
    from sims.pytorch.stacks.tall_stacks import BlockRules, TallStacks

    rules = setup.rules
    start = 1.0 if setup.learned else rules.branch
    constants = tuple(start * block**-rules.fading for block in range(1, setup.blocks + 1))
    return TallStacks(tensors(weights), BlockRules(constants, rules.skip, rules.norm_in, rules.norm_sum))


def _with_look(run: StackRun) -> StackRun:
    losses, now = _look(run.setup, run.weights)
    return replace(run, steps=(*run.steps, run.step), losses=(*run.losses, losses), now=now)


def _look(setup: StackSetup, weights: dict[str, np.ndarray]) -> tuple[np.ndarray, StackLook]:
    """(seeds,) losses, and all sizes, on the first images of the training part."""
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
