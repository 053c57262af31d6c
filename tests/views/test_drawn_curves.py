"""An answer that is given in a figure is given on axes of the same kind, which hold all of its values."""

import json
import re
from typing import Any

import pytest
from bokeh.models import LogScale

from app.pages.document.worksheet import FigureStill, Question
from app.pictures.base.looks import ENTRANTS
from app.views.base import view_of
from sims.contract.simulation import Simulation, Training
from tests.first_frame import first_frame
from tests.site import CHAPTERS, SLUGS, site


def plots(name: str, simulation: Simulation, how: str) -> list[Any]:
    """The plots of a figure, in its first state, with this tag: on which an answer can be given."""
    view = view_of(name, simulation)
    drawn = [plot for plot in view.figures() if any(how in tag for tag in plot.tags if isinstance(tag, dict))]
    view.update(first_frame(simulation))
    return drawn


@pytest.mark.parametrize("slug", CHAPTERS)
def test_the_axes_of_a_figure_are_those_of_its_question(slug: str) -> None:
    page = site().page(slug)
    names = {place.anchor: place.name for place in page.places.values()}
    questions = {item.id: item for item in page.worksheet if isinstance(item, Question)}
    for item in page.worksheet:
        if not isinstance(item, FigureStill) or not item.covered:
            continue
        curve, simulation = questions[item.covered].curve, page.simulations[item.id]
        drawn = plots(names[item.id], simulation, "drawn")
        assert len(drawn) == bool(curve and curve.in_figure), item.id
        for plot in drawn:
            assert curve
            assert isinstance(plot.x_scale, LogScale) == curve.horizontal.logarithmic
            assert isinstance(plot.y_scale, LogScale) == curve.vertical.logarithmic
            first, last = curve.horizontal.values[0], curve.horizontal.values[-1]
            if not isinstance(simulation, Training) or plot.x_range.end > 1:  # before a run, some have no places yet
                assert plot.x_range.start <= first < last <= plot.x_range.end


@pytest.mark.parametrize("slug", CHAPTERS)
def test_a_number_is_placed_on_an_axis_that_holds_all_answers(slug: str) -> None:
    page = site().page(slug)
    names = {place.anchor: place.name for place in page.places.values()}
    questions = {item.id: item for item in page.worksheet if isinstance(item, Question)}
    for item in page.worksheet:
        if not isinstance(item, FigureStill) or not item.covered or not questions[item.covered].in_figure:
            continue
        limits = questions[item.covered].limits
        (plot,) = plots(names[item.id], page.simulations[item.id], "guessed")
        assert limits
        assert not isinstance(plot.x_scale, LogScale)
        assert plot.x_range.start <= limits.low < limits.high <= plot.x_range.end


def test_options_that_are_rows_are_rows_of_the_figure() -> None:
    drawn_in = set()
    for slug in CHAPTERS:
        page = site().page(slug)
        names = {place.anchor: place.name for place in page.places.values()}
        questions = {item.id: item for item in page.worksheet if isinstance(item, Question)}
        for item in page.worksheet:
            rows = questions[item.covered].rows if isinstance(item, FigureStill) and item.covered else []
            if not rows:
                continue
            how = "ranked" if questions[item.covered].kind == "rank" else "chosen"
            (chart,) = plots(names[item.id], page.simulations[item.id], how)
            labels = getattr(chart.y_range, "factors", chart.yaxis[0].major_label_overrides.values())
            assert set(filter(None, rows)) <= {label.replace("\n", " ") for label in labels}, item.id
            drawn_in.add(item.id)
    assert drawn_in == {"arena", "lesion", "perturbation"}


def test_options_that_are_rows_are_rows_of_the_table_below_their_question() -> None:
    drawn_in = set()
    for slug in SLUGS:
        page = site().page(slug)
        in_figures = {item.covered for item in page.worksheet if isinstance(item, FigureStill)}
        for item in page.worksheet:
            if isinstance(item, Question) and any(item.rows) and item.id not in in_figures:
                below = str(page.html).split(f'data-covered="{item.id}"')[1].split("</table>")[0]
                heads = re.findall(r'<tr><th scope="row">(.*?)</th>', below)
                assert set(filter(None, item.rows)) <= set(heads), item.id
                drawn_in.add(item.id)
    assert drawn_in == {"p-which", "p-swap"}


def test_the_block_that_is_off_at_first_speaks_for_the_order_of_typical_ones() -> None:
    page = site().page("theories")
    lesion: Any = page.simulations["lesion"]
    (question,) = (item for item in page.worksheet if isinstance(item, Question) and item.id == "p-lesion")
    names = {label: name for name, (label, *_looks) in ENTRANTS.items()}
    frame = first_frame(lesion)
    order = json.loads(question.truth)
    errors = [frame[f"{names[question.rows[option - 1]]}_one"][lesion.block - 1] for option in order]
    assert errors == sorted(errors, reverse=True)


def test_the_answers_of_instant_figures_are_what_these_show() -> None:
    for slug, name, prediction in (("matrices", "shattering", "p-shattered"), ("recipes", "last_op", "p-grow")):
        page = site().page(slug)
        (question,) = (item for item in page.worksheet if isinstance(item, Question) and item.id == prediction)
        frame = first_frame(page.simulations[name])
        if question.curve:
            shown = dict(zip(frame["apart"].tolist(), frame["plain_likeness"].tolist(), strict=True))
            assert question.curve.measured == [shown[degrees] for degrees in question.curve.horizontal.values]
        else:
            assert question.value == frame["mean"][-1]
