"""Small ways to write a residual addition, and sums that are none: a forward function of a `Parts`, what is found."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

WIDTH = 8


class Parts(nn.Module):
    """Layers for a forward function to use. The input has the shape (3, 4, WIDTH)."""

    def __init__(self, function: Callable[["Parts", Tensor], Tensor]) -> None:
        super().__init__()
        self.one, self.two = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.plain = nn.Linear(WIDTH, WIDTH, bias=False)
        self.norm, self.drop = nn.LayerNorm(WIDTH), nn.Dropout(0.1)
        self.scalar, self.gain = nn.Parameter(torch.tensor(0.5)), nn.Parameter(torch.ones(WIDTH))
        self.places = nn.Parameter(torch.randn(10, WIDTH))
        self.register_buffer("fixed", torch.ones(4, WIDTH))
        self.function = function

    def forward(self, x: Tensor) -> Tensor:
        return self.function(self, x)

    def branch(self, x: Tensor) -> Tensor:
        return self.one(functional.relu(self.two(x)))

    def other(self, x: Tensor) -> Tensor:
        return self.plain(functional.gelu(self.one(x)))


class Form(NamedTuple):
    name: str
    function: Callable[[Parts, Tensor], Tensor]
    additions: int
    kind: str = ""


class Clamped(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, gradient):
        return gradient * (ctx.saved_tensors[0] > 0)


class Added(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return x + y

    @staticmethod
    def backward(ctx, gradient):
        return gradient, gradient


class NumPyKernel(nn.Module):
    """Makes its output outside of torch."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(WIDTH, WIDTH))

    def forward(self, x: Tensor) -> Tensor:
        return torch.from_numpy(x.detach().numpy() @ self.weight.detach().numpy())


