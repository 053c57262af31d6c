"""The list of results is that of the frames which pages open with."""

import json

import pytest

from app.pages.data.result_names import _listed, result_names
from sims import registry
from sims.contract.frame import Frame
from sims.contract.simulation import Simulation, Training
from tests.site import SLUGS, site
from tests.tiers import first


def first_frame(simulation: Simulation) -> Frame:
    return simulation.frame(simulation.start()) if isinstance(simulation, Training) else simulation.compute()


@pytest.mark.parametrize("name", first(10, registry.names()))
def test_the_listed_results_are_those_of_the_first_frames(name: str) -> None:
    simulation = registry.find(name)
    on_pages = (each for slug in SLUGS for each in site().page(slug).simulations.values())
    shown = [simulation(), *(on_page for on_page in on_pages if type(on_page) is simulation)]
    found = sorted({result for each in shown for result in first_frame(each).results})
    assert list(result_names(simulation)) == found, f"app/pages/data/result_names.toml: {name} = {json.dumps(found)}"


def test_nothing_else_is_listed() -> None:
    assert list(_listed()) == list(registry.simulations())
