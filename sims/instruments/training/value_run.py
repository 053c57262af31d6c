"""Trains language models whose layers reuse the first layer's values, or do not, on this site's own text.

A run is a value: it contains NumPy arrays, and no objects of PyTorch.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from sims.data import own_words
from sims.instruments.training.seed_batches import fresh_batches
from sims.instruments.training.seed_tensors import stacked, tensors
from sims.instruments.training.training_loop import SeedRun, train

if TYPE_CHECKING:
    from sims.pytorch.models.value_models import ValueModels

WIDTH, HEADS, HIDDEN, CONTEXT = 32, 4, 128, 64
"""Width of the stream, attention heads, units of a feed-forward branch, and symbols in a piece of text"""

BATCH, LOOKED_AT = 16, 48
"""Pieces in a batch, and held-out pieces used in looks"""

FROM = CONTEXT // 4
"""The first positions of a piece, left out when attention is measured: they have few symbols to attend to"""


@dataclass(frozen=True)
class ValueSetup:
    """The settings of a run."""

    form: str
    blocks: int
    learning_rate: float
    seeds: tuple[int, ...]


@dataclass(frozen=True)
class ValueLook:
    """The measurements at one step on the held-out pieces, for every seed."""

    step: int
    losses: np.ndarray
    """(seeds,) mean cross-entropy in nats per symbol"""
    heard: np.ndarray
    """(seeds, blocks) effective number of symbols attended to: exponential of the entropy of attention, mean over
    heads, pieces and positions"""
    shares: np.ndarray
    """(seeds, blocks - 1, 2) weights of the first layer's values and of a layer's own: learned, or 0 and 1 ("plain"),
    or 1 and 0 ("shared")"""


@dataclass(frozen=True)
class ValueRun(SeedRun):
    """A training run: its settings, weights and measurements."""

    setup: ValueSetup
    looks: tuple[ValueLook, ...]


def begin(setup: ValueSetup) -> ValueRun:
    """Start a run: untrained models, measured once. Raises ValueError for an unknown form."""
    from sims.pytorch.models.value_models import initial_weights

    shape = (setup.blocks, WIDTH, len(own_words.symbols()), CONTEXT, HIDDEN)
    weights = stacked(initial_weights(setup.form, seed, *shape) for seed in setup.seeds)
    return _with_look(ValueRun(weights, {}, 0, setup, ()))


def advance(run: ValueRun, steps: int, look_every: int) -> ValueRun:
    """Continue a run by `steps` steps, with a look after every `look_every` steps. `run` itself is not changed."""
    import torch

    model = _model(run)
    pieces = map(torch.from_numpy, batches(run.setup.seeds, run.step, steps))
    return train(
        run,
        model.weights,
        run.setup.learning_rate,
        ((batch[..., :-1], batch[..., 1:]) for batch in pieces),
        lambda symbols, following: model.losses(model(symbols)[0], following),
        look_every,
        _with_look,
    )


def batches(seeds: tuple[int, ...], step: int, steps: int) -> Iterator[np.ndarray]:
    """Yield the pieces of text (seeds, BATCH, CONTEXT + 1) of each of the next `steps` batches. Every seed and step
    draws its own, the same for all forms."""
    learned, _held = own_words.parts()
    for starts in fresh_batches(seeds, 2, step, steps, lambda r: r.integers(0, len(learned) - CONTEXT, BATCH)):
        yield learned[starts[..., None] + np.arange(CONTEXT + 1)]


@cache
def held_out() -> np.ndarray:
    """Pieces (LOOKED_AT, CONTEXT + 1) of the held-out lines, evenly spaced; read-only."""
    _learned, lines = own_words.parts()
    starts = np.linspace(0, len(lines) - CONTEXT - 1, LOOKED_AT).astype(int)
    pieces: np.ndarray = lines[starts[:, None] + np.arange(CONTEXT + 1)]
    pieces.setflags(write=False)
    return pieces


def _model(run: ValueRun) -> "ValueModels":
    from sims.pytorch.models.value_models import ValueModels

    return ValueModels(run.setup.form, HEADS, tensors(run.weights))


def _with_look(run: ValueRun) -> ValueRun:
    """Measure the models of a run on the held-out pieces."""
    import torch

    model = _model(run)
    pieces = torch.tensor(held_out()).expand(len(run.setup.seeds), -1, -1)
    with torch.no_grad():
        logits, attentions, _mixed = model(pieces[..., :-1])
        losses = model.losses(logits, pieces[..., 1:]).double().numpy()
        heard = []
        for attention in attentions:
            weights = attention[..., FROM:, :].double()
            heard.append(torch.special.entr(weights).sum(dim=-1).exp().mean(dim=(1, 2, 3)).numpy())
    look = ValueLook(run.step, losses, np.stack(heard, axis=1), _shares(run))
    return replace(run, looks=(*run.looks, look))


def _shares(run: ValueRun) -> np.ndarray:
    if run.setup.form == "learned":
        return run.weights["shares"].astype(float)
    of_one = {"plain": (0.0, 1.0), "shared": (1.0, 0.0)}[run.setup.form]
    return np.tile(of_one, (len(run.setup.seeds), run.setup.blocks - 1, 1))
