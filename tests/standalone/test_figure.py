"""A figure without a page: its widgets drive its simulation, and the other way round."""

import pytest
from bokeh.document import Document
from bokeh.models import Axis

from app.live import session as session_module
from app.pictures.base.theme import LIGHT
from app.standalone.figure import Figure
from sims.simulations.gradients.paths import Paths
from sims.simulations.loss_surfaces.landscape import Landscape
from sims.simulations.norm_placement.stability import Stability


def test_a_control_sets_the_parameter_and_the_picture_follows() -> None:
    simulation = Paths(blocks=3)
    figure = Figure(simulation, Document())
    assert figure.sentence.startswith("8 paths through 3 blocks")
    figure._controls._controls["blocks"].value = 5
    assert simulation.blocks == 5
    assert figure.sentence.startswith("32 paths through 5 blocks")


def test_a_parameter_that_is_set_in_python_moves_the_control() -> None:
    simulation = Paths(blocks=3)
    one, other = Figure(simulation, Document()), Figure(simulation, Document())
    simulation.blocks = 4
    for figure in (one, other):
        assert figure._controls._controls["blocks"].value == 4
        assert figure.sentence.startswith("16 paths through 4 blocks")


def test_what_the_reader_does_in_the_picture_moves_the_control() -> None:
    figure = Figure(Paths(), Document())
    figure.session.view.change("gain", -1.0)
    assert figure._controls._controls["gain"].value == -1.0


def test_a_training_begins_before_its_first_step_where_no_run_was_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module.results, "kept", lambda _simulation: None)
    monkeypatch.setattr(session_module.results, "is_kept", lambda _simulation: False)
    monkeypatch.setattr("app.standalone.figure.is_complete", lambda: True)
    figure = Figure(Stability(seeds=1), Document())
    assert figure.session.controller.run is None
    assert figure.session.frame is not None
    assert figure.session.frame.step == 0


def test_axes_have_the_colors_of_the_light_theme() -> None:
    figure = Figure(Paths(), Document())
    axes = [model for root in figure.session.models for model in root.references() if isinstance(model, Axis)]
    assert {axis.axis_line_color for axis in axes} == {LIGHT["rule"]}


def test_it_says_what_only_a_page_draws() -> None:
    assert "drawn by the page" in figure_words(Figure(Landscape(), Document()))
    assert "drawn by the page" not in figure_words(Figure(Paths(), Document()))


def figure_words(figure: Figure) -> str:
    return str(figure._words.object)
