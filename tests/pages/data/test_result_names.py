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


@pytest.mark.parametrize("name", first(4, registry.names()))
def test_the_listed_results_are_those_of_the_first_frames(name: str) -> None:
    simulation = registry.find(name)
    on_pages = (figure for slug in SLUGS for figure in site().page(slug).simulations.values())
    variants = [simulation(), *(on_page for on_page in on_pages if type(on_page) is simulation)]
    expected = sorted({result for variant in variants for result in first_frame(variant).results})
    assert list(result_names(simulation)) == expected, (
        f"app/pages/data/result_names.toml: {name} = {json.dumps(expected)}"
    )


def test_nothing_else_is_listed() -> None:
    assert list(_listed()) == list(registry.simulations())
