"""Tall stacks under one recipe that train on the handwritten digits, and what becomes of stream and gradients.

A run is a value: arrays in NumPy, and nothing that PyTorch would have to be asked about.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sims.data.datasets import digits
from sims.instruments.stacks.tall_stack import Rules
from sims.instruments.training.seed_batches import seed_batches

if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim import Adam

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
class StackRun:
    """Networks in training: `weights` by name, each with the seeds first, and Adam's two moments of each."""

    setup: StackSetup
    weights: dict[str, np.ndarray]
    moments: dict[str, tuple[np.ndarray, np.ndarray]]
    step: int
    steps: tuple[int, ...]
    losses: tuple[np.ndarray, ...]
    """(seeds,) mean cross-entropy in nats on the images that are looked at, at each of `steps`"""
    start: StackLook
    now: StackLook


def begin(setup: StackSetup) -> StackRun:
    """The untrained networks, looked at once."""
    import torch

    from sims.pytorch.stacks.tall_stacks import initial_weights

    data, rules = digits(), setup.rules
    per_seed = [
        initial_weights(seed, setup.blocks, WIDTH, data.features, data.classes, rules.first, rules.last)
        for seed in setup.seeds
    ]
    weights = {name: torch.stack([one[name] for one in per_seed]).numpy() for name in per_seed[0]}
    shape = (len(setup.seeds), setup.blocks)
    if setup.learned:
        width = WIDTH if setup.learned == CHANNELS else 1
        weights["factor"] = np.full((*shape, width), rules.branch, np.float32)
    if setup.learned == FIXUP:
        weights["biases"] = np.zeros((*shape, 4), np.float32)
    losses, first_look = _look(setup, weights)
    return StackRun(setup, weights, {}, 0, (0,), (losses,), first_look, first_look)


def advance(run: StackRun, steps: int, look_every: int) -> StackRun:
    """The run so many steps later, with a look after every `look_every` steps; `run` itself stays as it is."""
    import torch

    from sims.pytorch import kept_adam

    if steps <= 0:
        return run
    data = digits()
    images, labels = torch.tensor(data.train_inputs), torch.tensor(data.train_labels)
    network, optimizer = restored(run)
    batches = seed_batches(run.setup.seeds, len(labels), BATCH, run.step, steps)
    for step, batch in enumerate(batches, run.step + 1):
        chosen = torch.from_numpy(batch)
        answers, _streams = network(images[chosen])
        optimizer.zero_grad()
        network.losses(answers, labels[chosen]).sum().backward()
        optimizer.step()
        if step % look_every == 0:
            losses, now = _look(run.setup, kept_adam.arrays(network.weights))
            run = replace(run, steps=(*run.steps, step), losses=(*run.losses, losses), now=now)
    moments = kept_adam.moments(optimizer, network.weights)
    return replace(run, weights=kept_adam.arrays(network.weights), moments=moments, step=run.step + steps)


def restored(run: StackRun) -> tuple["TallStacks", "Adam"]:
    """The networks of a run and their optimizer, as they were after the last step."""
    from sims.pytorch import kept_adam

    network = _network(run.setup, run.weights)
    optimizer = kept_adam.restored(network.weights, run.moments, run.setup.learning_rate, run.step)
    return network, optimizer


def _look(setup: StackSetup, weights: dict[str, np.ndarray]) -> tuple[np.ndarray, StackLook]:
    """(seeds,) losses, and all sizes, on the first images of the training part."""
    import torch

    data = digits()
    shape = (len(setup.seeds), -1, -1)
    images = torch.tensor(data.train_inputs[:LOOKED_AT]).expand(*shape)
    labels = torch.tensor(data.train_labels[:LOOKED_AT]).expand(*shape[:2])
    network = _network(setup, weights)
    answers, streams = network(images)
    for h in streams:
        h.retain_grad()
    losses = network.losses(answers, labels)
    losses.sum().backward()
    stream = np.stack([_rms(h) for h in streams], axis=1)
    gradient = np.stack([_rms(h.grad) for h in streams], axis=1)
    norms = {name: network.weights[name].grad.double().norm(dim=(2, 3)).numpy() for name in ("first", "last")}
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        stack_look = StackLook(stream / stream[:, :1], gradient / gradient[:, -1:], norms["first"], norms["last"])
    return losses.detach().double().numpy(), stack_look


def _network(setup: StackSetup, weights: dict[str, np.ndarray]) -> "TallStacks":
    import torch

    from sims.pytorch.stacks.tall_stacks import BlockRules, TallStacks

    rules = setup.rules
    start = 1.0 if setup.learned else rules.branch
    constants = tuple(start * block**-rules.fading for block in range(1, setup.blocks + 1))
    return TallStacks(
        {name: torch.tensor(weight) for name, weight in weights.items()},
        BlockRules(constants, rules.skip, rules.norm_in, rules.norm_sum),
    )


def _rms(values: "Tensor") -> np.ndarray:
    """(seeds,) over images and width, in double precision."""
    sizes: np.ndarray = values.detach().double().square().mean(dim=(1, 2)).sqrt().numpy()
    return sizes
