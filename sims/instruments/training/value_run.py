"""Language models that read the first layer's values again, or do not, in training on this site's own words.

A run is a value: arrays in NumPy, and nothing that PyTorch would have to be asked about.
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from sims.data import own_words

if TYPE_CHECKING:
    from torch.optim import Adam

    from sims.pytorch.models.value_models import ValueModels

WIDTH, HEADS, HIDDEN, CONTEXT = 32, 4, 128, 64
"""Numbers in the stream, heads of attention, units of a feed-forward branch, symbols in a piece"""

BATCH, LOOKED_AT = 16, 48
"""Pieces in a batch, and pieces of the held-out lines that are looked at"""

FROM = CONTEXT // 4
"""Places of a piece that are left out where attention is looked at: the first have little to choose from"""


@dataclass(frozen=True)
class ValueSetup:
    """What tells one run from another."""

    form: str
    blocks: int
    learning_rate: float
    seeds: tuple[int, ...]


@dataclass(frozen=True)
class ValueLook:
    """What was measured at one step on the held-out pieces, for every seed."""

    step: int
    losses: np.ndarray
    """(seeds,) mean cross-entropy in nats per symbol"""
    heard: np.ndarray
    """(seeds, blocks) as if so many symbols had a say: the exponential of the entropy of attention, a mean over heads,
    pieces and places"""
    shares: np.ndarray
    """(seeds, blocks - 1, 2) learned weights of the first layer's and of a layer's own values; without them 0 and 1,
    or 1 and 0"""


@dataclass(frozen=True)
class ValueRun:
    """Models in training: `weights` by name, each with the seeds first, and Adam's two moments of each."""

    setup: ValueSetup
    weights: dict[str, np.ndarray]
    moments: dict[str, tuple[np.ndarray, np.ndarray]]
    step: int
    looks: tuple[ValueLook, ...]


def begin(setup: ValueSetup) -> ValueRun:
    """The untrained models, looked at once. Raises ValueError for an unknown form."""
    import torch

    from sims.pytorch.models.value_models import initial_weights

    shape = (setup.blocks, WIDTH, len(own_words.symbols()), CONTEXT, HIDDEN)
    per_seed = [initial_weights(setup.form, seed, *shape) for seed in setup.seeds]
    weights = {name: torch.stack([one[name] for one in per_seed]).numpy() for name in per_seed[0]}
    run = ValueRun(setup, weights, {}, 0, ())
    return replace(run, looks=(look(run),))


def advance(run: ValueRun, steps: int, look_every: int) -> ValueRun:
    """The run so many steps later, with a look after every `look_every` steps; `run` itself stays as it is."""
    import torch

    from sims.pytorch import kept_adam

    if steps <= 0:
        return run
    model, optimizer = restored(run)
    looks = run.looks
    for step in range(run.step + 1, run.step + steps + 1):
        pieces = torch.from_numpy(batch(run.setup.seeds, step))
        logits, _attentions, _mixed = model(pieces[..., :-1])
        optimizer.zero_grad()
        model.losses(logits, pieces[..., 1:]).sum().backward()
        optimizer.step()
        if step % look_every == 0:
            looks = (*looks, look(replace(run, weights=kept_adam.arrays(model.weights), step=step)))
    moments = kept_adam.moments(optimizer, model.weights)
    return ValueRun(run.setup, kept_adam.arrays(model.weights), moments, run.step + steps, looks)


def batch(seeds: tuple[int, ...], step: int) -> np.ndarray:
    """Pieces (seeds, BATCH, CONTEXT + 1) of the text of a step: for each seed its own, the same for all forms."""
    learned, _held = own_words.parts()
    starts = [np.random.default_rng((seed, 2, step)).integers(0, len(learned) - CONTEXT, BATCH) for seed in seeds]
    pieces: np.ndarray = learned[np.stack(starts)[..., None] + np.arange(CONTEXT + 1)]
    return pieces


@cache
def held_out() -> np.ndarray:
    """Pieces (LOOKED_AT, CONTEXT + 1) of the held-out lines, evenly from all of them; read-only."""
    _learned, lines = own_words.parts()
    starts = np.linspace(0, len(lines) - CONTEXT - 1, LOOKED_AT).astype(int)
    pieces: np.ndarray = lines[starts[:, None] + np.arange(CONTEXT + 1)]
    pieces.setflags(write=False)
    return pieces


def restored(run: ValueRun) -> tuple["ValueModels", "Adam"]:
    """The models of a run and their optimizer, as they were after the last step."""
    import torch

    from sims.pytorch import kept_adam
    from sims.pytorch.models.value_models import ValueModels

    model = ValueModels(run.setup.form, HEADS, {name: torch.tensor(weight) for name, weight in run.weights.items()})
    return model, kept_adam.restored(model.weights, run.moments, run.setup.learning_rate, run.step)


def look(run: ValueRun) -> ValueLook:
    """Ask the models of a run on the held-out pieces."""
    import torch

    model, _ = restored(run)
    seeds = len(run.setup.seeds)
    pieces = torch.tensor(held_out()).expand(seeds, -1, -1)
    with torch.no_grad():
        logits, attentions, _mixed = model(pieces[..., :-1])
        losses = model.losses(logits, pieces[..., 1:]).double().numpy()
        heard = []
        for attention in attentions:
            weights = attention[..., FROM:, :].double()
            heard.append(torch.special.entr(weights).sum(dim=-1).exp().mean(dim=(1, 2, 3)).numpy())
    return ValueLook(run.step, losses, np.stack(heard, axis=1), _shares(run))


def _shares(run: ValueRun) -> np.ndarray:
    if run.setup.form == "learned":
        return run.weights["shares"].astype(float)
    of_one = {"plain": (0.0, 1.0), "shared": (1.0, 0.0)}[run.setup.form]
    return np.tile(of_one, (len(run.setup.seeds), run.setup.blocks - 1, 1))
