"""Curves of all variants, and dots for what gates and factors have learned, seed by seed."""

import numpy as np
import pytest

from app.views.variants import VariantsView
from sims.simulations.variants import VARIANTS, Variants
from tests.settings import shortest


@pytest.fixture(scope="module")
def trained():
    simulation = Variants(**{**shortest(Variants), "seeds": 2})
    return simulation, simulation.frame(simulation.advance(simulation.start(), 30))


@pytest.fixture
def view(trained):
    made = VariantsView(trained[0])
    made.draw()
    made.update(trained[1])
    return made


def test_every_dot_is_one_seed_of_one_block(trained, view):
    frame = trained[1]
    for name, source in view._dots.items():
        seeds, blocks = frame[name].shape
        assert seeds == 2
        found = dict.fromkeys(range(1, blocks + 1), ())
        for block, value in zip(source.data["block"].tolist(), source.data["value"].tolist(), strict=True):
            found[block] += (value,)
        assert found == {block + 1: tuple(frame[name][:, block].tolist()) for block in range(blocks)}


def test_the_curves_are_those_of_the_variants(trained, view):
    simulation, frame = trained
    for name in VARIANTS:
        assert view._loss.source.data[name].tolist() == frame[f"{name}_{simulation.measure}_loss"].tolist()
        gradients = view._gradients.source.data[name]
        assert np.array_equal(gradients, frame[f"{name}_gradients"], equal_nan=True)
    assert view._gradients.source.data["x"].tolist() == list(range(1, len(gradients) + 1))


def test_the_lanes_of_the_costs_are_in_thousands_and_in_megabytes(trained, view):
    frame = trained[1]
    for key, unit in (("parameters", 1e3), ("kept", 1e6)):
        data = view._costs._lanes[key]._bars["bar"].data
        assert data["name"] == list(VARIANTS.values())
        assert data["right"] == pytest.approx((frame[key] / unit).tolist())