class OpaqueBranch(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.kernel = NumPyKernel()

    def forward(self, x: Tensor) -> Tensor:
        return x + self.kernel(x)


def added_to_stream(p: Parts, x: Tensor) -> Tensor:
    x = x * 1.0
    y = p.branch(x * 1.5)
    x += y
    return x


def added_to_branch(p: Parts, x: Tensor) -> Tensor:
    y = p.branch(x)
    y += x
    return y


def added_in_place(p: Parts, x: Tensor) -> Tensor:
    return x.clone().add_(p.branch(x * 1.5))


def slice_assigned(p: Parts, x: Tensor) -> Tensor:
    x = x.clone()
    x[0:1] = x[0:1] + p.branch(x[0:1] * 1.5)
    return x


def checkpointed(reentrant: bool) -> Callable[[Parts, Tensor], Tensor]:
    def function(p: Parts, x: Tensor) -> Tensor:
        for _ in range(2):
            x = checkpoint(lambda t: t + p.branch(p.norm(t)), x, use_reentrant=reentrant)
        return x

    return function


def highway(p: Parts, x: Tensor) -> Tensor:
    gate = torch.sigmoid(p.plain(x))
    return gate * p.branch(x) + (1 - gate) * x


def rotary(p: Parts, x: Tensor) -> Tensor:
    q = p.one(x)
    return q * p.fixed.cos() + torch.cat([-q[..., 4:], q[..., :4]], -1) * p.fixed.sin()


def norm_by_hand(p: Parts, x: Tensor) -> Tensor:
    centered = x - x.mean(-1, keepdim=True)
    return p.branch(centered / (x.var(-1, keepdim=True) + 1e-5).sqrt() * p.gain + p.scalar)


def relu_by_where(p: Parts, x: Tensor) -> Tensor:
    y = p.two(x)
    return p.plain(x) + p.one(torch.where(y > 0, y, 0.0))


def experts(p: Parts, x: Tensor) -> Tensor:
    weights = torch.softmax(p.plain(x), -1)
    return weights[..., :1] * p.branch(x) + weights[..., 1:2] * p.other(x)


FORMS = (
    Form("x + F(x)", lambda p, x: x + p.branch(x), 1, "identity"),
    Form("F(x) + x", lambda p, x: p.branch(x) + x, 1, "identity"),
    Form("x += F(x)", added_to_stream, 1, "identity"),
    Form("F(x) += x", added_to_branch, 1, "identity"),
    Form("x.add_(F(x))", added_in_place, 1, "identity"),
    Form("torch.add with alpha on the branch", lambda p, x: torch.add(x, p.branch(x), alpha=0.5), 1, "identity"),
    Form("torch.add with alpha on the skip", lambda p, x: torch.add(p.branch(x), x, alpha=0.5), 1, "identity"),
    Form("x - F(x)", lambda p, x: x - p.branch(x), 1, "identity"),
    Form("F(x) - x", lambda p, x: p.branch(x) - x, 1, "identity"),
    Form("0.9 x + F(x)", lambda p, x: 0.9 * x + p.branch(x), 1, "scaled"),
    Form("(x + F(x)) / sqrt 2", lambda p, x: (x + p.branch(x)) / 2**0.5, 1, "identity"),
    Form("gain * x + F(x)", lambda p, x: p.gain * x + p.branch(x), 1, "scaled"),
    Form("ReZero", lambda p, x: x + p.scalar * p.branch(x), 1, "identity"),
    Form("addcmul", lambda p, x: torch.addcmul(x, p.gain, p.branch(x)), 1, "identity"),
    Form(
        "addmm",
        lambda p, x: torch.addmm(x.reshape(-1, 8), functional.relu(p.two(x)).reshape(-1, 8), p.plain.weight.T),
        1,
        "identity",
    ),
    Form(
        "baddbmm",
        lambda p, x: torch.baddbmm(x, functional.relu(p.two(x)), p.plain.weight.T.expand(len(x), 8, 8)),
        1,
        "identity",
    ),
    Form("lerp", lambda p, x: torch.lerp(x, p.branch(x).float(), torch.sigmoid(p.one(x)).float()), 1, "gated"),
    Form("highway", highway, 1, "gated"),
    Form("sum([x, F(x)])", lambda p, x: sum([x, p.branch(x)]), 1, "identity"),
    Form("x + F(x) + G(x)", lambda p, x: x + p.branch(x) + p.other(x), 2, "identity"),
    Form("x + (F(x) + G(x))", lambda p, x: x + (p.branch(x) + p.other(x)), 1, "identity"),
    Form("(F(x) + G(x)) + x", lambda p, x: (p.branch(x) + p.other(x)) + x, 1, "identity"),
    Form("views", lambda p, x: (x.reshape(-1, 8) + p.branch(x.flatten(0, 1))).view_as(x), 1, "identity"),
    Form("permuted", lambda p, x: (x.mT + p.branch(x).mT).mT, 1, "identity"),
    Form("dropout on the branch", lambda p, x: x + p.drop(p.branch(x)), 1, "identity"),
    Form("dropout on the skip", lambda p, x: p.drop(x) + p.branch(x), 1, "scaled"),
    Form("Post-LN", lambda p, x: p.norm(x + p.branch(x)), 1, "identity"),
    Form("Pre-LN", lambda p, x: x + p.branch(p.norm(x)), 1, "identity"),
    Form("mask on the branch", lambda p, x: x + p.branch(x).masked_fill(p.fixed == 0, 0.0), 1, "identity"),
    Form("mask on the skip", lambda p, x: torch.where(p.fixed > 0, x, 0.0) + p.branch(x), 1, "scaled"),
    Form("norm on the skip", lambda p, x: p.norm(x) + p.branch(x), 1, "scaled"),
    Form("detached skip", lambda p, x: x.detach() + p.branch(x), 1, "scaled"),
    Form("projected", lambda p, x: p.plain(x) + p.branch(x), 1, "projected"),
    Form("projected, and a ReLU by where", relu_by_where, 1, "projected"),
    Form("projected and normed", lambda p, x: p.norm(p.plain(x)) + p.branch(x), 1, "projected"),
    Form("checkpoint, reentrant", checkpointed(True), 2, "identity"),
    Form("checkpoint", checkpointed(False), 2, "identity"),
    Form("assigned to a slice", slice_assigned, 1, "identity"),
    Form("custom Function in the branch", lambda p, x: x + p.one(Clamped.apply(p.two(x))), 1, "identity"),
    Form("custom Function that adds", lambda p, x: Added.apply(x, p.branch(x)), 1, "identity"),
    Form(
        "two maps of a recurrent cell (undecidable, so projected)",
        lambda p, x: torch.tanh(p.one(x) + p.two(torch.tanh(p.plain(x)))),
        1,
        "projected",
    ),
    # By design not found
    Form("stack and sum (missed)", lambda p, x: torch.stack([x, p.branch(x)]).sum(0), 0),
    Form(
        "einsum over two lanes (missed)",
        lambda p, x: torch.einsum("n,nbtd->btd", torch.ones(2), torch.stack([x, p.branch(x)]).float()),
        0,
    ),
    Form("concatenated", lambda p, x: torch.cat([x, p.branch(x)], -1), 0),
    # No residual addition
    Form("plain", lambda p, x: p.branch(x), 0),
    Form("places of tokens", lambda p, x: p.branch(x + p.places[:4]), 0),
    Form("a buffer", lambda p, x: p.branch(x + p.fixed), 0),
    Form("GELU by its formula", lambda p, x: p.branch(0.5 * x * (1 + torch.tanh(0.8 * (x + 0.045 * x**3)))), 0),
    Form("F(x) + G(x)", lambda p, x: p.branch(x) + p.other(x), 0),
    Form("layer norm by hand", norm_by_hand, 0),
    Form("SwiGLU", lambda p, x: p.plain(functional.silu(p.one(x)) * p.two(x)), 0),
    Form("two linear maps", lambda p, x: functional.relu(p.one(x) + p.two(x)), 0),
    Form("rotary places", rotary, 0),
    Form(
        "squeeze and excite",
        lambda p, x: x * torch.sigmoid(p.branch(x.mean(1, keepdim=True))),
        0,
    ),
    Form("FiLM", lambda p, x: p.norm(x) * (1 + p.one(x[:, :1])) + p.two(x[:, :1]), 0),
    Form("a loss and another", lambda p, x: p.branch(x).mean() + x.pow(2).mean() * 1.0, 0),
    Form("mixture of experts", experts, 0),
    Form("integers", lambda p, x: p.branch(x) * ((x > 0).long() + (x < 0).long()).float(), 0),
    Form("x + x", lambda p, x: p.branch(x + x), 0),
)
