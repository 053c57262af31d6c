"""A transformer block as a plan of ten numbered lines, each with its backward pass, for Pre-Norm and Post-Norm.

`t` holds the tensors of the forward pass, `d` their gradients, `w` the weights and `dw` their gradients. The names are
the same, so that `d.r` is the gradient of `t.r`. A line only reads and writes these; it keeps no other state.
"""

import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace as Tensors

import numpy as np

from sims.instruments.hand_derived.block_operations import (
    attend,
    attend_back,
    attention,
    gain_back,
    norm,
    norm_back,
    outer,
    swiglu,
    swiglu_back,
)

Forward = Callable[[Tensors, Tensors], None]
Backward = Callable[[Tensors, Tensors, Tensors, Tensors], None]


def pre_norm_1(t: Tensors, w: Tensors) -> None:
    t.n1 = norm(t.x, w.gain1)


def pre_norm_1_back(d: Tensors, dw: Tensors, t: Tensors, w: Tensors) -> None:
    d.x += norm_back(d.n1, t.x, w.gain1)
    dw.gain1 = gain_back(d.n1, t.x)


def pre_project(t: Tensors, w: Tensors) -> None:
    t.q, t.k, t.v = t.n1 @ w.q, t.n1 @ w.k, t.n1 @ w.v


def pre_project_back(d: Tensors, dw: Tensors, t: Tensors, w: Tensors) -> None:
    d.n1 = d.q @ w.q.T + d.k @ w.k.T
    d.n1 += d.v @ w.v.T
    dw.q = outer(t.n1, d.q)
    dw.k = outer(t.n1, d.k)
    dw.v = outer(t.n1, d.v)


def mix(t: Tensors, _w: Tensors) -> None:
    t.p = attention(t.q, t.k)
    t.a = attend(t.p, t.v)


def mix_back(d: Tensors, _dw: Tensors, t: Tensors, _w: Tensors) -> None:
    saved = t.p, t.q, t.k, t.v
    d.q, d.k, d.v = attend_back(d.a, *saved)


def project_out(t: Tensors, w: Tensors) -> None:
    t.o = t.a @ w.out


def project_out_back(d: Tensors, dw: Tensors, t: Tensors, w: Tensors) -> None:
    d.a = d.o @ w.out.T
    dw.out = outer(t.a, d.o)


def pre_add_1(t: Tensors, _w: Tensors) -> None:
    t.r = t.x + t.o


def pre_add_1_back(d: Tensors, _dw: Tensors, _t: Tensors, _w: Tensors) -> None:
    d.x = d.r.copy()
    d.o = d.r.copy()


def pre_norm_2(t: Tensors, w: Tensors) -> None:
    t.n2 = norm(t.r, w.gain2)


def pre_norm_2_back(d: Tensors, dw: Tensors, t: Tensors, w: Tensors) -> None:
    d.r += norm_back(d.n2, t.r, w.gain2)
    dw.gain2 = gain_back(d.n2, t.r)


def pre_widen(t: Tensors, w: Tensors) -> None:
    t.g, t.u = t.n2 @ w.gate, t.n2 @ w.up


def pre_widen_back(d: Tensors, dw: Tensors, t: Tensors, w: Tensors) -> None:
    d.n2 = d.g @ w.gate.T + d.u @ w.up.T
    dw.gate = outer(t.n2, d.g)
    dw.up = outer(t.n2, d.u)


def bend(t: Tensors, _w: Tensors) -> None:
    t.s = swiglu(t.g, t.u)


def bend_back(d: Tensors, _dw: Tensors, t: Tensors, _w: Tensors) -> None:
    d.g, d.u = swiglu_back(d.s, t.g, t.u)


def narrow(t: Tensors, w: Tensors) -> None:
    t.m = t.s @ w.down


def narrow_back(d: Tensors, dw: Tensors, t: Tensors, w: Tensors) -> None:
    d.s = d.m @ w.down.T
    dw.down = outer(t.s, d.m)


def pre_add_2(t: Tensors, _w: Tensors) -> None:
    t.y = t.r + t.m


def pre_add_2_back(d: Tensors, _dw: Tensors, _t: Tensors, _w: Tensors) -> None:
    d.r = d.y.copy()
    d.m = d.y.copy()


def post_project(t: Tensors, w: Tensors) -> None:
    t.q, t.k, t.v = t.x @ w.q, t.x @ w.k, t.x @ w.v


