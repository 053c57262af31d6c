"""Two stacks that learn to copy: what they do as matrices, their errors, and gray for what has not been trained."""

import numpy as np
import pytest

from app.views.shortcuts.identity import FLOOR, NOTHING, IdentityView
from sims.contract.frame import Frame
from sims.simulations.shortcuts.identity import Identity
from tests.showing import showing


def shown(steps: int, **settings: str) -> tuple[IdentityView, Frame]:
    simulation = Identity(layers=2, seeds=2, training_steps=200, **settings)
    frame = simulation.frame(simulation.advance(simulation.start(), steps))
    return showing(IdentityView(simulation), frame), frame


@pytest.mark.parametrize(("steps", "expected"), [(0, "plain, untrained"), (20, "plain")])
def test_before_the_first_step_nobody_has_failed(steps: int, expected: str) -> None:
    view, _ = shown(steps)
    assert next(name for name, source in view._tips._sources.items() if source.data["x"]) == expected
    assert view._words._sources[expected].data["text"] == ["plain"]
    assert bool(view._words._sources[NOTHING].data["text"]) == (steps > 0)


def test_the_labels_keep_clear_of_each_other() -> None:
    view, _ = shown(20)
    labels = [source.data for source in view._words._sources.values() if source.data["text"]]
    assert sorted(label["text"][0] for label in labels) == ["plain", "residual", NOTHING]
    axis = view._axis.y_range
    heights = sorted(np.log10(label["y"][0]) for label in labels)
    assert min(np.diff(heights)) > 0.09 * (np.log10(axis.end) - np.log10(axis.start))
    assert {label["x"][0] for label in labels} == {view._axis.x_range.end}


def test_the_curves_are_the_band_of_the_seeds_and_an_output_of_zero_is_in_sight() -> None:
    view, frame = shown(20)
    assert view._loss.source.data["residual_high"].tolist() == frame["residual_loss_high"].tolist()
    assert view._axis.y_range.start < 1 < view._axis.y_range.end


def test_an_exact_copy_is_a_cross_at_the_foot() -> None:
    view, frame = shown(20, initialization="zero")
    assert (frame["residual_loss"] == 0).all()
    assert len(view._zeros.data["x"]) == len(frame["steps"])
    assert np.allclose(view._loss.source.data["residual"], FLOOR)
