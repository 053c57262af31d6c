"""The table of curves: every cell is filled by its verdict, and nobody has failed before the run is over."""

from dataclasses import replace

import numpy as np
import pytest

from app.views.design_choices.interactions import InteractionsView
from sims.contract.frame import Frame
from sims.simulations.design_choices.interactions import NORMS, SKIPS, Interactions
from tests.settings import shortest
from tests.showing import showing


@pytest.fixture(scope="module")
def begun() -> tuple[Interactions, Frame]:
    simulation = Interactions(**{**shortest(Interactions), "seeds": 3})
    return simulation, simulation.frame(simulation.start())


def shown(simulation: Interactions, frame: Frame) -> InteractionsView:
    return showing(InteractionsView(simulation), frame)


def verdicts(view: InteractionsView) -> dict[str, list[str]]:
    texts = {kind: list(source.data["text"]) for kind, source in view._verdicts.items()}
    assert all(len(view._fills[kind].data["x"]) == len(view._lines[kind].data["xs"]) for kind in texts)
    return {kind: found for kind, found in texts.items() if found}


def test_before_a_run_every_cell_is_neutral(begun: tuple[Interactions, Frame]) -> None:
    simulation, frame = begun
    view = shown(simulation, frame)
    assert len(view._fills["open"].data["x"]) == len(view._frames.data["x"]) == 19
    assert verdicts(view) == {}
    assert view._totals.data["text"] == []
    assert simulation.describe(frame) == "None of the 19 combinations of depth 4 has been trained yet."


def test_a_cell_is_filled_by_its_outcome_and_nobody_has_failed_before_the_end(
    begun: tuple[Interactions, Frame],
) -> None:
    simulation, frame = begun
    fits, lost = (np.full((len(SKIPS), len(NORMS)), number) for number in (3, 0))
    fits[0, :3], lost[0, 2] = (0, 1, 0), 2
    fits[-1, -1] = -1
    quantities = {
        name: replace(frame.quantities[name], values=values) for name, values in (("fits", fits), ("lost", lost))
    }
    running, over = (replace(frame, step=step, quantities=frame.quantities | quantities) for step in (10, frame.steps))
    others = {"all": ["3 of 3"] * 16, "some": ["1 of 3"], "lost": ["0 of 3\n2 overflow"]}
    assert verdicts(shown(simulation, running)) == others | {"open": ["0 of 3"]}
    view = shown(simulation, over)
    assert verdicts(view) == others | {"none": ["0 of 3"]}
    assert view._totals.data["text"] == ["4 of 5", "4 of 5", "4 of 5", "4 of 4"]
