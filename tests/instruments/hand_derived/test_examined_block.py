"""What is examined on the page: routes, errors, and what an edit moves."""

from dataclasses import replace

import numpy as np
import pytest

from sims.instruments.hand_derived.block_bugs import BUGS
from sims.instruments.hand_derived.block_plan import PLANS
from sims.instruments.hand_derived.examined_block import Stack, errors, moved, passed, route_errors


@pytest.mark.parametrize("depth", [1, 8])
@pytest.mark.parametrize("arrangement", PLANS)
def test_b_backward_without_a_bug_everything_agrees(arrangement, depth):
    stack = Stack(arrangement, depth)
    result = passed(stack)
    assert max(errors(stack, result).values()) < 1e-6
    assert max(route_errors(stack, result).values()) < 1e-6


@pytest.mark.parametrize("bug", BUGS[1:])
@pytest.mark.parametrize("arrangement", PLANS)
def test_b_backward_each_bug_is_seen(arrangement, bug):
    stack = Stack(arrangement)
    assert max(errors(stack, passed(stack, bug)).values()) > 1e-2


@pytest.mark.parametrize("arrangement", PLANS)
def test_two_routes_add_up_to_the_gradient(arrangement):
    result = passed(Stack(arrangement))
    for name in ("x", "r"):
        whole = result.routes[f"{name} skip"] + result.routes[f"{name} branch"]
        np.testing.assert_allclose(whole, getattr(result.gradients, name), rtol=1e-12, atol=1e-14)


def test_an_overwritten_gradient_is_the_branchs_share():
    result = passed(Stack(), "skip-2")
    np.testing.assert_array_equal(result.gradients.r, result.routes["r branch"])
    other = passed(Stack(), "branches")
    np.testing.assert_array_equal(other.gradients.r, other.routes["r skip"])


def test_the_last_weight_does_not_move_its_own_gradient():
    stack = Stack(edited="down", change=1.0)
    shifts = moved(passed(stack), passed(replace(stack, change=0.0)), "pre")
    assert [name for name, shift in shifts.items() if shift == 0] == ["y", "m", "w.down"]


def test_single_precision_agrees_less():
    coarse, fine = (max(errors(stack, passed(stack)).values()) for stack in (Stack(precision="single"), Stack()))
    assert 1e-5 < coarse < 1e-2
    assert fine < 1e-8
