"""Stacks that save memory compute what those compute that do not: outputs and gradients against autograd's own."""

import pytest
import torch

from sims.pytorch.stacks.memory_stacks import Stack, stack

WIDTH = 8


def gradients(model, x, parameters):
    return torch.autograd.grad(model(x).pow(2).sum(), [x, *parameters])


@pytest.mark.parametrize("segment", [1, 2, 3, 6])
def test_checkpoints_change_no_number(segment):
    model = stack("checkpointed", 6, WIDTH, 2, segment).double()
    x = torch.randn(4, WIDTH, dtype=torch.double, requires_grad=True)
    usual = Stack(list(model.blocks), model.branches)
    model(x).pow(2).sum().backward()
    actual = [x.grad, *(parameter.grad for parameter in model.parameters())]
    expected = gradients(usual, x, usual.parameters())
    assert all(torch.equal(one, other) for one, other in zip(actual, expected, strict=True))


def test_a_reversible_stack_has_the_gradients_of_its_formula():
    """Gomez et al. 1707.04585, equations 6 and 7, written out for autograd."""
    model = stack("reversible", 3, WIDTH, 2, 1).double()
    x = torch.randn(4, WIDTH, dtype=torch.double, requires_grad=True)

    def formula(x):
        a, b = x.chunk(2, dim=1)
        for f, g in zip(model.branches[::2], model.branches[1::2], strict=True):
            a = a + f(b)
            b = b + g(a)
        return torch.cat([a, b], dim=1)

    torch.testing.assert_close(model(x), formula(x))
    actual = gradients(model, x, model.parameters())
    expected = gradients(formula, x, model.parameters())
    for one, other in zip(actual, expected, strict=True):
        torch.testing.assert_close(one, other)
    assert torch.autograd.gradcheck(model, (x,))


def test_a_dense_stack_grows_by_what_each_block_appends():
    assert stack("dense", 5, WIDTH, 2, 1)(torch.randn(4, WIDTH)).shape == (4, WIDTH + 5 * 2)


def test_another_kind_is_refused():
    with pytest.raises(KeyError):
        stack("recurrent", 1, WIDTH, 2, 1)
