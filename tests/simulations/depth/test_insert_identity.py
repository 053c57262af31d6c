"""Layers that copy change nothing, exactly; random ones change a lot."""

import numpy as np
import pytest

from sims.engines.perceptrons import predict
from sims.simulations.depth.insert_identity import InsertIdentity


@pytest.mark.parametrize(("inserted", "data"), [(0, "teacher"), (36, "teacher"), (60, "digits")])
def test_ch0_id_insert_is_exactly_zero(inserted: int, data: str) -> None:
    """A-19: layers that copy change nothing, to the last bit."""
    simulation = InsertIdentity(inserted=inserted, data=data, seeds=2)
    frame = simulation.frame(simulation.start())
    assert frame.results["change"] == 0.0
    assert frame.results["depth"] == 4 + inserted
    assert "exactly 0" in simulation.describe(frame)


def test_random_layers_move_the_outputs() -> None:
    simulation = InsertIdentity(weights="random", seeds=2)
    frame = simulation.frame(simulation.start())
    assert frame.results["change"] > 1
    assert frame["deep_error"][0] > frame["shallow_error"][0]


@pytest.mark.parametrize(("weights", "same"), [("identity", True), ("random", False)])
def test_the_two_outputs_are_those_of_the_networks_that_were_compared(weights: str, same: bool) -> None:
    simulation = InsertIdentity(weights=weights, seeds=2)
    cut = simulation.start()
    frame = simulation.frame(simulation.advance(cut, 2))
    point = cut.shallow.source.load().test_inputs[:1]
    for name, run in (("before", cut.shallow), ("after", cut.deep)):
        assert frame[f"outputs_{name}"] == pytest.approx(predict(run, point)[0, 0], rel=1e-5, abs=1e-6)
    assert np.array_equal(frame["outputs_before"], frame["outputs_after"]) == same


def test_copying_layers_pass_the_activations_on_until_they_are_trained() -> None:
    simulation = InsertIdentity(inserted=5, seeds=2)
    cut = simulation.start()
    frame = simulation.frame(simulation.advance(cut, 5))
    assert frame["activations"].shape == frame["activations_now"].shape == (8, 48)
    assert (frame["activations"][3:] == frame["activations"][2]).all()
    assert not np.array_equal(frame["activations_now"], frame["activations"])
    other = simulation.frame(InsertIdentity(inserted=5, seeds=2, weights="random").start())
    assert not np.array_equal(other["activations"][3], other["activations"][2])
