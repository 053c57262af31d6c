"""What a notebook shows of a simulation is somebody else's answer, and its settings where nobody answers."""

from importlib.metadata import EntryPoint

import pytest

from sims.contract import simulation
from sims.simulations.gradients.paths import Paths


def shown(showing: object, include: object, exclude: object) -> tuple[object, object, object]:
    return showing, include, exclude


def test_the_installed_entry_point_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("shown", f"{__name__}:shown", simulation.SHOWN_BY)
    monkeypatch.setattr(simulation, "entry_points", lambda group: [entry] if group == simulation.SHOWN_BY else [])
    monkeypatch.setattr(EntryPoint, "load", lambda self: shown)
    paths = Paths()
    assert paths._repr_mimebundle_({"text/html"}, None) == (paths, {"text/html"}, None)


def test_without_one_nothing_is_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "entry_points", lambda group: [])
    with pytest.raises(NotImplementedError):
        Paths()._repr_mimebundle_()
