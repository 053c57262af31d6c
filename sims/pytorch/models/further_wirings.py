"""Three more residual designs, in the form of `residual_wirings`: a rule whose branches are switched on one by one, and
mHC with mixes of two other kinds.

Sources are named in each function.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import torch
from torch import Tensor
from torch.nn.functional import rms_norm

from sims.pytorch.models.residual_wirings import (
    FAR,
    LANES,
    SMALL,
    Branches,
    Weights,
    Wiring,
    by_branch,
    mapped,
    mixed,
    normal,
    read_in_turn,
)

PER_BLOCK = 0.01
"""Share of a training by which each block is switched on later than the one before: 1,000 of 100,000 steps in the
scripts of Chen et al., https://github.com/dandingsky/ProRes"""


def rising(progress: float, x: Tensor, branches: Branches, _weights: Weights) -> Iterator[Tensor]:
    """x + a F(N x), where a rises from 0 to 1 in equal steps, `progress` being the share of the training that is over:
    it reaches 1 in block l after l times `PER_BLOCK` (the "linear" schedule of Chen et al. 2026, 2603.05369)."""
    yield x
    for number, branch in enumerate(branches):
        full = PER_BLOCK * (number // 2 + 1)
        x = x + min(progress / full, 1) * branch(normal(x))
        yield x


def mhc_with(mix: Callable[[Tensor], Tensor], x: Tensor, branches: Branches, weights: Weights) -> Iterator[Tensor]:
    """Lanes X ← H X + h F(N(mᵀ X)), read and written to as in mHC (Xie et al. 2025, 2512.24880); `mix` makes H,
    (…, to, from), of the rest of the logits."""
    lanes = x[..., None, :].expand(*x.shape[:-1], LANES, x.shape[-1])
    yield x
    own = [by_branch(weights[name], x) for name in ("lane_scales", "lane_logits")]
    for branch, maps, scales, logits in zip(branches, weights["lane_maps"].unbind(1), *own, strict=True):
        moved = mapped(rms_norm(lanes.flatten(-2), (LANES * x.shape[-1],)), maps)
        read = (logits[..., :LANES] + scales[..., :1] * moved[..., :LANES]).sigmoid()
        write = 2 * (logits[..., LANES : 2 * LANES] + scales[..., 1:2] * moved[..., LANES : 2 * LANES]).sigmoid()
        rest = logits[..., 2 * LANES :] + scales[..., 2:] * moved[..., 2 * LANES :]
        change = branch(normal((read[..., None] * lanes).sum(dim=-2)))
        lanes = mixed(mix(rest), lanes) + write[..., None] * change[..., None, :]
        yield lanes.mean(dim=-2)


def rotation(above: Tensor) -> Tensor:
    """Cayley's transform (I + S)⁻¹ (I − S), a rotation, of the skew-symmetric S whose numbers above the diagonal are
    given row by row, (…, n (n − 1) / 2) → (…, n, n) (Sengupta et al. 2026, 2602.18308)."""
    rows, columns = torch.triu_indices(LANES, LANES, offset=1)
    upper = above.new_zeros(*above.shape[:-1], LANES, LANES)
    upper[..., rows, columns] = above
    skew, identity = upper - upper.mT, torch.eye(LANES, dtype=above.dtype)
    return torch.linalg.solve(identity + skew, identity - skew)


def circulant(logits: Tensor) -> Tensor:
    """Logits (…, n) → (…, n, n): the mean of the n cyclic shifts, weighted by their softmax; lane i takes the share of
    shift k from lane i − k. Rows and columns add up to 1 (Zwick 2026, without its schedule over depth)."""
    to, source = torch.arange(LANES)[:, None], torch.arange(LANES)
    return logits.softmax(dim=-1)[..., (to - source) % LANES]


def _lanes(mix: Tensor, blocks: int, width: int) -> dict[str, Tensor]:
    """The weights of mHC as they start, with these logits of a mix."""
    one_hot = read_in_turn(blocks)
    return {
        "lane_maps": torch.zeros(2 * blocks, LANES * width, 2 * LANES + len(mix)),
        "lane_scales": torch.full((2 * blocks, 3), SMALL),
        "lane_logits": torch.cat(
            [FAR * (1 - 2 * one_hot), torch.zeros(2 * blocks, LANES), mix.expand(2 * blocks, -1)], dim=1
        ),
    }


def _rotating_lanes(blocks: int, width: int) -> dict[str, Tensor]:
    """Mixes start as the identity."""
    return _lanes(torch.zeros(LANES * (LANES - 1) // 2), blocks, width)


def _circulant_lanes(blocks: int, width: int) -> dict[str, Tensor]:
    """Mixes start near the identity, as those of mHC do."""
    return _lanes(FAR * (torch.arange(LANES) > 0), blocks, width)


FURTHER_WIRINGS: Mapping[str, Wiring] = {
    "prores": Wiring(partial(rising, 1.0)),
    "rotating-lanes": Wiring(partial(mhc_with, rotation), _rotating_lanes),
    "circulant-lanes": Wiring(partial(mhc_with, circulant), _circulant_lanes),
}
"""Name → design; "prores" as it is when the training is over"""
