"""Strips and curves of all variants, and dots for what gates and factors have learned, seed by seed."""

import numpy as np
import pytest

from app.pictures.charts.key_table import NAME
from app.views.wiring.variants import LINES, UNTIMED, VariantsView
from sims.contract.wording import number
from sims.simulations.wiring.variants import VARIANTS, Variants
from tests.settings import shortest


@pytest.fixture(scope="module")
def trained():
    simulation = Variants(**{**shortest(Variants), "seeds": 2})
    return simulation, simulation.frame(simulation.advance(simulation.start(), 30))


@pytest.fixture
def view(trained):
    variants_view = VariantsView(trained[0])
    variants_view.figures()
    variants_view.update(trained[1])
    return variants_view


def test_every_dot_is_one_seed_of_one_block(trained, view):
    frame = trained[1]
    for name, source in view._dots.items():
        seeds, blocks = frame[name].shape
        assert seeds == 2
        values = dict.fromkeys(range(1, blocks + 1), ())
        for block, value in zip(source.data["block"].tolist(), source.data["value"].tolist(), strict=True):
            values[block] += (value,)
        assert values == {block + 1: tuple(frame[name][:, block].tolist()) for block in range(blocks)}


def test_the_curves_are_those_of_the_variants(trained, view):
    simulation, frame = trained
    for name in VARIANTS:
        assert view._loss.source.data[name].tolist() == frame[f"{name}_{simulation.measure}_loss"].tolist()
        gradients = view._gradients.source.data[name]
        assert np.array_equal(gradients, frame[f"{name}_gradients"], equal_nan=True)
    assert view._gradients.source.data["x"].tolist() == list(range(1, len(gradients) + 1))


def test_every_network_has_its_gradients_loss_and_fits_in_its_strip(trained, view):
    simulation, frame = trained
    layers = simulation.depth + 2
    for at, name in enumerate(VARIANTS):
        bright = view._strips.boxes.data["bright"][at * layers : (at + 1) * layers]
        gradients = frame[f"{name}_gradients"]
        assert np.argmax(bright) == np.argmax(gradients)
        assert [value == 0 for value in bright] == (gradients == 0).tolist()
    losses = [frame[f"{name}_train_loss"][-1] for name in VARIANTS]
    ends = [view._strips.bars[name].data["right"][0] for name in VARIANTS]
    assert np.argsort(ends).tolist() == np.argsort(losses).tolist()
    texts = view._strips._words.data["text"]
    for name in VARIANTS:
        assert f"{frame.results[f'{name}_fits']} of {simulation.seeds} fit" in texts


def test_the_table_says_what_each_costs_and_names_its_line(trained, view):
    simulation, frame = trained
    data = view._table._cells.data
    rows = {}
    for x, y, text in zip(data["x"], data["y"], data["text"], strict=True):
        rows.setdefault(y, {})[x] = text
    assert len(rows) == len(VARIANTS) + 1
    for at, name in enumerate(VARIANTS):
        words, fits, parameters, products, time = (text for _x, text in sorted(rows[-at - 0.5].items()))
        assert words == LINES[name][0]
        assert fits == f"{frame.results[f'{name}_fits']}/{simulation.seeds}"
        assert parameters == number(int(frame["parameters"][at]))
        assert products == number(int(frame["multiplications"][at]))
        assert (time == "–") == (name == "thinned")


def test_before_the_run_no_seed_is_said_to_have_failed(trained, view):
    view.update(trained[0].frame(trained[0].start()))
    assert not any("fit" in text for text in view._strips._words.data["text"])
    data = view._table._cells.data
    assert [text for x, text in zip(data["x"], data["text"], strict=True) if x == UNTIMED["fit"]][:6] == ["–"] * 6


def test_before_anything_was_timed_no_column_is_for_times(trained, view):
    assert "ms" in view._table._cells.data["text"]
    view.update(trained[0].frame(trained[0].start()))
    assert "ms" not in view._table._cells.data["text"]
    assert set(view._table._cells.data["x"]) == {NAME, *UNTIMED.values()}


def test_the_kept_activations_are_in_megabytes(trained, view):
    data = view._kept._bars["bar"].data
    assert data["name"] == list(VARIANTS.values())
    assert data["right"] == pytest.approx((trained[1]["kept"] / 1e6).tolist())
