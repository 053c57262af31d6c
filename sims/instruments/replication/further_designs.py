"""Trains the small language models of `trained_designs` with the designs of `further_wirings`, in the same way."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from sims.data import own_words
from sims.instruments.replication.trained_designs import (
    BLOCKS,
    CONTEXT,
    HEADS,
    HIDDEN,
    STEPS,
    WIDTH,
    batches,
    share,
    step_of_adam,
)
from sims.instruments.training.seed_tensors import stacked, tensors

if TYPE_CHECKING:
    from sims.pytorch.models.residual_models import ResidualModels


def trained(design: str, seeds: Sequence[int], rates: Sequence[float], steps: int = STEPS) -> "ResidualModels":
    """The models after a training: the first with the first seed and the first rate, and so on."""
    import torch

    from sims.pytorch.models.further_wirings import rising

    model = untrained(design, seeds)
    rate = torch.tensor(rates)
    moments = {name: (torch.zeros_like(weight), torch.zeros_like(weight)) for name, weight in model.weights.items()}
    for number, pieces in enumerate(batches(seeds, steps), 1):
        if design == "prores":
            model.wire = partial(rising, number / steps)
        batch = torch.from_numpy(pieces)
        model.zero_grad()
        model.losses(model(batch[..., :-1]), batch[..., 1:]).sum().backward()
        with torch.no_grad():
            for name, weight in model.weights.items():
                step_of_adam(weight, moments[name], rate * share(number, steps), number)
    return model


def untrained(design: str, seeds: Sequence[int]) -> "ResidualModels":
    """The models of some seeds as they start, with all branches on. The weights of the blocks are those of
    `trained_designs`. Raises KeyError for an unknown design."""
    from sims.pytorch.models.further_wirings import FURTHER_WIRINGS
    from sims.pytorch.models.residual_models import ResidualModels, initial_weights

    shape = (BLOCKS, BLOCKS, WIDTH, len(own_words.symbols()), CONTEXT, HIDDEN)
    wiring = FURTHER_WIRINGS[design]
    weights = stacked(initial_weights("pre-ln", seed, *shape) | wiring.weights(BLOCKS, WIDTH) for seed in seeds)
    model = ResidualModels("pre-ln", BLOCKS, HEADS, tensors(weights))
    model.wire = wiring.stream
    return model
