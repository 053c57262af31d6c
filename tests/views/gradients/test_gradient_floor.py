"""The floor of the gradient: the mark of the chosen gain, and its number where the axis has no place for it."""

import pytest

from app.views.gradients.gradient_floor import LEAST, MOST, GradientFloorView
from sims.simulations.gradients.gradient_floor import GradientFloor


@pytest.mark.parametrize(
    ("gain", "marker", "text"),
    [
        (0.1, "circle", "13,800"),
        (1.5, "triangle", "6.22 × 10³⁹ ↑"),
        (-0.7, "inverted_triangle", "5.15 × 10⁻⁵³ ↓"),
        (-1.0, "circle", "exactly 0"),
    ],
)
def test_a_size_beyond_the_axis_has_an_arrow_at_its_end_and_keeps_its_number(
    gain: float, marker: str, text: str
) -> None:
    simulation = GradientFloor(gain=gain, blocks=100)
    view = GradientFloorView(simulation)
    view.figures()
    frame = simulation.compute()
    view.update(frame)
    here = {name: column[0] for name, column in view._here.data.items()}
    assert (here["marker"], here["text"]) == (marker, text)
    assert LEAST < here["y"] < MOST
    assert here["baseline"] == ("top" if text[-1] in "↑↓" else "bottom")
    if marker == "circle" and gain != -1:
        assert here["y"] == frame.results["size"]
    assert bool(view._dead.data["x"]) == (gain == -1)
