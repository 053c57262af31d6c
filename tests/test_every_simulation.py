"""The contract that every simulation keeps, whoever wrote it."""

import csv
import io
import json
import pickle
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import param
import pytest
from bokeh.models import Plot

from app.views.base import view_of
from sims import registry
from sims.chunks.chunk import run_chunk
from sims.contract import parameters
from sims.contract.frame import Frame
from sims.contract.own_points import LONGEST, Points
from sims.contract.simulation import Simulation, Training

ROOT = Path(__file__).parent.parent
SIMULATIONS = registry.simulations()
every = pytest.mark.parametrize("name", SIMULATIONS)
TRAININGS = {name: each for name, each in SIMULATIONS.items() if issubclass(each, Training)}
every_training = pytest.mark.parametrize("name", TRAININGS)

NUMBER_AS_CODE = re.compile(r"\b(nan|inf)\b|\de[-+]?\d")


def first_frame(simulation: Simulation) -> Frame:
    """The picture that a page opens with: a training is taken one step, so that the test is fast."""
    if not isinstance(simulation, Training):
        return simulation.compute()
    return simulation.frame(simulation.advance(simulation.start(), 1))


@every
def test_it_is_found_by_its_name(name: str) -> None:
    assert registry.find(name) is SIMULATIONS[name]
    with pytest.raises(KeyError, match=name):
        registry.find("nothing of this kind")


@every
def test_its_docstring_is_a_title_and_a_text_alternative(name: str) -> None:
    simulation = SIMULATIONS[name]
    assert 10 <= len(simulation.title()) <= 90
    assert not simulation.title().endswith(".")
    assert len(simulation.about()) >= 80


@every
def test_every_control_is_bounded_labeled_and_documented(name: str) -> None:
    simulation = SIMULATIONS[name]
    for control in parameters.control_names(simulation):
        parameter = simulation.param[control]
        assert isinstance(parameter, (param.Number, param.Selector, param.Boolean, Points)), control
        assert parameter.doc, control
        assert parameter.label, control
        assert parameters.allowed(parameter), control
        if isinstance(parameter, param.Number) and not isinstance(parameter, param.Boolean):
            low, high = parameter.bounds
            assert low < high, control


@every
def test_a_value_outside_its_bounds_is_refused(name: str) -> None:
    for control in parameters.control_names(SIMULATIONS[name]):
        parameter = SIMULATIONS[name].param[control]
        outside = parameter.bounds[1] + 1 if getattr(parameter, "bounds", None) and not isinstance(
            parameter, (param.Selector, param.Boolean)
        ) else "no such value"  # fmt: skip
        with pytest.raises(ValueError, match=name.split("_")[0] + "|" + control):
            SIMULATIONS[name](**{control: outside})


@every
def test_it_is_deterministic_and_its_frame_can_travel(name: str) -> None:
    one, other = first_frame(SIMULATIONS[name]()), first_frame(SIMULATIONS[name]())
    travelled: Frame = pickle.loads(pickle.dumps(one))
    for key in one.quantities:
        for each in (other, travelled):
            assert np.array_equal(one[key], each[key], equal_nan=one[key].dtype.kind == "f"), key


@every
def test_its_words_are_whole_sentences_and_its_numbers_no_code(name: str) -> None:
    simulation = SIMULATIONS[name]()
    described = simulation.describe(first_frame(simulation))
    assert described.endswith(".")
    assert len(described) > 40
    assert not NUMBER_AS_CODE.search(described)
    for text in vars(simulation.honesty()).values():
        assert len(text) > 3
        assert text.endswith(".")
        assert not NUMBER_AS_CODE.search(text)


