"""A digit after every block in both stacks, with how much of it is left said next to each input."""

import pytest

from app.views.shortcuts.corrections import NAMES, CorrectionsView
from sims.simulations.shortcuts.corrections import Corrections
from tests.showing import showing


def shown(simulation: Corrections) -> CorrectionsView:
    return showing(CorrectionsView(simulation), simulation.compute())


@pytest.mark.parametrize("depth", [1, 8, 12])
def test_an_image_for_the_input_and_for_every_block(depth: int) -> None:
    view = shown(Corrections(depth=depth))
    for name in NAMES:
        assert len(view._stages[name].images.data["image"]) == depth + 1


def test_the_cosine_is_a_bar_below_every_block() -> None:
    simulation = Corrections()
    bars = shown(simulation)._stages["residual"].bars.data
    frame = simulation.compute()
    widths = [right - left for left, right in zip(bars["left"], bars["right"], strict=True)]
    assert widths == pytest.approx(frame["residual_cosines"][1:].tolist())


def test_cosine_and_length_are_next_to_each_input() -> None:
    view = shown(Corrections(strength=0.0))
    words = {name: stages.words.data["text"] for name, stages in view._stages.items()}
    assert words == {
        "residual": ["cosine with the input:\n1.00 at the end;\n1 times as long"],
        "plain": ["cosine with the input:\n0.00 at the end;\nexactly 0 times as long"],
    }
