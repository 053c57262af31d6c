"""The block on the page: what is right without a bug, what each bug spoils, and the code that is shown."""

import pytest

from sims.instruments.hand_derived.block_bugs import BUGS as KNOWN
from sims.simulations.gradients.backward import (
    BUGS,
    LINES,
    MOMENTS,
    Backward,
    cosine,
    error,
    gradients,
    still,
    worst_error,
    wrong,
)


@pytest.mark.parametrize("arrangement", ["pre", "post"])
@pytest.mark.parametrize("seed", range(3))
def test_b_backward_no_bug_no_wrong_gradient(arrangement, seed):
    results = Backward(arrangement=arrangement, seed=seed).compute().results
    assert results["wrong"] == 0
    assert results["worst_error"] < 1e-6


@pytest.mark.parametrize("arrangement", ["pre", "post"])
@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("bug", list(BUGS.values())[1:])
def test_b_backward_every_bug_is_found_in_either_precision(bug, precision, arrangement):
    results = Backward(bug=bug, arrangement=arrangement, precision=precision).compute().results
    assert results["wrong"] > 0
    assert results["worst_error"] > 1e-2


@pytest.mark.parametrize("arrangement", ["pre", "post"])
@pytest.mark.parametrize("depth", [1, 8])
def test_single_precision_is_precise_enough_to_judge(depth, arrangement):
    assert Backward(precision="single", depth=depth, arrangement=arrangement).compute().results["wrong"] == 0


def test_the_choices_are_the_bugs_that_there_are():
    assert tuple(BUGS.values()) == KNOWN


def test_the_overwrite_in_line_1_harms_no_weight_of_a_single_block_and_all_of_eight():
    assert wrong(bug="skip-1", weights=True) == 0
    assert wrong(bug="skip-1") == 1
    assert wrong(bug="skip-1", weights=True, depth=8) == gradients(weights=True)


def test_the_overwrite_in_line_6_harms_what_comes_after_it_on_the_way_back():
    assert error(gradient="n2", bug="skip-2") < 1e-6
    assert error(gradient="r", bug="skip-2") > 0.1
    assert error(gradient="w.down", bug="skip-2") < 1e-6
    assert error(gradient="w.out", bug="skip-2") > 0.1


def test_the_averaged_gradient_points_where_the_true_one_does():
    assert cosine(bug="average", depth=8) == pytest.approx(1)
    assert worst_error(bug="average") == pytest.approx(0.75, abs=1e-6)


def test_the_last_weight_leaves_its_own_gradient_alone():
    assert still(edited="down") == "y, m, weight down"


@pytest.mark.parametrize("moment", range(1, MOMENTS + 1))
def test_every_moment_has_words_and_code(moment):
    simulation = Backward(moment=moment, bug="skips")
    words = simulation.describe(simulation.compute())
    assert (", backward." in words) == (moment > LINES)
    assert all(line.startswith(("t.", "d.", "dw.", "saved")) for line in simulation.code(moment))


def test_the_bug_is_in_the_code_that_is_shown():
    right, buggy = Backward(moment=15), Backward(moment=15, bug="skip-2")
    assert right.code(15)[0].replace("+=", "=") == buggy.code(15)[0]
    assert (right.wrong_lines(), buggy.wrong_lines()) == (set(), {6})


def test_the_file_to_take_away_is_that_of_the_arrangement():
    assert "PRE = (" in Backward().listing()
    assert "POST = (" in Backward(arrangement="post").listing()
