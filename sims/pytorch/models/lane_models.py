"""The language models of `residual_models` in lanes, which can be looked into: their lanes and mixes at every branch.

They are wired as "hyper-connections" and "mhc" of `residual_wirings` and have the same weights; tests compare the two.
Two things can be chosen here: how many rounds of Sinkhorn–Knopp make a mix, and how the lanes start.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import rms_norm

from sims.pytorch.models.residual_models import ResidualModels
from sims.pytorch.models.residual_wirings import LANES, Branches, Weights, balanced, normal

Wire = Callable[[Tensor, Branches, Weights], Iterator[Tensor]]

DRAW = 0
"""Seed of what is different in the lanes, if they start apart, and of flipped signs"""


class LanesAt(NamedTuple):
    """The lanes at one place, (seeds, pieces, context, lanes, width), and the matrices (…, to, from) by which the last
    branch mixed them; the identity before the first branch."""

    lanes: Tensor
    mix: Tensor


class Maps(NamedTuple):
    """How a branch reads the lanes and writes to them, (…, lanes) each, and how it mixes them, (…, to, from)."""

    read: Tensor
    mix: Tensor
    write: Tensor


class LaneModels(ResidualModels):
    """Models of "hyper-connections" or, with `rounds` of Sinkhorn–Knopp, of "mhc".

    The lanes start as copies of x₀ or, with `apart`, differ from the start.
    """

    def __init__(
        self, form: str, rounds: int, apart: bool, blocks: int, heads: int, weights: Mapping[str, Tensor]
    ) -> None:
        super().__init__(form, blocks, heads, weights)
        maps: dict[str, Callable[[Tensor, Weights], Maps]] = {
            "hyper-connections": free_maps,
            "mhc": partial(bounded_maps, rounds),
        }
        self.pass_on = partial(_passed, maps[form], apart)
        self.wire = lambda x, branches, own: (passed.lanes.mean(dim=-2) for passed in self.pass_on(x, branches, own))

    def passed(self, symbols: Tensor) -> list[LanesAt]:
        """The lanes before the first branch and after each, for symbols (seeds, pieces, context)."""
        wire, snapshots = self.wire, list[LanesAt]()

        def keep(x: Tensor, branches: Branches, weights: Weights) -> Iterator[Tensor]:
            snapshots.extend(self.pass_on(x, branches, weights))
            yield snapshots[-1].lanes

        self.wire = keep
        try:
            self.streams(symbols)
        finally:
            self.wire = wire
        return snapshots


def started(x: Tensor, apart: bool) -> Tensor:
    """Lanes (…, lanes, width) that are copies of x (…, width).

    With `apart`, each number of x is 1 + √3 times as large in half of the lanes and 1 − √3 times in the others, which
    are drawn once for it. Then the mean of the lanes is x, and they are at right angles in the mean over draws.
    """
    lanes = x[..., None, :].expand(*x.shape[:-1], LANES, x.shape[-1])
    if not apart:
        return lanes
    random = torch.Generator().manual_seed(DRAW)
    half = torch.rand(x.shape[-1], LANES, generator=random).argsort(dim=1).mT % 2
    return lanes * (1 + 3**0.5 * (1 - 2 * half)).to(x.dtype)


def flipped(wire: Wire) -> Wire:
    """A wiring without lanes whose first stream has the signs of half of its numbers flipped, drawn once."""

    def stream(x: Tensor, branches: Branches, weights: Weights) -> Iterator[Tensor]:
        order = torch.randperm(x.shape[-1], generator=torch.Generator().manual_seed(DRAW))
        return wire(x * (1 - 2 * (order % 2)).to(x.dtype), branches, weights)

    return stream


def _passed(
    maps: Callable[[Tensor, Weights], Maps], apart: bool, x: Tensor, branches: Branches, weights: Weights
) -> Iterator[LanesAt]:
    lanes = started(x, apart)
    yield LanesAt(lanes, torch.eye(LANES, dtype=x.dtype).expand(*x.shape[:-1], -1, -1))
    for number, branch in enumerate(branches):
        own = {name: weight[:, number] for name, weight in weights.items() if name.startswith("lane_")}
        read, mix, write = maps(lanes, own)
        change = branch(normal((read[..., None] * lanes).sum(dim=-2)))
        # As in `residual_wirings`: for matrices as small as these, products and a sum are faster.
        mixed = (mix[..., None] * lanes[..., None, :, :]).sum(dim=-2)
        lanes = mixed + write[..., None] * change[..., None, :]
        yield LanesAt(lanes, mix.expand(*x.shape[:-1], -1, -1))


def free_maps(lanes: Tensor, own: Weights) -> Maps:
    """The maps of "hyper-connections" for lanes (…, lanes, width): without bounds (Zhu et al. 2409.19606)."""
    moved = _mapped(normal(lanes), own["lane_maps"]).tanh()
    scales, reads, mixes, writes = (
        _wide(own[name], lanes) for name in ("lane_scales", "lane_reads", "lane_mixes", "lane_writes")
    )
    read = reads + scales[..., :1] * moved[..., :1]
    mix = mixes + scales[..., 1:2] * moved[..., 1:-1]
    write = writes + scales[..., 2:] * moved[..., -1:]
    return Maps(read[..., 0], mix.mT, write[..., 0])


def bounded_maps(rounds: int, lanes: Tensor, own: Weights) -> Maps:
    """The maps of "mhc" for lanes (…, lanes, width): reads between 0 and 1, writes between 0 and 2, and mixes that are
    made doubly stochastic (Xie et al. 2512.24880)."""
    flat = lanes.flatten(-2)
    moved = _mapped(rms_norm(flat, flat.shape[-1:]), own["lane_maps"])
    scales, logits = (_wide(own[name], flat) for name in ("lane_scales", "lane_logits"))
    read = (logits[..., :LANES] + scales[..., :1] * moved[..., :LANES]).sigmoid()
    write = 2 * (logits[..., LANES : 2 * LANES] + scales[..., 1:2] * moved[..., LANES : 2 * LANES]).sigmoid()
    mix = (logits[..., 2 * LANES :] + scales[..., 2:] * moved[..., 2 * LANES :]).unflatten(-1, (LANES, LANES))
    return Maps(read, balanced(mix, rounds), write)


def _wide(weight: Tensor, x: Tensor) -> Tensor:
    """A branch's weight (seeds, …) with dimensions of 1 after the seeds, so that it multiplies the last ones of x."""
    return weight.view(len(weight), *[1] * (x.dim() - weight.dim()), *weight.shape[1:])


def _mapped(x: Tensor, matrix: Tensor) -> Tensor:
    """x (seeds, …, inputs) times a matrix for each seed, (seeds, inputs, outputs)."""
    return (x.flatten(1, -2) @ matrix).unflatten(1, x.shape[1:-1])
