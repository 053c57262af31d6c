"""The table of the sweep: neutral as long as nobody can have failed, then as full as seeds are across."""

from dataclasses import replace

import numpy as np
import pytest
from bokeh.models import Text

from app.pictures.charts.cells import CELL
from app.views.design_choices.sweep import FINAL, OPEN, SweepView
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.design_choices.sweep import RATES, STEPS, Sweep

SETTINGS = {"depth": 4, "seeds": 2, "field": "norms"}


@pytest.fixture(scope="module")
def begun() -> tuple[Sweep, Frame]:
    simulation = Sweep(**SETTINGS)
    return simulation, simulation.frame(simulation.start())


def kinds(simulation: Sweep, frame: Frame) -> dict[str, list[str]]:
    view = SweepView(simulation)
    view.draw()
    view.update(frame)
    return {kind: list(source.data["column"]) for kind, source in view._cells._fills.items()}


def changed(frame: Frame, step: int, **values: np.ndarray) -> Frame:
    quantities = {name: replace(frame.quantities[name], values=value) for name, value in values.items()}
    return replace(frame, step=step, quantities={**frame.quantities, **quantities})


def test_before_the_end_of_a_race_nobody_has_failed(begun: tuple[Sweep, Frame]) -> None:
    simulation, frame = begun
    everybody = len(simulation.entrants) * (len(RATES) + 1)
    assert {kind: len(cells) for kind, cells in kinds(simulation, frame).items()} == {
        **dict.fromkeys(("all", "some", "none"), 0),
        OPEN[0]: everybody,
    }
    assert simulation.describe(frame).startswith("No network has run yet")


def test_cells_say_how_many_seeds_are_across(begun: tuple[Sweep, Frame]) -> None:
    simulation, frame = begun
    count = len(simulation.entrants)
    finishers, finish = np.zeros((count, len(RATES))), np.full((count, len(RATES)), 50.0)
    finishers[0, :2] = 2, 1
    swept = kinds(simulation, changed(frame, STEPS, finishers=finishers, finish=finish))
    assert (len(swept["all"]), len(swept["some"]), len(swept["none"])) == (1, 1, count * len(RATES) - 2)
    assert swept[OPEN[0]] == [FINAL] * count


def test_rates_are_written_as_everywhere_and_what_a_cell_says_fits_it(begun: tuple[Sweep, Frame]) -> None:
    simulation, frame = begun
    view = SweepView(simulation)
    view.draw()
    view.update(frame)
    assert view._cells._columns.factors == [*(number(rate) for rate in RATES), FINAL]
    [texts] = [mark.glyph for mark in view._cells.figure.renderers if isinstance(mark.glyph, Text)]
    line = 1.25 * 13 * texts.text_line_height  # Bokeh's height of a line, about
    assert texts.y_offset + line <= 0.9 * CELL / 2 - 3


def test_a_lane_ends_at_the_step_of_the_finish_and_is_full_where_nobody_finishes(begun: tuple[Sweep, Frame]) -> None:
    view = SweepView(begun[0])
    assert view._cell(2, 50.0, over=True) == ("all", "● 2\n50", 50 / STEPS)
    assert view._cell(1, 50.0, over=True) == ("some", "◐ 1\n50", 50 / STEPS)
    assert view._cell(0, np.inf, over=True) == ("none", "○ 0", 1.0)
    assert view._cell(0, np.inf, over=False) == OPEN


def test_the_final_fails_nobody_before_it_is_over(begun: tuple[Sweep, Frame]) -> None:
    simulation, frame = begun
    count = len(simulation.entrants)
    final = {"places": np.arange(1, count + 1), "final_finishers": np.zeros(count), "final_finish": np.zeros(count)}
    running, over = (kinds(simulation, changed(frame, step, **final)) for step in (STEPS + 5, 2 * STEPS))
    assert running["none"].count(FINAL) == 0
    assert over["none"].count(FINAL) == count
