"""The training loop of runs: from NumPy arrays to PyTorch, step by step, and back to NumPy arrays."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sims.instruments.training.seed_tensors import arrays

if TYPE_CHECKING:
    from torch import Tensor, nn
    from torch.optim import Adam, Optimizer


@dataclass(frozen=True)
class SeedRun:
    """A training run with Adam, one network for each seed."""

    weights: dict[str, np.ndarray]
    """By name; seeds are the first dimension"""
    moments: dict[str, tuple[np.ndarray, np.ndarray]]
    """Adam's two moments of each weight; empty before the first step"""
    step: int
    """Number of the last step"""


Run = TypeVar("Run", bound=SeedRun)


def train(
    run: Run,
    weights: "nn.ParameterDict",
    learning_rate: float,
    batches: "Iterable[tuple[Tensor, Tensor]]",
    losses: "Callable[[Tensor, Tensor], Tensor]",
    look_every: int,
    with_look: Callable[[Run], Run],
) -> Run:
    """Take a step of Adam on each batch (inputs, targets), and return the new run; `run` itself if there is no batch.

    `weights` are parameters with the values of `run.weights`; `losses` returns those of a batch, (seeds,). After every
    `look_every` steps, `with_look` is called with the run so far, and returns it with a measurement added.
    """
    optimizer = _adam(run, weights, learning_rate)
    first = step = run.step
    for step in steps_taken(optimizer, batches, losses, first):
        if step % look_every == 0:
            run = with_look(replace(run, weights=arrays(weights), step=step))
    if step == first:
        return run
    states = {name: optimizer.state[weight] for name, weight in weights.items()}
    moments = {name: (state["exp_avg"].numpy(), state["exp_avg_sq"].numpy()) for name, state in states.items()}
    return replace(run, weights=arrays(weights), moments=moments, step=step)


def steps_taken(
    optimizer: "Optimizer",
    batches: "Iterable[tuple[Tensor, Tensor]]",
    losses: "Callable[[Tensor, Tensor], Tensor]",
    step: int,
) -> Iterator[int]:
    """Take an optimizer step on each batch, and yield the number of the step; the first is `step` + 1.

    The networks of several seeds share no weights, so the gradient of the summed losses is the gradient of each.
    """
    for number, (inputs, targets) in enumerate(batches, step + 1):
        optimizer.zero_grad()
        losses(inputs, targets).sum().backward()
        optimizer.step()
        yield number


def _adam(run: SeedRun, weights: "nn.ParameterDict", learning_rate: float) -> "Adam":
    """The optimizer of a run, after its last step; a new one before the first step."""
    import torch

    optimizer = torch.optim.Adam(weights.parameters(), learning_rate)
    for name, both in run.moments.items():
        first, second = map(torch.tensor, both)
        step = torch.tensor(float(run.step))
        optimizer.state[weights[name]] = {"step": step, "exp_avg": first, "exp_avg_sq": second}
    return optimizer
