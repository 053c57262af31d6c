"""The table of curves: every cell has its verdict, and nobody has failed before the run is over."""

from dataclasses import replace

import numpy as np
import pytest

from app.views.design_choices.interactions import InteractionsView
from sims.contract.frame import Frame
from sims.simulations.design_choices.interactions import NORMS, SKIPS, Interactions
from tests.settings import shortest


@pytest.fixture(scope="module")
def begun() -> tuple[Interactions, Frame]:
    simulation = Interactions(**{**shortest(Interactions), "seeds": 3})
    return simulation, simulation.frame(simulation.start())


def verdicts(simulation: Interactions, frame: Frame) -> dict[str, list[str]]:
    view = InteractionsView(simulation)
    view.draw()
    view.update(frame)
    return {kind: source.data["text"] for kind, source in view._verdicts.items()}


def test_before_a_run_every_cell_is_neutral(begun: tuple[Interactions, Frame]) -> None:
    simulation, frame = begun
    assert verdicts(simulation, frame) == {"all": [], "some": [], "none": [], "open": ["not trained yet"] * 19}
    assert simulation.describe(frame) == "None of the 19 combinations of depth 4 has been trained yet."


def test_nobody_has_failed_before_the_end(begun: tuple[Interactions, Frame]) -> None:
    simulation, frame = begun
    fits = np.full((len(SKIPS), len(NORMS)), 3)
    fits[0, :2] = 0, 1
    quantities = {**frame.quantities, "fits": replace(frame.quantities["fits"], values=fits)}
    running, over = (replace(frame, step=step, quantities=quantities) for step in (10, frame.steps))
    assert verdicts(simulation, running)["open"] == ["– 0 of 3"]
    labels = verdicts(simulation, over)
    assert (labels["none"], labels["some"], len(labels["all"]), labels["open"]) == (["○ 0 of 3"], ["◐ 1 of 3"], 17, [])
