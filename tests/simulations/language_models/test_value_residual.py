"""Three models with different values: all learn, and differences are those of the same seed."""

import numpy as np
import pytest

from sims.contract.frame import Frame
from sims.simulations.language_models.value_residual import FORMS, LOOKS, ValueResidual

pytestmark = pytest.mark.exhaustive


@pytest.fixture(scope="module")
def run() -> tuple[ValueResidual, Frame]:
    simulation = ValueResidual(blocks=2, training_steps=100, seeds=2)
    return simulation, simulation.compute()


def test_every_form_learns(run: tuple[ValueResidual, Frame]) -> None:
    simulation, frame = run
    for form in FORMS:
        losses = frame[f"{form}_loss"]
        assert len(losses) == LOOKS + 1
        assert losses[-1] < 0.8 * losses[0]
    assert "After 100 of 100 steps" in simulation.describe(frame)


def test_differences_are_taken_seed_by_seed(run: tuple[ValueResidual, Frame]) -> None:
    _, frame = run
    for ending in ("", "_low", "_high"):
        assert (frame[f"plain_behind{ending}"] == 0).all()
    # Of two seeds the median is the mean: of differences as of losses.
    assert frame["shared_behind"] == pytest.approx(frame["shared_loss"] - frame["plain_loss"])


def test_weights_begin_at_a_half_and_move(run: tuple[ValueResidual, Frame]) -> None:
    simulation, frame = run
    begun = simulation.frame(simulation.start())
    for name in ("first", "own"):
        assert begun[name] == pytest.approx([0.5])
        assert frame[name] != pytest.approx([0.5])
    assert "nothing has been learned yet" in simulation.describe(begun)


def test_attention_listens_to_fewer_symbols_once_it_has_learned(run: tuple[ValueResidual, Frame]) -> None:
    simulation, frame = run
    begun = simulation.frame(simulation.start())
    for form in FORMS:
        assert (frame[f"{form}_heard"] >= 1).all()
        assert frame.results[f"{form}_heard"] < begun.results[f"{form}_heard"]
    assert np.isfinite(frame["plain_heard_low"]).all()
