"""The frame that a page shows first."""

from sims.contract.frame import Frame
from sims.contract.simulation import Simulation, Training
from sims.kept import results


def first_frame(simulation: Simulation) -> Frame:
    """What is shown without training; where no run was kept, as while its code is being changed, after one step."""
    frame = results.at_once(simulation)
    if frame is None:
        assert isinstance(simulation, Training)
        frame = simulation.frame(simulation.advance(simulation.start(), 1))
    return frame
