"""The block as a drawing: which tensors and gradients are on its wires, what is right, and what a press does."""

import numpy as np
import pytest

from app.pictures.base.questions import KNOWN
from app.pictures.diagrams.plan_diagram import PALE, PlanDiagram
from app.pictures.diagrams.plan_layout import FORKS, LAYOUTS, LINES, PAGES, PLUSES, moment_back
from sims.simulations.gradients.backward import AGREES, Backward


def shown(moment=15, bug="none", arrangement="pre"):
    touched = []
    diagram = PlanDiagram("A block", touched.append)
    simulation = Backward(moment=moment, bug=bug, arrangement=arrangement)
    frame = simulation.compute()
    tensors = {name[2:]: frame[name] for name in frame.quantities if name.startswith("t.")}
    gradients = {name.split(".")[1]: frame[name] for name in frame.quantities if name.startswith(("d.", "route."))}
    names = [line.name for line in simulation.lines()]
    diagram.show(
        arrangement,
        names,
        moment,
        tensors,
        gradients,
        simulation.faults(frame),
        AGREES["double"],
        simulation.wrong_lines(),
    )
    return diagram, touched


@pytest.mark.parametrize("screen", PAGES)
@pytest.mark.parametrize("arrangement", LAYOUTS)
def test_forward_no_gradient_is_judged(arrangement, screen):
    drawing = shown(LINES, "skips", arrangement)[0].screens[screen]
    assert drawing._right.seen("xs") == drawing._wrong.seen("xs") == drawing._gradients.seen("image") == []
    assert len(drawing._there.seen("xs")) == len(LAYOUTS[arrangement][screen].wires)
    assert len(drawing._tensors.seen("image")) == len(LAYOUTS[arrangement][screen].wires)


@pytest.mark.parametrize("screen", PAGES)
@pytest.mark.parametrize("arrangement", LAYOUTS)
def test_without_a_bug_every_wire_ends_right(arrangement, screen):
    drawing = shown(20, "none", arrangement)[0].screens[screen]
    assert len(drawing._right.seen("xs")) == len(LAYOUTS[arrangement][screen].wires)
    assert drawing._wrong.seen("xs") == []
    assert len(drawing._gradients.seen("image")) == len(LAYOUTS[arrangement][screen].wires) - 1
    assert len(drawing._tensors.seen("image")) == 1  # the gradient that arrives


@pytest.mark.parametrize("screen", PAGES)
def test_a_plus_sign_shows_the_same_picture_three_times(screen):
    drawing = shown(moment_back(LINES))[0].screens[screen]
    one, other = drawing._gradients.seen("image")
    arriving = drawing._tensors.seen("image")[-1]
    np.testing.assert_array_equal(arriving, one)
    np.testing.assert_array_equal(arriving, other)
    assert drawing._signs[True].seen("text") == ["copied"]


def test_tensors_are_pale_on_the_way_back_until_their_gradients_arrive():
    drawing = shown(moment_back(6))[0].screens["wide"]
    alphas = drawing._tensors.source.data["alpha"]
    waiting = [wire for wire in LAYOUTS["pre"]["wide"].wires if wire.back > moment_back(6)]
    assert alphas.count(PALE) == len(waiting)
    assert alphas.count(1.0) == 1


def test_before_the_prediction_no_gradient_is_seen_but_the_one_that_arrives():
    drawing = shown(moment_back(LINES))[0].screens["wide"]
    early = {id(mark.data_source) for mark in drawing.figure.renderers if KNOWN in mark.tags}
    results = (
        drawing._gradients,
        drawing._right,
        drawing._right_frames,
        drawing._right_marks,
        *drawing._signs.values(),
    )
    assert not early & {id(rows.source) for rows in results}
    assert id(drawing._tensors.source) in early
    assert len(drawing._asked.seen("text")) == 2


def test_the_overwrite_shows_where_the_routes_meet_and_not_before():
    before, after = (shown(moment, "skip-2")[0].screens["wide"] for moment in (14, 15))
    assert before._wrong.seen("xs") == []
    assert len(after._wrong.seen("xs")) == len(after._wrong_frames.seen("x")) == 1
    assert after._signs[False].seen("text") == ["one lost"]
    assert after._bugs.seen("x") == [LAYOUTS["pre"]["wide"].forks[6][0]]


@pytest.mark.parametrize("arrangement", LAYOUTS)
def test_a_bug_in_a_plus_sign_halves_and_one_in_a_merge_loses_a_route(arrangement):
    halves = Backward(bug="average", arrangement=arrangement).wrong_lines()
    assert halves == set(PLUSES[arrangement])
    for bug in ("skip-1", "skip-2", "skips", "branches"):
        assert Backward(bug=bug, arrangement=arrangement).wrong_lines() <= set(FORKS)


def test_one_line_is_lit():
    for moment in (3, moment_back(3)):
        drawing = shown(moment)[0].screens["wide"]
        lit = list(zip(drawing._here.seen("x"), drawing._here.seen("y"), strict=True))
        assert lit == [LAYOUTS["pre"]["wide"].boxes[3]]


@pytest.mark.parametrize("screen", PAGES)
def test_a_press_on_a_box_or_a_plus_names_its_line(screen):
    diagram, touched = shown()
    layout = LAYOUTS["pre"][screen]
    for x, y in (layout.boxes[8], layout.pluses[5], (0.1, 500.0), (None, None)):
        diagram.screens[screen]._tap(x, y)
    assert touched == [8, 5]
