"""Networks of one ancestor of the residual block in training, for several seeds.

A run is a value: arrays in NumPy, and nothing that PyTorch would have to be asked about.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sims.data.datasets import Source
from sims.instruments.training.seed_batches import seed_batches

if TYPE_CHECKING:
    from torch import Tensor

    from sims.pytorch.models.ancestors import AncestorStack

WIDTH, BATCH = 32, 64
"""Numbers in the stream (or in front of the first block that appends), and points in a batch"""


@dataclass(frozen=True)
class AncestorRun:
    """Networks in training: `weights` by name with the seeds first, and Adam's two moments of each."""

    kind: str
    source: Source
    learning_rate: float
    seeds: tuple[int, ...]
    weights: dict[str, np.ndarray]
    moments: dict[str, tuple[np.ndarray, np.ndarray]]
    step: int
    steps: tuple[int, ...]
    losses: tuple[np.ndarray, ...]
    """(seeds,) mean cross-entropy in nats on the whole training part, at each of `steps`"""
    errors: tuple[np.ndarray, ...]
    """(seeds,) share of the training points that are answered wrongly, at each of `steps`"""

    @property
    def parameters(self) -> int:
        """How many numbers one network learns."""
        return sum(weight[0].size for weight in self.weights.values())


def begin(kind: str, source: Source, blocks: int, learning_rate: float, seeds: tuple[int, ...]) -> AncestorRun:
    """The untrained networks, measured once."""
    import torch

    from sims.pytorch.models.ancestors import initial_weights

    data = source.load()
    per_seed = [initial_weights(kind, seed, blocks, WIDTH, data.features, data.classes) for seed in seeds]
    weights = {name: torch.stack([one[name] for one in per_seed]).numpy() for name in per_seed[0]}
    run = AncestorRun(kind, source, learning_rate, seeds, weights, {}, 0, (), (), ())
    return _measured(run, 0, _network(run))


def advance(run: AncestorRun, steps: int, look_every: int) -> AncestorRun:
    """The run so many steps later, measured after every `look_every` steps; `run` itself stays as it is."""
    import torch

    from sims.pytorch import kept_adam
    from sims.pytorch.models.ancestors import losses

    if steps <= 0:
        return run
    data, network = run.source.load(), _network(run)
    points, labels = torch.tensor(data.train_inputs), torch.tensor(data.train_labels)
    optimizer = kept_adam.restored(network.weights, run.moments, run.learning_rate, run.step)
    batches = seed_batches(run.seeds, len(labels), BATCH, run.step, steps)
    for step, batch in enumerate(batches, run.step + 1):
        chosen = torch.from_numpy(batch)
        optimizer.zero_grad()
        losses(network(points[chosen]), labels[chosen]).sum().backward()
        optimizer.step()
        if step % look_every == 0:
            run = _measured(run, step, network)
    moments = kept_adam.moments(optimizer, network.weights)
    return replace(run, weights=kept_adam.arrays(network.weights), moments=moments, step=run.step + steps)


def _measured(run: AncestorRun, step: int, network: "AncestorStack") -> AncestorRun:
    import torch

    from sims.pytorch.models.ancestors import losses

    data = run.source.load()
    shape = (len(run.seeds), -1, -1)
    labels = torch.tensor(data.train_labels).expand(*shape[:2])
    with torch.no_grad():
        answers = network(torch.tensor(data.train_inputs).expand(*shape).contiguous())
        loss = losses(answers, labels).double().numpy()
        wrong: Tensor = (answers.argmax(dim=2) != labels).double().mean(dim=1)
    return replace(run, steps=(*run.steps, step), losses=(*run.losses, loss), errors=(*run.errors, wrong.numpy()))


def _network(run: AncestorRun) -> "AncestorStack":
    import torch

    from sims.pytorch.models.ancestors import AncestorStack

    return AncestorStack(run.kind, {name: torch.tensor(weight) for name, weight in run.weights.items()})
