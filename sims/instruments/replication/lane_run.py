"""Trains language models in lanes as `trained_designs` does, step by step, and looks into their lanes.

A run is a value: it contains NumPy arrays, and no objects of PyTorch.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sims.data import own_words
from sims.instruments.replication.trained_designs import (
    BATCH,
    BLOCKS,
    CONTEXT,
    HEADS,
    STREAM,
    held_out,
    losses,
    share,
    step_of_adam,
    untrained,
)
from sims.instruments.training.seed_batches import fresh_batches
from sims.instruments.training.seed_tensors import arrays, tensors
from sims.instruments.training.training_loop import SeedRun

if TYPE_CHECKING:
    from torch import Tensor

    from sims.pytorch.models.lane_models import LaneModels
    from sims.pytorch.models.residual_models import ResidualModels

LANES = 4
"""Lanes of a model, as `residual_wirings` has it, which needs PyTorch"""

LOOKED_AT = 32
"""Held-out pieces whose lanes are looked at"""


@dataclass(frozen=True)
class LaneSetup:
    """The settings of a run: a form, "hyper-connections" or "mhc", the rounds of Sinkhorn–Knopp of the latter, whether
    the lanes start apart, the highest learning rate, and the steps of the whole training."""

    form: str
    rounds: int
    apart: bool
    learning_rate: float
    steps: int
    seeds: tuple[int, ...]


@dataclass(frozen=True)
class LaneLook:
    """The measurements at one step on held-out pieces, for every seed. Places are before the first branch and after
    each; what concerns mixes is about the product of all mixes so far, for each symbol."""

    step: int
    losses: np.ndarray
    """(seeds,) mean cross-entropy in nats per symbol"""
    alike: np.ndarray
    """(seeds, places) cosine between two lanes, mean of all pairs and symbols"""
    fullest: np.ndarray
    """(seeds, places) share of the largest lane in the squared size of all lanes"""
    stretch: np.ndarray
    """(seeds, places) largest singular value, mean of the symbols"""
    sums: np.ndarray
    """(seeds, places) largest sum of the absolute numbers of a row, mean of the symbols"""
    uneven: np.ndarray
    """(seeds,) how far a row or a column of a single mix is from a sum of 1 at most, mean of branches and symbols"""
    dye: np.ndarray
    """(seeds, places, lanes) what is in each lane of a drop of 1 in the first one, mean of the symbols"""


@dataclass(frozen=True)
class LaneRun(SeedRun):
    """A training run: its settings, weights and measurements."""

    setup: LaneSetup
    looks: tuple[LaneLook, ...]


def begin(setup: LaneSetup) -> LaneRun:
    """Start a run: untrained models, measured once. Raises KeyError for an unknown form."""
    weights = arrays(untrained(setup.form, setup.seeds).weights)
    moments = {name: (np.zeros_like(weight), np.zeros_like(weight)) for name, weight in weights.items()}
    return _with_look(LaneRun(weights, moments, 0, setup, ()))


def advance(run: LaneRun, steps: int, look_every: int) -> LaneRun:
    """Continue a run by `steps` steps, with a look after every `look_every` steps. `run` itself is not changed."""
    import torch

    model = model_of(run)
    moments = {name: (torch.tensor(first), torch.tensor(second)) for name, (first, second) in run.moments.items()}
    step = run.step
    for step in steps_taken(model, moments, run.setup, run.step, steps):
        if step % look_every == 0:
            run = _with_look(replace(run, weights=arrays(model.weights), step=step))
    after = {name: (first.numpy(), second.numpy()) for name, (first, second) in moments.items()}
    return replace(run, weights=arrays(model.weights), moments=after, step=step)


def steps_taken(
    model: "ResidualModels",
    moments: "Mapping[str, tuple[Tensor, Tensor]]",
    setup: LaneSetup,
    step: int,
    steps: int,
) -> Iterator[int]:
    """Take the next `steps` steps of Adam after `step`, in place, and yield the number of each."""
    import torch

    rate = torch.full((len(setup.seeds),), setup.learning_rate)
    for number, pieces in enumerate(batches(setup.seeds, step, steps), step + 1):
        batch = torch.from_numpy(pieces)
        model.zero_grad()
        model.losses(model(batch[..., :-1]), batch[..., 1:]).sum().backward()
        with torch.no_grad():
            for name, weight in model.weights.items():
                step_of_adam(weight, moments[name], rate * share(number, setup.steps), number)
        yield number


def batches(seeds: tuple[int, ...], step: int, steps: int) -> Iterator[np.ndarray]:
    """Yield the pieces of text (seeds, BATCH, CONTEXT + 1) of the next `steps` batches, those of `trained_designs`."""
    text, _held = own_words.parts()
    for starts in fresh_batches(seeds, STREAM, step, steps, lambda r: r.integers(0, len(text) - CONTEXT, BATCH)):
        yield text[starts[..., None] + np.arange(CONTEXT + 1)]


def model_of(run: LaneRun) -> "LaneModels":
    """The models of a run."""
    from sims.pytorch.models.lane_models import LaneModels

    setup = run.setup
    return LaneModels(setup.form, setup.rounds, setup.apart, BLOCKS, HEADS, tensors(run.weights))


def _with_look(run: LaneRun) -> LaneRun:
    """Measure the models of a run on held-out pieces."""
    import torch

    model, pieces = model_of(run), held_out()[1][:: len(held_out()[1]) // LOOKED_AT]
    with torch.no_grad():
        passed = model.passed(torch.tensor(pieces[:, :-1]).expand(len(run.setup.seeds), -1, -1))
    lanes = [place.lanes.double().numpy() for place in passed]
    mixes = [place.mix.double().numpy() for place in passed]
    products = [mixes[0]]
    for mix in mixes[1:]:
        products.append(mix @ products[-1])
    by_place = {
        "alike": [likeness(streams) for streams in lanes],
        "fullest": [fullest(streams) for streams in lanes],
        "stretch": [np.linalg.svd(product, compute_uv=False)[..., 0].mean(axis=(1, 2)) for product in products],
        "sums": [np.abs(product).sum(axis=-1).max(axis=-1).mean(axis=(1, 2)) for product in products],
        "dye": [product[..., 0].mean(axis=(1, 2)) for product in products],
    }
    off = np.mean([unevenness(mix).mean(axis=(1, 2)) for mix in mixes[1:]], axis=0)
    measured = {name: np.stack(values, axis=1) for name, values in by_place.items()}
    look = LaneLook(run.step, losses(model, pieces), uneven=off, **measured)
    return replace(run, looks=(*run.looks, look))


def likeness(lanes: np.ndarray) -> np.ndarray:
    """(seeds,) mean cosine between two of the lanes (seeds, pieces, context, lanes, width) of a symbol."""
    unit = lanes / np.linalg.norm(lanes, axis=-1, keepdims=True)
    count = lanes.shape[-2]
    cosines = unit @ unit.swapaxes(-2, -1)
    mean_cosines: np.ndarray = ((cosines.sum(axis=(-2, -1)) - count) / (count * (count - 1))).mean(axis=(1, 2))
    return mean_cosines


def fullest(lanes: np.ndarray) -> np.ndarray:
    """(seeds,) the largest lane's share in the squared size of all lanes (seeds, pieces, context, lanes, width)."""
    sizes = np.square(lanes).sum(axis=-1).mean(axis=(1, 2))
    largest_shares: np.ndarray = (sizes / sizes.sum(axis=-1, keepdims=True)).max(axis=-1)
    return largest_shares


def unevenness(mixes: np.ndarray) -> np.ndarray:
    """How far a row or a column of matrices (…, n, n) is at most from a sum of 1: (…)."""
    sums = np.concatenate([mixes.sum(axis=-1), mixes.sum(axis=-2)], axis=-1)
    deviations: np.ndarray = np.abs(sums - 1).max(axis=-1)
    return deviations


def flipped_losses(setup: LaneSetup, pieces: np.ndarray) -> np.ndarray:
    """(seeds,) losses on pieces (pieces, CONTEXT + 1) of models without lanes, which begin with half of the signs of
    their first stream flipped."""
    import torch

    from sims.pytorch.models.lane_models import flipped

    model = untrained(setup.form, setup.seeds)
    model.wire = flipped(model.wire)
    moments = {name: (torch.zeros_like(weight), torch.zeros_like(weight)) for name, weight in model.weights.items()}
    for _step in steps_taken(model, moments, setup, 0, setup.steps):
        pass
    return losses(model, pieces)
