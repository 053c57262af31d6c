"""How trained models use their depth: three probes of DepthBench (Wang et al. 2026, 2609.32534, and their code).

A state is the stream before the first block or after a block, as the head would read it; for designs with lanes, the
mean of the lanes.
"""

from collections.abc import Callable, Mapping
from copy import deepcopy
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from sims.instruments.replication.trained_designs import losses

if TYPE_CHECKING:
    from torch import Tensor

    from sims.pytorch.models.residual_models import ResidualModels

ONE_ROW: tuple[Callable[[int], int], ...] = (lambda block: block,)

TWO_ROWS: tuple[Callable[[int], int], ...] = (lambda block: 2 * block, lambda block: 2 * block + 1)

ROWS: Mapping[str, tuple[Callable[[int], int], ...]] = {
    "symbols": (),
    "places": (),
    "attend": ONE_ROW,
    "out": ONE_ROW,
    "up": ONE_ROW,
    "down": ONE_ROW,
    "kept": ONE_ROW,
    "added": ONE_ROW,
    "shares": (lambda block: block - 1,),
    "query": (lambda block: 2 * block + 1, lambda block: 2 * block + 2),
    "gain": TWO_ROWS,
    "other_gain": TWO_ROWS,
    "lane_maps": TWO_ROWS,
    "lane_scales": TWO_ROWS,
    "lane_reads": TWO_ROWS,
    "lane_mixes": TWO_ROWS,
    "lane_writes": TWO_ROWS,
    "lane_logits": TWO_ROWS,
}
"""Name of weights → what numbers a block's own rows have. A query belongs to the block whose output it is first to
read, and the first block has no shares."""


def effects_on_later_blocks(model: "ResidualModels", pieces: np.ndarray) -> np.ndarray:
    """(seeds, blocks, blocks) by how much a later block changes the stream otherwise if both branches of an earlier
    block return 0: the length of the difference over the length of the change, each a mean of all symbols; NaN unless
    the second block is later (DepthBench's causal score; pieces are (pieces, context + 1))."""
    whole = _changes(_states(model, pieces))
    effects = np.full((whole.shape[1], model.blocks, model.blocks), np.nan)
    for skipped in range(model.blocks - 1):
        otherwise = _changes(_states(model, pieces, skipped))
        for later in range(skipped + 1, model.blocks):
            difference = (otherwise[later] - whole[later]).norm(dim=-1).mean(dim=(1, 2))
            effects[:, skipped, later] = (difference / whole[later].norm(dim=-1).mean(dim=(1, 2))).numpy()
    return effects


def costs_of_swapping(model: "ResidualModels", pieces: np.ndarray) -> np.ndarray:
    """(seeds, pairs of blocks) by how much the loss rises if two blocks trade all their weights, in nats per symbol,
    for each of `pairs_of` (DepthBench's permutation score has its absolute value over
    the loss)."""
    whole = losses(model, pieces)
    return np.stack([losses(swapped(model, *pair), pieces) - whole for pair in pairs_of(model)], axis=1)


def pairs_of(model: "ResidualModels") -> list[tuple[int, int]]:
    """All pairs of blocks that have weights of their own, the lower block first."""
    return list(combinations(range(model.weights["attend"].shape[1]), 2))


def swapped(model: "ResidualModels", one: int, other: int) -> "ResidualModels":
    """A copy of the models in which two blocks have traded their weights and those that the wiring has for them. A
    weight that only one of the two has stays where it is, and so does a factor that belongs to a place."""
    import torch

    copy = deepcopy(model)
    with torch.no_grad():
        for name, weight in copy.weights.items():
            for row in ROWS[name]:
                first, second = row(one), row(other)
                if _exists(model, name, first) and _exists(model, name, second):
                    weight[:, [first, second]] = weight[:, [second, first]]
    return copy


def _exists(model: "ResidualModels", name: str, row: int) -> bool:
    """Keel's first attention has no norm, so nothing reads the first gain, which DepthBench does not have."""
    from sims.pytorch.models.residual_wirings import keel

    return row >= (1 if model.wire is keel and name == "gain" else 0)


def early_losses(model: "ResidualModels", pieces: np.ndarray) -> np.ndarray:
    """(seeds, blocks + 1) the loss if the head reads the state before the first block, or after a block, in nats per
    symbol (the logit lens)."""
    import torch

    following = torch.tensor(pieces[:, 1:]).expand(len(model.weights["symbols"]), -1, -1)
    with torch.no_grad():
        every = [model.losses(model.head(state), following).double().numpy() for state in _states(model, pieces)]
    return np.stack(every, axis=1)


def _states(model: "ResidualModels", pieces: np.ndarray, without: int | None = None) -> "list[Tensor]":
    import torch

    with torch.no_grad():
        symbols = torch.tensor(pieces[:, :-1]).expand(len(model.weights["symbols"]), -1, -1)
        return model.streams(symbols, without)[::2]


def _changes(states: "list[Tensor]") -> "Tensor":
    """(blocks, seeds, pieces, context, width)."""
    import torch

    return torch.stack(states).diff(dim=0)
