"""What becomes of the stream x when a branch F has been computed: one function for each residual design.

A function takes x₀, (seeds, …, width), the branches, and the weights, each with the seeds as its first dimension. It
yields what is passed on, before the first branch and after each. N is a LayerNorm without gain and shift, g a learned
gain, and l the number of the block, from 1; an attention branch and a feed-forward branch are one block. Sources are
named in each function.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor
from torch.nn.functional import layer_norm, rms_norm

Branches = Sequence[Callable[[Tensor], Tensor]]
Weights = Mapping[str, Tensor]

LANES = 4

ROUNDS = 20
"""Rounds of Sinkhorn–Knopp, as in mHC"""

FAR = -8.0
"""Logit of what a lane takes from another at the start, as in the public implementations of mHC"""

LEAST = 0.6
"""The last weight of a skip that decays"""

SMALL = 0.01
"""Factor of what depends on the token in hyper-connections, at the start"""

TINY = 1e-6
"""What is added to a squared length that divides"""


def normal(x: Tensor) -> Tensor:
    """N(x), over the last dimension."""
    return layer_norm(x, x.shape[-1:])


def pre_ln(x: Tensor, branches: Branches, _weights: Weights) -> Iterator[Tensor]:
    """x + F(N x) (Xiong et al. 2020, 2002.04745)."""
    yield x
    for branch in branches:
        x = x + branch(normal(x))
        yield x


def post_ln(x: Tensor, branches: Branches, weights: Weights) -> Iterator[Tensor]:
    """g N(x + F(x)) (Vaswani et al. 2017, 1706.03762)."""
    yield x
    for branch, gain in zip(branches, by_branch(weights["gain"], x), strict=True):
        x = gain * normal(x + branch(x))
        yield x


def peri_ln(x: Tensor, branches: Branches, weights: Weights) -> Iterator[Tensor]:
    """x + g N(F(N x)) (Kim et al. 2025, 2502.02732)."""
    yield x
    for branch, gain in zip(branches, by_branch(weights["gain"], x), strict=True):
        x = x + gain * normal(branch(normal(x)))
        yield x


def layernorm_scaling(x: Tensor, branches: Branches, _weights: Weights) -> Iterator[Tensor]:
    """x + F(N(x) / √l) (Sun et al. 2025, 2502.05795)."""
    yield x
    for number, branch in enumerate(branches):
        x = x + branch(normal(x) / (number // 2 + 1) ** 0.5)
        yield x


def decayed_identity(x: Tensor, branches: Branches, _weights: Weights) -> Iterator[Tensor]:
    """a x + F(N x), with a from 1 at the first branch to `LEAST` at the last, in equal steps (Zhang et al. 2024,
    2404.10947, and their code)."""
    yield x
    for share, branch in zip(torch.linspace(1, LEAST, len(branches)).tolist(), branches, strict=True):
        x = share * x + branch(normal(x))
        yield x


def lambdas(x: Tensor, branches: Branches, weights: Weights) -> Iterator[Tensor]:
    """Before each block x ← a x + b x₀ with learned a and b (modded-nanoGPT, and nanochat's log of 11 January 2026)."""
    start = x
    yield x
    kept, added = by_branch(weights["kept"], x), by_branch(weights["added"], x)
    for number, branch in enumerate(branches):
        if number % 2 == 0:
            x = kept[number // 2] * x + added[number // 2] * start
        x = x + branch(normal(x))
        yield x


def attention_residuals(x: Tensor, branches: Branches, weights: Weights) -> Iterator[Tensor]:
    """Instead of the sum, a branch and the head read a mean of all earlier outputs, weighted by a softmax over depth:
    a learned query for each times the outputs, normalized by their root mean square (2603.15031)."""
    queries = weights["query"]
    outputs, scores = [x], [_scores(x, queries)]
    yield x
    for number in range(len(branches) + 1):
        shares = torch.stack([score[..., number] for score in scores], dim=-1).softmax(dim=-1)
        x = torch.zeros_like(x)
        for at, output in enumerate(outputs):
            x = x + shares[..., at : at + 1] * output
        if number:
            yield x
        if number < len(branches):
            outputs.append(branches[number](normal(x)))
            scores.append(_scores(outputs[-1], queries))


def hyper_connections(x: Tensor, branches: Branches, weights: Weights) -> Iterator[Tensor]:
    """Lanes X ← Aᵀ X + B F(N(mᵀ X)), with learned m, A and B to which a small tanh of the normalized lanes is added
    (Zhu et al. 2024, 2409.19606: dynamic hyper-connections)."""
    lanes = x[..., None, :].expand(*x.shape[:-1], LANES, x.shape[-1])
    yield x
    own = [by_branch(weights[name], lanes) for name in ("lane_scales", "lane_reads", "lane_mixes", "lane_writes")]
    for branch, maps, scales, reads, mixes, writes in zip(branches, weights["lane_maps"].unbind(1), *own, strict=True):
        moved = mapped(normal(lanes), maps).tanh()
        read = reads + scales[..., :1] * moved[..., :1]
        mix = mixes + scales[..., 1:2] * moved[..., 1:-1]
        write = writes + scales[..., 2:] * moved[..., -1:]
        change = branch(normal((read * lanes).sum(dim=-2)))
        lanes = mixed(mix.mT, lanes) + write * change[..., None, :]
        yield lanes.mean(dim=-2)


def mhc(x: Tensor, branches: Branches, weights: Weights, rounds: int = ROUNDS) -> Iterator[Tensor]:
    """Lanes X ← H X + h F(N(mᵀ X)), with m between 0 and 1, h between 0 and 2, and H doubly stochastic, all computed
    from the lanes (Xie et al. 2025, 2512.24880); H stays exp of its logits with no rounds."""
    lanes = x[..., None, :].expand(*x.shape[:-1], LANES, x.shape[-1])
    yield x
    own = [by_branch(weights[name], x) for name in ("lane_scales", "lane_logits")]
    for branch, maps, scales, logits in zip(branches, weights["lane_maps"].unbind(1), *own, strict=True):
        moved = mapped(rms_norm(lanes.flatten(-2), (LANES * x.shape[-1],)), maps)
        read = (logits[..., :LANES] + scales[..., :1] * moved[..., :LANES]).sigmoid()
        write = 2 * (logits[..., LANES : 2 * LANES] + scales[..., 1:2] * moved[..., LANES : 2 * LANES]).sigmoid()
        mix = (logits[..., 2 * LANES :] + scales[..., 2:] * moved[..., 2 * LANES :]).unflatten(-1, (LANES, LANES))
        change = branch(normal((read[..., None] * lanes).sum(dim=-2)))
        lanes = mixed(balanced(mix, rounds), lanes) + write[..., None] * change[..., None, :]
        yield lanes.mean(dim=-2)


def unbalanced(x: Tensor, branches: Branches, weights: Weights) -> Iterator[Tensor]:
    """mHC with no rounds of Sinkhorn–Knopp."""
    return mhc(x, branches, weights, rounds=0)


def keel(x: Tensor, branches: Branches, weights: Weights) -> Iterator[Tensor]:
    """g N(a x + F(N x)), with a the number of branches; the first block has a = 1, and no norm after its attention
    (Chen and Wei 2026, 2601.19895, as in DepthBench's code)."""
    yield x
    for number, (branch, gain) in enumerate(zip(branches, by_branch(weights["gain"], x), strict=True)):
        total = (1 if number < 2 else len(branches)) * x + branch(normal(x))
        x = gain * normal(total) if number else total
        yield x


def siamesenorm(x: Tensor, branches: Branches, weights: Weights) -> Iterator[Tensor]:
    """Two streams: x ← g N(x), z = F(N(x + g' N(y))), then x ← x + z / √(2 l) and y ← y + z; the head reads
    g N(x) + g' N(y) (Li et al. 2026, 2602.08064, and their code)."""
    y = x
    gains, others = by_branch(weights["gain"], x), by_branch(weights["other_gain"], x)
    yield gains[0] * normal(x) + others[0] * normal(y)
    for number, branch in enumerate(branches):
        x = gains[number] * normal(x)
        change = branch(normal(x + others[number] * normal(y)))
        x, y = x + change / (2 * (number // 2 + 1)) ** 0.5, y + change
        yield gains[number + 1] * normal(x) + others[number + 1] * normal(y)


def orthogonal_updates(x: Tensor, branches: Branches, _weights: Weights) -> Iterator[Tensor]:
    """x + F − (F·x / x·x) x, with F = F(N x) (Oh et al. 2025, 2505.11881)."""
    yield x
    for branch in branches:
        change = branch(normal(x))
        along = (change * x).sum(dim=-1, keepdim=True) / (x.square().sum(dim=-1, keepdim=True) + TINY)
        x = x + change - along * x
        yield x


def balanced(logits: Tensor, rounds: int) -> Tensor:
    """exp of logits (…, n, n), whose columns and rows are divided by their sums in turn."""
    # With the rows and columns as the first dimensions, each operation runs over all tokens at once.
    mixes = logits.movedim((-2, -1), (0, 1)).contiguous().exp()
    for _ in range(rounds):
        mixes = mixes / mixes.sum(dim=0, keepdim=True)
        mixes = mixes / mixes.sum(dim=1, keepdim=True)
    return mixes.movedim((0, 1), (-2, -1))


def _scores(x: Tensor, queries: Tensor) -> Tensor:
    """Queries (seeds, readers, width) times x (seeds, …, width), normalized by its root mean square: (seeds, …,
    readers)."""
    return mapped(rms_norm(x, x.shape[-1:]), queries.mT)


def mixed(mix: Tensor, lanes: Tensor) -> Tensor:
    """A matrix (…, outputs, lanes) for each token times its lanes (…, lanes, width)."""
    # For matrices as small as these, products and a sum are faster than a matrix product for each token.
    return (mix[..., None] * lanes[..., None, :, :]).sum(dim=-2)


def mapped(x: Tensor, matrix: Tensor) -> Tensor:
    """x (seeds, …, inputs) times a matrix for each seed, (seeds, inputs, outputs)."""
    return (x.flatten(1, -2) @ matrix).unflatten(1, x.shape[1:-1])


def by_branch(weights: Tensor, x: Tensor) -> list[Tensor]:
    """Weights (seeds, branches, …) of every branch, with dimensions of 1 after the seeds, so that they multiply the
    last dimensions of x."""
    return [part.view(len(part), *[1] * (x.dim() - part.dim()), *part.shape[1:]) for part in weights.unbind(1)]


@dataclass(frozen=True)
class Wiring:
    """A design: its stream, its own weights as they start for a number of blocks and a width, without the dimension
    for seeds, and the factors of the learning rate for weights that learn at another."""

    stream: Callable[[Tensor, Branches, Weights], Iterator[Tensor]]
    weights: Callable[[int, int], dict[str, Tensor]] = lambda _blocks, _width: {}
    rates: Mapping[str, float] = field(default_factory=dict)


def _gain(blocks: int, width: int) -> dict[str, Tensor]:
    return {"gain": torch.ones(2 * blocks, width)}


def _two_gains(blocks: int, width: int) -> dict[str, Tensor]:
    return {name: torch.ones(2 * blocks + 1, width) for name in ("gain", "other_gain")}


def _lambdas(blocks: int, _width: int) -> dict[str, Tensor]:
    return {"kept": torch.ones(blocks, 1), "added": torch.zeros(blocks, 1)}


def read_in_turn(blocks: int) -> Tensor:
    """(branches, lanes): which lane a branch reads, 1 or 0."""
    return torch.eye(LANES)[torch.arange(2 * blocks) % LANES]


def _free_lanes(blocks: int, width: int) -> dict[str, Tensor]:
    return {
        "lane_maps": torch.zeros(2 * blocks, width, LANES + 2),
        "lane_scales": torch.full((2 * blocks, 1, 3), SMALL),
        "lane_reads": read_in_turn(blocks)[..., None],
        "lane_mixes": torch.eye(LANES).repeat(2 * blocks, 1, 1),
        "lane_writes": torch.ones(2 * blocks, LANES, 1),
    }


def _bounded_lanes(blocks: int, width: int) -> dict[str, Tensor]:
    one_hot = read_in_turn(blocks)
    mix = (FAR * (1 - torch.eye(LANES))).flatten().expand(2 * blocks, -1)
    return {
        "lane_maps": torch.zeros(2 * blocks, LANES * width, LANES * (LANES + 2)),
        "lane_scales": torch.full((2 * blocks, 3), SMALL),
        "lane_logits": torch.cat([FAR * (1 - 2 * one_hot), torch.zeros(2 * blocks, LANES), mix], dim=1),
    }


WIRINGS: Mapping[str, Wiring] = {
    "pre-ln": Wiring(pre_ln),
    "post-ln": Wiring(post_ln, _gain),
    "peri-ln": Wiring(peri_ln, _gain),
    "layernorm-scaling": Wiring(layernorm_scaling),
    "decayed-identity": Wiring(decayed_identity),
    "lambdas": Wiring(lambdas, _lambdas, {"kept": 0.01}),
    "value-residual": Wiring(pre_ln, lambda blocks, _width: {"shares": torch.full((blocks - 1, 2), 0.5)}),
    "attention-residuals": Wiring(
        attention_residuals, lambda blocks, width: {"query": torch.zeros(2 * blocks + 1, width)}
    ),
    "hyper-connections": Wiring(hyper_connections, _free_lanes),
    "mhc": Wiring(mhc, _bounded_lanes),
    "mhc-without-sinkhorn": Wiring(unbalanced, _bounded_lanes),
    "keel": Wiring(keel, _gain),
    "siamesenorm": Wiring(siamesenorm, _two_gains),
    "orthogonal-updates": Wiring(orthogonal_updates),
}
"""Name → design"""
