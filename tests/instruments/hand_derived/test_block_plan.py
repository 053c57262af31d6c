"""Both plans as a whole, against torch's autograd; and what is copied and summed on the way back."""

from types import SimpleNamespace as Tensors

import numpy as np
import pytest
import torch
from torch.nn import functional

from sims.instruments.hand_derived.block_operations import EPSILON
from sims.instruments.hand_derived.block_plan import PLANS, PRE, backward, code, forward

SHAPES = {"q": (8, 8), "k": (8, 8), "v": (8, 8), "out": (8, 8), "gate": (8, 16), "up": (8, 16), "down": (16, 8)}


def weights(rng: np.random.Generator) -> Tensors:
    gains = {name: 1 + 0.2 * rng.normal(size=8) for name in ("gain1", "gain2")}
    return Tensors(**gains, **{name: rng.normal(size=shape) for name, shape in SHAPES.items()})


def torch_block(arrangement: str, x: torch.Tensor, w: Tensors) -> torch.Tensor:
    """The same block in torch's words."""

    def turned(part: torch.Tensor) -> torch.Tensor:
        split = part.unflatten(-1, (2, -1)).transpose(-2, -3)
        places = torch.arange(split.shape[-2], dtype=torch.float64)
        half = split.shape[-1] // 2
        angles = places[:, None] / 100.0 ** (torch.arange(half, dtype=torch.float64) / half)
        pairs = torch.complex(split[..., :half], split[..., half:]) * torch.polar(torch.ones_like(angles), angles)
        return torch.cat([pairs.real, pairs.imag], dim=-1)

    def attended(x: torch.Tensor) -> torch.Tensor:
        values = (x @ w.v).unflatten(-1, (2, -1)).transpose(-2, -3)
        mixed = functional.scaled_dot_product_attention(turned(x @ w.q), turned(x @ w.k), values, is_causal=True)
        return mixed.transpose(-2, -3).flatten(-2) @ w.out

    def widened(x: torch.Tensor) -> torch.Tensor:
        return (functional.silu(x @ w.gate) * (x @ w.up)) @ w.down

    def first(x: torch.Tensor) -> torch.Tensor:
        return functional.rms_norm(x, x.shape[-1:], w.gain1, eps=EPSILON)

    def second(x: torch.Tensor) -> torch.Tensor:
        return functional.rms_norm(x, x.shape[-1:], w.gain2, eps=EPSILON)

    if arrangement == "pre":
        r = x + attended(first(x))
        return r + widened(second(r))
    r = first(x + attended(x))
    return second(r + widened(r))


@pytest.mark.parametrize("shape", [(4, 8), (3, 5, 8)], ids=["one sequence", "several"])
@pytest.mark.parametrize("arrangement", PLANS)
def test_every_gradient_is_autograds(arrangement, shape):
    rng = np.random.default_rng(1)
    x, w, dy = rng.normal(size=shape), weights(rng), rng.normal(size=shape)
    t = forward(PLANS[arrangement], x, w)
    d, dw = backward(PLANS[arrangement], dy, t, w)
    leaves = {name: torch.tensor(value, requires_grad=True) for name, value in {"x": x, **vars(w)}.items()}
    expected = torch_block(arrangement, leaves["x"], Tensors(**leaves))
    np.testing.assert_allclose(t.y, expected.detach().numpy(), rtol=1e-9, atol=1e-11)
    expected.backward(torch.tensor(dy))
    for name, leaf in leaves.items():
        ours = d.x if name == "x" else getattr(dw, name)
        assert np.linalg.norm(ours - leaf.grad.numpy()) < 1e-10 * np.linalg.norm(leaf.grad.numpy()), name


@pytest.mark.parametrize("arrangement", PLANS)
def test_every_tensor_but_the_attention_has_a_gradient(arrangement):
    rng = np.random.default_rng(2)
    x, w = rng.normal(size=(4, 8)), weights(rng)
    t = forward(PLANS[arrangement], x, w)
    d, dw = backward(PLANS[arrangement], np.ones((4, 8)), t, w)
    assert vars(d).keys() == vars(t).keys() - {"p"}
    assert vars(dw).keys() == vars(w).keys()
    for gradients, whole in ((d, t), (dw, w)):
        for name, var in vars(gradients).items():
            assert var.shape == getattr(whole, name).shape, name


def test_e_14_an_add_copies_its_gradient_in_full_to_both_sides():
    rng = np.random.default_rng(3)
    x, w, dy = rng.normal(size=(4, 8)), weights(rng), rng.normal(size=(4, 8))
    t = forward(PRE, x, w)
    d, dw = Tensors(y=dy), Tensors()
    PRE[-1].backward(d, dw, t, w)
    np.testing.assert_array_equal(d.r, dy)
    np.testing.assert_array_equal(d.m, dy)


def test_e_14_where_routes_meet_the_gradients_add_up():
    """With no way back through the second branch, what arrives at its start is the copy alone: the rest was added."""
    rng = np.random.default_rng(4)
    x, w, dy = rng.normal(size=(4, 8)), weights(rng), rng.normal(size=(4, 8))
    silent = Tensors(**{**vars(w), "down": np.zeros((16, 8))})
    whole, alone = (backward(PRE, dy, forward(PRE, x, matrices), matrices)[0] for matrices in (w, silent))
    np.testing.assert_array_equal(alone.r, dy)
    assert np.linalg.norm(whole.r - dy) > 0.1


def test_the_upstream_gradient_is_not_written_into():
    rng = np.random.default_rng(5)
    x, w, dy = rng.normal(size=(4, 8)), weights(rng), rng.normal(size=(4, 8))
    before = dy.copy()
    d, _dw = backward(PRE, dy, forward(PRE, x, w), w)
    np.testing.assert_array_equal(dy, before)
    assert not np.shares_memory(d.r, d.m)
    assert not np.shares_memory(d.x, d.o)


def test_the_code_of_a_line_is_what_runs():
    assert code(PRE[9].forward) == ["t.y = t.r + t.m"]
    assert code(PRE[5].backward)[0] == "d.r += norm_back(d.n2, t.r, w.gain2)"
    longest = max(len(statement) for plan in PLANS.values() for line in plan for statement in code(line.backward))
    assert longest <= 42


@pytest.mark.parametrize("arrangement", PLANS)
def test_a_plan_has_two_adds_and_two_norms(arrangement):
    names = [line.name for line in PLANS[arrangement]]
    assert len(names) == 10
    assert (names.count("add"), names.count("norm")) == (2, 2)
