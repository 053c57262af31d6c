"""The frame that a page shows first."""

from sims.contract.frame import Frame
from sims.contract.simulation import Simulation, Training
from sims.kept import results

_frames: dict[tuple[object, ...], Frame] = {}
"""Kind of simulation and its settings → its first frame, which the tests of a process share"""


def first_frame(simulation: Simulation) -> Frame:
    """What is shown without training; where no run was kept, as while its code is being changed, after one step."""
    key = (type(simulation), *simulation.settings().items())
    if key not in _frames:
        frame = results.at_once(simulation)
        if frame is None:
            assert isinstance(simulation, Training)
            frame = simulation.frame(simulation.advance(simulation.start(), 1))
        _frames[key] = frame
    return _frames[key]
