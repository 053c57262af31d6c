"""Columns of singular values: those beyond the axis are marked at its ends, and both networks have one scale."""

import numpy as np
import pytest

from app.views.gradients.spectrum import FOOT, HEAD, SpectrumView
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.gradients.spectrum import WIDTH, Spectrum

TOGETHER = 37
"""Place of the last column behind 32 blocks, of which every fourth has a number"""


@pytest.fixture(scope="module")
def begun() -> tuple[Spectrum, Frame]:
    simulation = Spectrum(blocks=32, seeds=1)
    return simulation, simulation.frame(simulation.start())


@pytest.fixture
def view(begun: tuple[Spectrum, Frame]) -> SpectrumView:
    simulation, frame = begun
    spectrum_view = SpectrumView(simulation)
    spectrum_view.figures()
    spectrum_view.update(frame)
    return spectrum_view


def test_every_value_is_a_dot_or_lost(view: SpectrumView, begun: tuple[Spectrum, Frame]) -> None:
    _, frame = begun
    for name in ("plain", "residual"):
        values = np.append(frame[f"{name}_blocks"].ravel(), frame[f"{name}_whole"])
        assert len(view._dots[name].data["x"]) == (values >= 10.0**FOOT).sum()
    assert view._lost["plain"].data["x"].tolist() == [*range(1, 33), TOGETHER]


def test_values_above_the_axis_are_triangles_at_its_end(view: SpectrumView, begun: tuple[Spectrum, Frame]) -> None:
    _, frame = begun
    dots = view._dots["residual"].data
    above = np.array(dots["marker"]) == "triangle"
    assert above.sum() == (frame["residual_whole"] > 10.0**HEAD).sum() > 0
    assert (dots["y"][above] == 10.0**HEAD).all()
    assert (dots["x"][above] == TOGETHER).all()


def test_both_networks_have_one_scale_and_their_ranks_in_words(
    view: SpectrumView, begun: tuple[Spectrum, Frame]
) -> None:
    _, frame = begun
    plain, residual = view._figures.values()
    assert (plain.y_range.start, plain.y_range.end) == (residual.y_range.start, residual.y_range.end)
    for name, source in view._words.items():
        [text] = source.data["text"]
        assert number(float(frame.results[f"{name}_whole_rank"])) in text
        assert number(float(frame.results[f"{name}_block_rank"])) in text


def test_the_last_column_is_named_and_there_are_not_too_many_numbers(view: SpectrumView) -> None:
    labels = view._figures["plain"].xaxis[0].major_label_overrides
    assert labels[TOGETHER] == "all"
    assert len(labels) == 9


def test_a_rank_reaches_at_most_the_width(view: SpectrumView) -> None:
    assert view._curves["whole_rank"]._plot.y_range.end == WIDTH
