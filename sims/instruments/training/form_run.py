"""Networks that hand their stream on in one of several forms, in training on the handwritten digits.

A run is a value: arrays in NumPy, and nothing that PyTorch would have to be asked about.
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
"""Numbers in the stream, images in a batch, lanes, and the first images of the training part, which are looked at"""


@dataclass(frozen=True)
class FormSetup:
    """What tells one run from another. `own` is what a lane's own logit has more where mixes are doubly stochastic."""

    form: str
    blocks: int
    own: float
    learning_rate: float
    seeds: tuple[int, ...]


@dataclass(frozen=True)
class FormLook:
    """What was measured at one step, for every seed."""

    step: int
    losses: np.ndarray
    """(seeds,) mean cross-entropy in nats on the images that are looked at"""
    sizes: np.ndarray
    """(seeds, blocks + 1) root mean square of what every block and the head get"""
    heard: np.ndarray
    """As `StreamForms` gives it: the weights of a look back, or the mixes of lanes"""
    read: np.ndarray
    """(seeds, lanes) how much blocks read of each lane, as shares of all; without lanes (seeds, 0)"""


@dataclass(frozen=True)
class FormRun(SeedRun):
    """Networks in training."""

    setup: FormSetup
    looks: tuple[FormLook, ...]


def begin(setup: FormSetup) -> FormRun:
    """The untrained networks, looked at once. All forms begin with the same blocks. Raises KeyError for an unknown
    form."""
    from sims.pytorch.stacks.stream_forms import form_weights
    from sims.pytorch.stacks.tall_stacks import initial_weights

    data = digits()
    shape = (setup.blocks, WIDTH, data.features, data.classes)
    own = form_weights(setup.form, setup.blocks, WIDTH, LANES, setup.own)
    weights = stacked(initial_weights(seed, *shape, 1.0, 1.0) | own for seed in setup.seeds)
    return _with_look(FormRun(weights, {}, 0, setup, ()))


def advance(run: FormRun, steps: int, look_every: int) -> FormRun:
    """The run so many steps later, with a look after every `look_every` steps; `run` itself stays as it is."""
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
    """Numbers (seeds, BATCH) of the images, of so many, in each of the next `steps` batches: every seed and step draws
    its own, none twice."""
    return fresh_batches(seeds, 1, step, steps, lambda random: random.choice(images, BATCH, replace=False))


def _network(run: FormRun) -> "StreamForms":
    from sims.pytorch.stacks.stream_forms import StreamForms

    return StreamForms(run.setup.form, tensors(run.weights))


def _with_look(run: FormRun) -> FormRun:
    """Ask the networks of a run on the first images of the training part."""
    import torch

    images, labels = first_points(digits(), len(run.setup.seeds), LOOKED_AT)
    network = _network(run)
    with torch.no_grad():
        answers, got, heard = network(images)
        losses = network.losses(answers, labels).double().numpy()
    look = FormLook(run.step, losses, root_mean_squares(got), heard.double().numpy(), _read(run))
    return replace(run, looks=(*run.looks, look))


def _read(run: FormRun) -> np.ndarray:
    """Sizes of the numbers with which blocks read lanes, summed over the blocks."""
    read = np.abs(run.weights.get("pre", np.zeros((len(run.setup.seeds), 1, 0)))).astype(float).sum(axis=1)
    shares: np.ndarray = read / read.sum(axis=1, keepdims=True) if read.size else read
    return shares
