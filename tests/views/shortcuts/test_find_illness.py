"""Four pictures over the depth: zeros are gray, gaps stay gaps, and a new network forgets the answer."""

from dataclasses import replace

import numpy as np
from bokeh.document import Document

from app.live.session import Session
from app.views.shortcuts.find_illness import FindIllnessView
from sims.contract.frame import Frame, Quantity
from sims.instruments.networks.ill_run import BLOCKS
from sims.simulations.shortcuts.find_illness import MEASURES, FindIllness


def frame(looks: int = 1) -> Frame:
    values = np.ones((looks, BLOCKS))
    at = ("look", "block")
    quantities = {name: Quantity(values.copy(), name, "relative", at) for name in MEASURES}
    quantities["looks"] = Quantity(np.arange(looks), "step of a look", "steps", ("look",))
    return Frame(quantities, {}, 0, 120)


def changed(whole: Frame, name: str, values: np.ndarray) -> Frame:
    return replace(whole, quantities={**whole.quantities, name: Quantity(values, name, "relative", ("look", "block"))})


def view() -> FindIllnessView:
    shown = FindIllnessView(FindIllness())
    shown.draw()
    return shown


def test_all_marks_are_known_before_the_prediction() -> None:
    shown = FindIllnessView(FindIllness())
    assert all("known" in mark.tags for chart in shown.draw() for mark in chart.renderers)


def test_an_exact_zero_is_a_gray_circle_and_no_point_of_the_line() -> None:
    shown, gradients = view(), np.ones((1, BLOCKS))
    gradients[0, 3] = 0
    shown.update(changed(frame(), "gradient", gradients))
    assert list(shown._zeros["gradient"].data["x"]) == [4]
    assert np.isnan(shown._sources["gradient"][0].data["gradient"][3])


def test_what_is_not_finite_leaves_a_gap() -> None:
    shown = view()
    shown.update(changed(frame(), "stream", np.full((1, BLOCKS), np.inf)))
    assert np.isnan(shown._sources["sizes"][0].data["stream"]).all()
    shown.update(changed(frame(), "stream", np.full((1, BLOCKS), np.nan)))
    assert np.isnan(shown._sources["sizes"][0].data["stream"]).all()


def test_an_earlier_frame_after_a_later_one_shows_one_look() -> None:
    shown = view()
    shown.update(frame(3))
    shown.update(frame(1))
    assert np.isnan(shown._sources["share"][2].data["share"]).all()
    assert np.isfinite(shown._sources["share"][0].data["share"]).all()


def test_a_new_network_forgets_the_answer() -> None:
    session = Session(Document(), "find_illness", FindIllness(guess="plain"))
    session._apply_values({"seed": "1"})
    assert (session.simulation.guess, session.simulation.seed) == ("none", 1)
    session._apply_values({"seed": "2", "guess": "post"})
    assert (session.simulation.guess, session.simulation.seed) == ("post", 2)
