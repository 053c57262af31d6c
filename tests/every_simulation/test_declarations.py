"""What every simulation declares: a title, documented controls, links, exports and a command line."""

import pickle

import numpy as np
import param
import pytest

from app.live.downloads import ROWS, reply
from sims.__main__ import main
from sims.contract import parameters
from sims.contract.frame import Frame
from sims.contract.spelled import TextParameter
from tests.every_simulation.frames import SIMULATIONS, SLOW, every, first_frame, usual, usual_frame
from tests.exports import assert_csv_holds, assert_json_holds, assert_npz_holds, assert_tables_hold
from tests.settings import ends, shortest
from tests.tiers import first


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
        assert isinstance(parameter, (param.Number, param.Selector, param.Boolean, TextParameter)), control
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
        outside = (
            parameter.bounds[1] + 1
            if getattr(parameter, "bounds", None) and not isinstance(parameter, (param.Selector, param.Boolean))
            else "no such value\n"
        )
        with pytest.raises(ValueError, match=name.split("_")[0] + "|" + control):
            SIMULATIONS[name](**{control: outside})


@every
def test_it_is_deterministic_and_its_frame_can_travel(name: str) -> None:
    one, other = usual_frame(name), first_frame(usual(name))
    travelled: Frame = pickle.loads(pickle.dumps(one))
    for key in one.quantities:
        for frame in (other, travelled):
            assert np.array_equal(one[key], frame[key], equal_nan=one[key].dtype.kind == "f"), key


@every
def test_its_link_reads_back(name: str) -> None:
    simulation = SIMULATIONS[name]
    for control in parameters.control_names(simulation):
        parameter = simulation.param[control]
        for value in [*getattr(parameter, "objects", []), *ends(parameter)]:
            texts = parameters.write(simulation(**{control: value}))
            settings, notes = parameters.read(simulation, texts)
            assert notes == []
            assert getattr(simulation(**settings), control) == value


@every
def test_its_exports_hold_every_number(name: str) -> None:
    simulation, frame = usual(name), usual_frame(name)
    table, text, whole, archive = (reply(kind, simulation, frame) for kind in ("table", "csv", "json", "npz"))
    assert_csv_holds(text["content"], frame)
    assert_json_holds(whole["content"], frame)
    assert_npz_holds(archive["content"], frame)
    assert_tables_hold(table["tables"], text["content"], ROWS)


@pytest.mark.parametrize("name", first(8, sorted(SIMULATIONS, key=lambda name: name in SLOW)))
def test_the_command_line_says_what_it_shows(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        f"--{key.replace('_', '-')}={parameters.to_text(value)}" for key, value in shortest(SIMULATIONS[name]).items()
    ]
    assert main([name, *words]) == 0
    text = capsys.readouterr().out
    assert SIMULATIONS[name].title() in text
    assert "It cannot show:" in text
