"""Reversible stacks: the same function as autograd's, run backwards, and the same gradients from fewer tensors."""

import pytest
import torch

from sims.pytorch.stacks.coupled_stacks import Coupled, branches, undone
from sims.pytorch.stacks.memory_stacks import Reversible


@pytest.fixture
def modules() -> list[torch.nn.Module]:
    return branches(3, 8, 6, 0.5)


@pytest.fixture
def points() -> torch.Tensor:
    return torch.randn(5, 12, generator=torch.Generator().manual_seed(1), dtype=torch.float64)


def test_the_couplings_are_those_of_the_paper(modules: list[torch.nn.Module], points: torch.Tensor) -> None:
    x1, x2 = points.chunk(2, dim=1)
    for f, g in zip(modules[::2], modules[1::2], strict=True):
        y1 = x1 + f(x2)
        y2 = x2 + g(y1)
        x1, x2 = y1, y2
    torch.testing.assert_close(Coupled([*modules], modules)(points), torch.cat([x1, x2], dim=1), rtol=0, atol=0)


def test_a_stack_is_undone(modules: list[torch.nn.Module], points: torch.Tensor) -> None:
    torch.testing.assert_close(undone(modules, Coupled([*modules], modules)(points)), points, rtol=0, atol=1e-12)


def test_gradients_by_reconstruction_are_autograds(modules: list[torch.nn.Module], points: torch.Tensor) -> None:
    gradients = []
    for kind in (Coupled, Reversible):
        model = kind([*modules], modules)
        x = points.clone().requires_grad_()
        gradients.append(torch.autograd.grad(model(x).square().sum(), [x, *model.parameters()]))
    for ours, theirs in zip(*gradients, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-9, atol=1e-9)


def test_gradients_are_those_of_finite_differences(points: torch.Tensor) -> None:
    functions = branches(0, 2, 6, 1.0)
    for kind in (Coupled, Reversible):
        assert torch.autograd.gradcheck(kind([*functions], functions), points[:2].clone().requires_grad_())


@pytest.mark.parametrize("strength", [0.1, 1.0])
def test_a_branch_has_its_strength(strength: float) -> None:
    x = torch.randn(512, 256, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    sizes = [branch(x).square().mean() for branch in branches(0, 3, 256, strength)]
    assert torch.stack(sizes).mean().sqrt().item() == pytest.approx(strength, rel=0.05)


def test_a_taller_stack_begins_with_the_same_blocks() -> None:
    low, tall = branches(5, 2, 4, 0.3), branches(5, 4, 4, 0.3)
    for one, other in zip(low, tall, strict=False):
        torch.testing.assert_close(one.state_dict(), other.state_dict(), rtol=0, atol=0)
