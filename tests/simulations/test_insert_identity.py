"""Layers that copy change nothing, exactly; random ones change a lot."""

import pytest

from sims.simulations.insert_identity import InsertIdentity


@pytest.mark.parametrize(("inserted", "data"), [(0, "teacher"), (36, "teacher"), (60, "digits")])
def test_ch0_id_insert_is_exactly_zero(inserted: int, data: str) -> None:
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