def post_project_back(d: Tensors, dw: Tensors, t: Tensors, w: Tensors) -> None:
    d.x += d.q @ w.q.T + d.k @ w.k.T
    d.x += d.v @ w.v.T
    dw.q = outer(t.x, d.q)
    dw.k = outer(t.x, d.k)
    dw.v = outer(t.x, d.v)


def post_add_1(t: Tensors, _w: Tensors) -> None:
    t.z1 = t.x + t.o


def post_add_1_back(d: Tensors, _dw: Tensors, _t: Tensors, _w: Tensors) -> None:
    d.x = d.z1.copy()
    d.o = d.z1.copy()


def post_norm_1(t: Tensors, w: Tensors) -> None:
    t.r = norm(t.z1, w.gain1)


def post_norm_1_back(d: Tensors, dw: Tensors, t: Tensors, w: Tensors) -> None:
    d.z1 = norm_back(d.r, t.z1, w.gain1)
    dw.gain1 = gain_back(d.r, t.z1)


def post_widen(t: Tensors, w: Tensors) -> None:
    t.g, t.u = t.r @ w.gate, t.r @ w.up


def post_widen_back(d: Tensors, dw: Tensors, t: Tensors, w: Tensors) -> None:
    d.r += d.g @ w.gate.T + d.u @ w.up.T
    dw.gate = outer(t.r, d.g)
    dw.up = outer(t.r, d.u)


def post_add_2(t: Tensors, _w: Tensors) -> None:
    t.z2 = t.r + t.m


def post_add_2_back(d: Tensors, _dw: Tensors, _t: Tensors, _w: Tensors) -> None:
    d.r = d.z2.copy()
    d.m = d.z2.copy()


def post_norm_2(t: Tensors, w: Tensors) -> None:
    t.y = norm(t.z2, w.gain2)


def post_norm_2_back(d: Tensors, dw: Tensors, t: Tensors, w: Tensors) -> None:
    d.z2 = norm_back(d.y, t.z2, w.gain2)
    dw.gain2 = gain_back(d.y, t.z2)


@dataclass(frozen=True)
class Line:
    """A line of the plan: its name, its forward function, and its backward function."""

    name: str
    forward: Forward
    backward: Backward


Plan = Sequence[Line]

PRE = (
    Line("norm", pre_norm_1, pre_norm_1_back),
    Line("q, k, v", pre_project, pre_project_back),
    Line("attend", mix, mix_back),
    Line("out", project_out, project_out_back),
    Line("add", pre_add_1, pre_add_1_back),
    Line("norm", pre_norm_2, pre_norm_2_back),
    Line("gate, up", pre_widen, pre_widen_back),
    Line("SwiGLU", bend, bend_back),
    Line("down", narrow, narrow_back),
    Line("add", pre_add_2, pre_add_2_back),
)
POST = (
    Line("q, k, v", post_project, post_project_back),
    Line("attend", mix, mix_back),
    Line("out", project_out, project_out_back),
    Line("add", post_add_1, post_add_1_back),
    Line("norm", post_norm_1, post_norm_1_back),
    Line("gate, up", post_widen, post_widen_back),
    Line("SwiGLU", bend, bend_back),
    Line("down", narrow, narrow_back),
    Line("add", post_add_2, post_add_2_back),
    Line("norm", post_norm_2, post_norm_2_back),
)
PLANS: Mapping[str, Plan] = {"pre": PRE, "post": POST}


def forward(plan: Plan, x: np.ndarray, w: Tensors) -> Tensors:
    """Compute all tensors of a block from its input (..., tokens, width); its output is `y`, of the same shape."""
    t = Tensors(x=x)
    for line in plan:
        line.forward(t, w)
    return t


def backward(plan: Plan, dy: np.ndarray, t: Tensors, w: Tensors) -> tuple[Tensors, Tensors]:
    """Compute the gradients of all tensors and of all weights from that of the output, (..., tokens, width).

    They have the names and shapes of what they belong to.
    """
    d, dw = Tensors(y=dy), Tensors()
    for line in reversed(plan):
        line.backward(d, dw, t, w)
    return d, dw


def code(function: Callable[..., None]) -> list[str]:
    """Return the source lines of a function that is a line of the plan."""
    source = textwrap.dedent(inspect.getsource(function))
    return textwrap.dedent(source.partition("-> None:\n")[2]).splitlines()
