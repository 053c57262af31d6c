"""The block as a drawing: what is lit, what is right, and what a press does."""

import pytest

from app.pictures.diagrams.plan_diagram import PlanDiagram
from app.pictures.diagrams.plan_layout import LAYOUTS, LINES, moment_back
from sims.simulations.gradients.backward import AGREES, Backward


def shown(moment=15, bug="none", arrangement="pre"):
    touched = []
    diagram = PlanDiagram("A block", touched.append)
    diagram.play("moment", [])
    simulation = Backward(moment=moment, bug=bug, arrangement=arrangement)
    names = [line.name for line in simulation.lines()]
    faults = simulation.faults(simulation.compute())
    diagram.show(arrangement, names, moment, faults, AGREES["double"], simulation.wrong_lines())
    return diagram, touched


@pytest.mark.parametrize("arrangement", LAYOUTS)
def test_forward_no_gradient_is_judged(arrangement):
    diagram, _touched = shown(LINES, "skips", arrangement)
    assert diagram._right.seen("xs") == diagram._wrong.seen("xs") == []
    assert len(diagram._there.seen("xs")) == len(LAYOUTS[arrangement].wires)


@pytest.mark.parametrize("arrangement", LAYOUTS)
def test_without_a_bug_every_wire_ends_right(arrangement):
    diagram, _touched = shown(20, "none", arrangement)
    assert len(diagram._right.seen("xs")) == len(LAYOUTS[arrangement].wires)
    assert diagram._wrong.seen("xs") == []


def test_the_overwrite_shows_where_the_routes_meet_and_not_before():
    before, after = (shown(moment, "skip-2")[0] for moment in (14, 15))
    assert before._wrong.seen("xs") == []
    assert len(after._wrong.seen("xs")) == 1
    assert after._bugs.seen("x") == [LAYOUTS["pre"].forks[6]]


def test_one_line_is_lit():
    for moment in (3, moment_back(3)):
        diagram, _touched = shown(moment)
        assert list(zip(diagram._here.seen("x"), diagram._here.seen("y"), strict=True)) == [LAYOUTS["pre"].boxes[3][:2]]


def test_a_press_on_a_box_or_a_plus_names_its_line():
    diagram, touched = shown()
    for x, y in (LAYOUTS["pre"].boxes[8][:2], (LAYOUTS["pre"].pluses[5], 0.0), (0.1, 2.0), (None, None)):
        diagram._tap(x, y)
    assert touched == [8, 5]