@every
def test_its_link_reads_back(name: str) -> None:
    simulation = SIMULATIONS[name]
    for control in parameters.control_names(simulation):
        parameter = simulation.param[control]
        ends = ["", "d9900" * (LONGEST // 5)] if isinstance(parameter, Points) else getattr(parameter, "bounds", None)
        for value in [*getattr(parameter, "objects", []), *(ends or [])]:
            texts = parameters.write(simulation(**{control: value}))
            settings, notes = parameters.read(simulation, texts)
            assert notes == []
            assert getattr(simulation(**settings), control) == value


@every
def test_its_exports_hold_every_number(name: str) -> None:
    frame = first_frame(SIMULATIONS[name]())
    assert set(json.loads(frame.json())["quantities"]) == set(frame.quantities)
    rows = list(csv.reader(io.StringIO(frame.csv("head"))))
    cells = sum(quantity.values.size for quantity in frame.quantities.values())
    assert sum(len(row) for row in rows) > cells


@every
def test_it_has_a_view_that_draws_and_moves(name: str) -> None:
    simulation = SIMULATIONS[name]()
    view = view_of(name, simulation)
    figures = view.draw()
    assert figures
    view.update(first_frame(simulation))
    for figure in figures:
        # A surface is a group: its picture inside has the role and the sentence, beside buttons.
        assert figure.html_attributes["role"] == ("img" if isinstance(figure, Plot) else "group")
        assert figure.html_attributes["aria-label"]
        if isinstance(figure, Plot):
            assert figure.title.text in figure.html_attributes["aria-label"]


@every_training
def test_a_training_is_the_same_however_it_is_cut(name: str) -> None:
    simulation = SIMULATIONS[name]
    settings = simulation().settings()
    begun = run_chunk(simulation, settings, None, 0)
    at_once = run_chunk(simulation, settings, begun.state, 5)
    cut = begun
    for steps in (1, 3, 1):
        cut = run_chunk(simulation, settings, cut.state, steps)
    assert begun.frame.step == 0
    assert cut.frame.step == at_once.frame.step == 5
    for key, quantity in at_once.frame.quantities.items():
        same = np.array_equal(quantity.values, cut.frame[key], equal_nan=quantity.values.dtype.kind == "f")
        assert same, key


@pytest.mark.parametrize("name", [name for name, each in TRAININGS.items() if each.divisible])
def test_parts_that_are_computed_apart_make_up_the_whole(name: str) -> None:
    simulation = TRAININGS[name]
    training = simulation(**shortest(simulation))
    whole = training.advance(training.start(), 3)
    begun = run_chunk(simulation, training.settings(), None, 0)
    assert list(begun.state) == list(whole)
    assert len(whole) > 1
    apart = {}
    for part, kept in reversed(begun.state.items()):
        piece = run_chunk(simulation, training.settings(), {part: kept}, 3, draw=False)
        assert piece.frame is None
        apart |= piece.state
    in_order = {part: apart[part] for part in begun.state}
    drawn = run_chunk(simulation, training.settings(), in_order, 0).frame
    wanted = training.frame(whole)
    assert drawn
    assert drawn.step == wanted.step
    assert list(drawn.quantities) == list(wanted.quantities)
    for key, quantity in wanted.quantities.items():
        assert quantity.values.tobytes() == drawn[key].tobytes(), key


@every_training
def test_a_training_stops_at_its_last_step(name: str) -> None:
    simulation = SIMULATIONS[name](**shortest(SIMULATIONS[name]))
    frame = simulation.frame(simulation.advance(simulation.start(), 10**6))
    assert frame.step == frame.steps
    assert frame.finished


def shortest(simulation: type[Simulation]) -> dict[str, object]:
    """The least work that its controls allow."""
    wanted = ("depth", "width", "seeds", "training_steps")
    chosen: dict[str, object] = {}
    for control in wanted:
        if control in simulation.param:
            parameter = simulation.param[control]
            chosen[control] = min(parameter.objects) if isinstance(parameter, param.Selector) else parameter.bounds[0]
    return chosen


@every
def test_the_command_line_says_what_it_shows(name: str) -> None:
    words = [
        f"--{key.replace('_', '-')}={parameters.to_text(each)}" for key, each in shortest(SIMULATIONS[name]).items()
    ]
    command = [sys.executable, "-m", "sims", name, *words]
    text = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert SIMULATIONS[name].title() in text
    assert "It cannot show:" in text


def test_the_command_line_refuses_a_value_in_words() -> None:
    name = next(iter(SIMULATIONS))
    control = parameters.control_names(SIMULATIONS[name])[0]
    command = [sys.executable, "-m", "sims", name, f"--{control}", "nothing like this"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert answer.returncode == 2
    assert "is not a possible value" in answer.stderr
