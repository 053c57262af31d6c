"""Five forms, trained: all learn, weights stay near where an ordinary residual network has them, and lanes where they
began."""

import numpy as np
import pytest

from sims.contract.frame import Frame
from sims.simulations.wiring.stream_forms import BACK, FORMS, LOOKS, StreamForms


@pytest.fixture(scope="module")
def run() -> tuple[StreamForms, Frame]:
    simulation = StreamForms(blocks=4, training_steps=100, seeds=2)
    return simulation, simulation.compute()


@pytest.mark.exhaustive
def test_every_form_learns(run: tuple[StreamForms, Frame]) -> None:
    simulation, frame = run
    for form in FORMS:
        losses = frame[f"{form}_loss"]
        assert len(losses) == LOOKS + 1
        assert losses[-1] < 0.2 * losses[0]
    described = simulation.describe(frame)
    assert "After 100 of 100 steps" in described
    assert all(f", {name} lanes " in described for name in ("free", "doubly stochastic"))


@pytest.mark.exhaustive
def test_a_sum_grows_and_attention_stays_a_mean(run: tuple[StreamForms, Frame]) -> None:
    _, frame = run
    assert frame["sum_size"][-1] > 1.5 * frame["sum_size"][0]
    assert frame["attention_size"][-1] < frame["attention_size"][0]
    # Each row of attention, over an equal share, has a mean of 1; medians of seeds come near it.
    rows = frame["attention_heard"]
    assert [row[: at + 1].mean() for at, row in enumerate(rows)] == pytest.approx([1] * 5, abs=0.05)


def test_nothing_has_moved_before_the_first_step() -> None:
    simulation = StreamForms(blocks=4, seeds=1)
    frame = simulation.frame(simulation.start())
    for form in (*BACK, "free"):
        assert frame.results[f"{form}_moved"] == pytest.approx(0, abs=1e-6)
    assert frame.results["doubly_moved"] > 0.01
    assert frame.results["doubly_used"] == pytest.approx(4)
    assert "nothing has been learned yet" in simulation.describe(frame)


@pytest.mark.exhaustive
def test_the_first_block_hears_the_stem_alone(run: tuple[StreamForms, Frame]) -> None:
    _, frame = run
    for form in BACK:
        assert (frame[f"{form}_heard"][np.triu_indices(5, 1)] == 0).all()
