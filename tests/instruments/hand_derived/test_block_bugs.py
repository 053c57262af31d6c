"""Wrong lines in the way back: none crashes, all shapes fit, and finite differences find each of them."""

import numpy as np
import pytest

from sims.instruments.hand_derived.block_bugs import BUGS, WRONG, plan_with
from sims.instruments.hand_derived.block_plan import PLANS, backward, code, forward
from sims.instruments.hand_derived.finite_differences import of_tensor, relative_error
from tests.instruments.hand_derived.test_block_plan import weights


def passed(arrangement, bug, seed=0):
    rng = np.random.default_rng(seed)
    x, w, dy = rng.normal(size=(4, 8)), weights(rng), rng.normal(size=(4, 8))
    plan = plan_with(arrangement, bug)
    t = forward(plan, x, w)
    return t, w, dy, *backward(plan, dy, t, w)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("bug", BUGS[1:])
@pytest.mark.parametrize("arrangement", PLANS)
def test_b_backward_a_bug_leaves_every_shape_and_is_found_by_finite_differences(arrangement, bug, seed):
    t, w, dy, d, dw = passed(arrangement, bug, seed)
    numerical = of_tensor(PLANS[arrangement], t, w, "x", lambda y: (y * dy).sum(axis=(-1, -2)), 1e-5)
    assert relative_error(d.x, numerical) > 1e-2
    for name in vars(w):
        assert getattr(dw, name).shape == getattr(w, name).shape


@pytest.mark.parametrize("arrangement", PLANS)
def test_losing_the_skip_at_the_last_merge_of_the_way_back_touches_no_weight_of_the_block(arrangement):
    right, wrong = passed(arrangement, "none"), passed(arrangement, "skip-1")
    for name, var in vars(right[4]).items():
        np.testing.assert_array_equal(var, getattr(wrong[4], name))
    assert relative_error(wrong[3].x, right[3].x) > 1e-2


def test_averaging_at_every_add_divides_the_gradients_by_two_and_by_four_and_turns_none():
    right, wrong = passed("pre", "none"), passed("pre", "average")
    np.testing.assert_array_equal(4 * wrong[3].x, right[3].x)
    for name, factor in {"down": 2, "gate": 2, "up": 2, "gain2": 2, "q": 4, "k": 4, "v": 4, "out": 4}.items():
        np.testing.assert_array_equal(factor * getattr(wrong[4], name), getattr(right[4], name), name)


@pytest.mark.parametrize("arrangement", PLANS)
def test_a_wrong_line_differs_from_the_right_one_in_its_first_lines(arrangement):
    for replaced in WRONG[arrangement].values():
        for number, line in replaced.items():
            assert code(line)[0] != code(PLANS[arrangement][number - 1].backward)[0]
            assert max(map(len, code(line))) <= 42


def test_the_overwrite_is_one_character():
    assert code(WRONG["pre"]["skip-2"][6])[0].replace("=", "+=", 1) == "d.r += norm_back(d.n2, t.r, w.gain2)"
