"""Trains networks of one ancestor of the residual block, for several seeds.

A run is a value: it contains NumPy arrays, and no objects of PyTorch.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sims.data.datasets import Source
from sims.instruments.training.seed_batches import seed_batches
from sims.instruments.training.seed_tensors import first_points, point_batches, stacked, tensors
from sims.instruments.training.training_loop import SeedRun, train

if TYPE_CHECKING:
    from sims.pytorch.models.ancestors import AncestorStack

WIDTH, BATCH = 32, 64
"""Width of the stream (of the input to the first block, if blocks append to it), and points in a batch"""


@dataclass(frozen=True)
class AncestorRun(SeedRun):
    """A training run: its settings, weights and measurements."""

    kind: str
    source: Source
    learning_rate: float
    seeds: tuple[int, ...]
    steps: tuple[int, ...]
    losses: tuple[np.ndarray, ...]
    """(seeds,) mean cross-entropy in nats on the whole training part, at each of `steps`"""
    errors: tuple[np.ndarray, ...]
    """(seeds,) share of wrong answers on the training points, at each of `steps`"""

    @property
    def parameters(self) -> int:
        """The number of parameters of one network."""
        return sum(weight[0].size for weight in self.weights.values())


def begin(kind: str, source: Source, blocks: int, learning_rate: float, seeds: tuple[int, ...]) -> AncestorRun:
    """Start a run: untrained networks, measured once."""
    from sims.pytorch.models.ancestors import initial_weights

    data = source.load()
    weights = stacked(initial_weights(kind, seed, blocks, WIDTH, data.features, data.classes) for seed in seeds)
    return _measured(AncestorRun(weights, {}, 0, kind, source, learning_rate, seeds, (), (), ()))


def advance(run: AncestorRun, steps: int, look_every: int) -> AncestorRun:
    """Continue a run by `steps` steps, measured after every `look_every` steps. `run` itself is not changed."""
    from sims.pytorch.models.ancestors import losses

    data, network = run.source.load(), _network(run)
    numbers = seed_batches(run.seeds, len(data.train_labels), BATCH, run.step, steps)
    return train(
        run,
        network.weights,
        run.learning_rate,
        point_batches(data, numbers),
        lambda points, labels: losses(network(points), labels),
        look_every,
        _measured,
    )


def _measured(run: AncestorRun) -> AncestorRun:
    import torch

    from sims.pytorch.models.ancestors import losses

    data = run.source.load()
    points, labels = first_points(data, len(run.seeds), len(data.train_labels))
    with torch.no_grad():
        answers = _network(run)(points.contiguous())
        loss = losses(answers, labels).double().numpy()
        wrong = (answers.argmax(dim=2) != labels).double().mean(dim=1).numpy()
    return replace(run, steps=(*run.steps, run.step), losses=(*run.losses, loss), errors=(*run.errors, wrong))


def _network(run: AncestorRun) -> "AncestorStack":
    from sims.pytorch.models.ancestors import AncestorStack

    return AncestorStack(run.kind, tensors(run.weights))
