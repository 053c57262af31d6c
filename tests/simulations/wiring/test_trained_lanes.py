"""Two models in lanes: what is true before the first step, and what a short training changes."""

import numpy as np
import pytest

from sims.contract.frame import Frame
from sims.simulations.wiring.trained_lanes import LOOKS, SHORT, TrainedLanes


@pytest.fixture(scope="module")
def run() -> tuple[TrainedLanes, Frame]:
    simulation = TrainedLanes(training_steps=100, seeds=1)
    return simulation, simulation.compute()


@pytest.mark.exhaustive
def test_before_training_lanes_are_alike_or_apart() -> None:
    for start, least, most in (("copies", 0.999, 1.001), ("apart", -0.2, 0.2)):
        simulation = TrainedLanes(lanes_start=start, seeds=1)
        frame = simulation.frame(simulation.start())
        for name in SHORT.values():
            assert least < frame[f"{name}_alike"][0] < most
            assert frame[f"{name}_dye"][0].tolist() == [1, 0, 0, 0]
        assert "nothing has been learned yet" in simulation.describe(frame)


@pytest.mark.exhaustive
def test_both_models_learn_and_doubly_stochastic_mixes_stretch_nothing(run: tuple[TrainedLanes, Frame]) -> None:
    simulation, frame = run
    for name in SHORT.values():
        assert len(frame[f"{name}_loss"]) == LOOKS + 1
        assert frame[f"{name}_loss"][-1] < frame[f"{name}_loss"][0] - 0.3
    assert frame["doubly_sums"] == pytest.approx(np.ones(13), abs=0.01)
    assert frame["doubly_stretch"].max() < 1.1 < frame["free_stretch"].max()
    assert "After 100 of 100 steps" in simulation.describe(frame)


@pytest.mark.exhaustive
def test_dye_in_a_write_needs_no_new_run_and_is_described(run: tuple[TrainedLanes, Frame]) -> None:
    simulation, frame = run
    assert "writer" not in (simulation.restarts or ())
    assert "Of one unit" not in simulation.describe(frame)
    other = TrainedLanes(training_steps=100, seeds=1, writer=12)
    dyed = other.reread(frame)
    for name in SHORT.values():
        assert not dyed[f"{name}_dye"][:12].any()
        assert dyed[f"{name}_dye"][12].tolist() == frame[f"{name}_dyes"][12, 12].tolist()
        assert other.reread(dyed).quantities.keys() == frame.quantities.keys()
    assert "that branch 12 writes" in other.describe(dyed)
