"""Networks that hand their stream on in one of several forms, in training on the handwritten digits.

A run is a value: arrays in NumPy, and nothing that PyTorch would have to be asked about.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sims.data.datasets import digits

if TYPE_CHECKING:
    from torch.optim import Adam

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
class FormRun:
    """Networks in training: `weights` by name, each with the seeds first, and Adam's two moments of each."""

    setup: FormSetup
    weights: dict[str, np.ndarray]
    moments: dict[str, tuple[np.ndarray, np.ndarray]]
    step: int
    looks: tuple[FormLook, ...]


def begin(setup: FormSetup) -> FormRun:
    """The untrained networks, looked at once. All forms begin with the same blocks. Raises KeyError for an unknown
    form."""
    import torch

    from sims.pytorch.stacks.stream_forms import form_weights
    from sims.pytorch.stacks.tall_stacks import initial_weights

    data = digits()
    own = form_weights(setup.form, setup.blocks, WIDTH, LANES, setup.own)
    per_seed = [
        initial_weights(seed, setup.blocks, WIDTH, data.features, data.classes, 1.0, 1.0) | own for seed in setup.seeds
    ]
    weights = {name: torch.stack([one[name] for one in per_seed]).numpy() for name in per_seed[0]}
    run = FormRun(setup, weights, {}, 0, ())
    return replace(run, looks=(look(run),))


def advance(run: FormRun, steps: int, look_every: int) -> FormRun:
    """The run so many steps later, with a look after every `look_every` steps; `run` itself stays as it is."""
    import torch

    from sims.pytorch import kept_adam

    if steps <= 0:
        return run
    data = digits()
    images, labels = torch.tensor(data.train_inputs), torch.tensor(data.train_labels)
    network, optimizer = restored(run)
    looks = run.looks
    for step in range(run.step + 1, run.step + steps + 1):
        chosen = torch.from_numpy(batch(run.setup.seeds, step, len(labels)))
        answers, _got, _heard = network(images[chosen])
        optimizer.zero_grad()
        network.losses(answers, labels[chosen]).sum().backward()
        optimizer.step()
        if step % look_every == 0:
            looks = (*looks, look(replace(run, weights=kept_adam.arrays(network.weights), step=step)))
    moments = kept_adam.moments(optimizer, network.weights)
    return FormRun(run.setup, kept_adam.arrays(network.weights), moments, run.step + steps, looks)


def batch(seeds: tuple[int, ...], step: int, images: int) -> np.ndarray:
    """Numbers (seeds, BATCH) of the images of a step: for each seed its own, none twice."""
    return np.stack([np.random.default_rng((seed, 1, step)).choice(images, BATCH, replace=False) for seed in seeds])


def restored(run: FormRun) -> tuple["StreamForms", "Adam"]:
    """The networks of a run and their optimizer, as they were after the last step."""
    import torch

    from sims.pytorch import kept_adam
    from sims.pytorch.stacks.stream_forms import StreamForms

    network = StreamForms(run.setup.form, {name: torch.tensor(weight) for name, weight in run.weights.items()})
    optimizer = kept_adam.restored(network.weights, run.moments, run.setup.learning_rate, run.step)
    return network, optimizer


def look(run: FormRun) -> FormLook:
    """Ask the networks of a run on the first images of the training part."""
    import torch

    data = digits()
    shape = (len(run.setup.seeds), -1, -1)
    images = torch.tensor(data.train_inputs[:LOOKED_AT]).expand(*shape)
    labels = torch.tensor(data.train_labels[:LOOKED_AT]).expand(*shape[:2])
    network, _ = restored(run)
    with torch.no_grad():
        answers, got, heard = network(images)
        losses = network.losses(answers, labels).double().numpy()
        sizes = [stream.double().square().mean(dim=(1, 2)).sqrt().numpy() for stream in got]
    return FormLook(run.step, losses, np.stack(sizes, axis=1), heard.double().numpy(), _read(run))


def _read(run: FormRun) -> np.ndarray:
    """Sizes of the numbers with which blocks read lanes, summed over the blocks."""
    read = np.abs(run.weights.get("pre", np.zeros((len(run.setup.seeds), 1, 0)))).astype(float).sum(axis=1)
    shares: np.ndarray = read / read.sum(axis=1, keepdims=True) if read.size else read
    return shares
