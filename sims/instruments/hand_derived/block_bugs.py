"""Silent mistakes in a backward pass: wrong lines that replace some of the lines of `block_plan`."""

from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace as Tensors

from sims.instruments.hand_derived.block_operations import attend_back, attention, gain_back, norm_back, outer
from sims.instruments.hand_derived.block_plan import PLANS, Backward, Plan


def pre_1_without_skip(d: Tensors, dw: Tensors, t: Tensors, w: Tensors) -> None:
    d.x = norm_back(d.n1, t.x, w.gain1)
    dw.gain1 = gain_back(d.n1, t.x)


def pre_6_without_skip(d: Tensors, dw: Tensors, t: Tensors, w: Tensors) -> None:
    d.r = norm_back(d.n2, t.r, w.gain2)
    dw.gain2 = gain_back(d.n2, t.r)


def pre_1_without_branch(d: Tensors, dw: Tensors, t: Tensors, w: Tensors) -> None:
    d.unused = norm_back(d.n1, t.x, w.gain1)
    dw.gain1 = gain_back(d.n1, t.x)


def pre_6_without_branch(d: Tensors, dw: Tensors, t: Tensors, w: Tensors) -> None:
    d.unused = norm_back(d.n2, t.r, w.gain2)
    dw.gain2 = gain_back(d.n2, t.r)


def pre_5_halved(d: Tensors, _dw: Tensors, _t: Tensors, _w: Tensors) -> None:
    d.x = d.r / 2
    d.o = d.r / 2


def pre_10_halved(d: Tensors, _dw: Tensors, _t: Tensors, _w: Tensors) -> None:
    d.r = d.y / 2
    d.m = d.y / 2


def post_1_without_skip(d: Tensors, dw: Tensors, t: Tensors, w: Tensors) -> None:
    d.x = d.q @ w.q.T + d.k @ w.k.T
    d.x += d.v @ w.v.T
    dw.q = outer(t.x, d.q)
    dw.k = outer(t.x, d.k)
    dw.v = outer(t.x, d.v)


def post_6_without_skip(d: Tensors, dw: Tensors, t: Tensors, w: Tensors) -> None:
    d.r = d.g @ w.gate.T + d.u @ w.up.T
    dw.gate = outer(t.r, d.g)
    dw.up = outer(t.r, d.u)


def post_1_without_branch(d: Tensors, dw: Tensors, t: Tensors, w: Tensors) -> None:
    d.unused = d.q @ w.q.T + d.k @ w.k.T
    d.unused += d.v @ w.v.T
    dw.q = outer(t.x, d.q)
    dw.k = outer(t.x, d.k)
    dw.v = outer(t.x, d.v)


def post_6_without_branch(d: Tensors, dw: Tensors, t: Tensors, w: Tensors) -> None:
    d.unused = d.g @ w.gate.T + d.u @ w.up.T
    dw.gate = outer(t.r, d.g)
    dw.up = outer(t.r, d.u)


def post_4_halved(d: Tensors, _dw: Tensors, _t: Tensors, _w: Tensors) -> None:
    d.x = d.z1 / 2
    d.o = d.z1 / 2


def post_9_halved(d: Tensors, _dw: Tensors, _t: Tensors, _w: Tensors) -> None:
    d.r = d.z2 / 2
    d.m = d.z2 / 2


def mix_without_mask(d: Tensors, _dw: Tensors, t: Tensors, _w: Tensors) -> None:
    p = attention(t.q, t.k, causal=False)
    saved = p, t.q, t.k, t.v
    d.q, d.k, d.v = attend_back(d.a, *saved)


def out_not_transposed(d: Tensors, dw: Tensors, t: Tensors, w: Tensors) -> None:
    d.a = d.o @ w.out
    dw.out = outer(t.a, d.o)


WRONG: Mapping[str, Mapping[str, Mapping[int, Backward]]] = {
    "pre": {
        "skip-1": {1: pre_1_without_skip},
        "skip-2": {6: pre_6_without_skip},
        "skips": {1: pre_1_without_skip, 6: pre_6_without_skip},
        "branches": {1: pre_1_without_branch, 6: pre_6_without_branch},
        "average": {5: pre_5_halved, 10: pre_10_halved},
        "mask": {3: mix_without_mask},
        "transpose": {4: out_not_transposed},
    },
    "post": {
        "skip-1": {1: post_1_without_skip},
        "skip-2": {6: post_6_without_skip},
        "skips": {1: post_1_without_skip, 6: post_6_without_skip},
        "branches": {1: post_1_without_branch, 6: post_6_without_branch},
        "average": {4: post_4_halved, 9: post_9_halved},
        "mask": {2: mix_without_mask},
        "transpose": {3: out_not_transposed},
    },
}
"""Arrangement → name of a bug → number of a line → the backward function that replaces the right one"""

BUGS = ("none", *WRONG["pre"])


def plan_with(arrangement: str, bug: str) -> Plan:
    """The plan "pre" or "post" with one of `BUGS` in its backward pass."""
    wrong = WRONG[arrangement].get(bug, {})
    lines = enumerate(PLANS[arrangement], 1)
    return [replace(line, backward=wrong.get(at, line.backward)) for at, line in lines]
