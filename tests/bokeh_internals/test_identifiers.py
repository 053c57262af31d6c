"""A picture that is drawn twice has the same models under the same names, and others keep theirs."""

import pytest
from bokeh.models import Range1d

from app.bokeh_internals.identifiers import identified
from app.views.base import view_of
from sims import registry
from sims.contract.simulation import Simulation


def drawn(place: str, simulation: type[Simulation], name: str) -> dict[str, str]:
    """Identifier → kind of every model of a view."""
    with identified(place):
        figures = view_of(name, simulation()).figures()
    return {reference.id: type(reference).__name__ for figure in figures for reference in figure.references()}


@pytest.mark.exhaustive
def test_every_view_names_its_models_alike_each_time() -> None:
    for name in registry.names():
        simulation = registry.find(name)
        first, again = drawn("here", simulation, name), drawn("here", simulation, name)
        assert first == again
        assert all(id_.startswith("here~") for id_ in first)


def test_two_places_share_no_name() -> None:
    simulation = registry.find("paths")
    assert not drawn("one", simulation, "paths").keys() & drawn("two", simulation, "paths").keys()


def test_names_are_given_within_a_block_only() -> None:
    with identified("place"):
        inside = Range1d(start=0, end=1)
    assert inside.id == "place~1"
    assert not Range1d(start=0, end=1).id.startswith("place~")
