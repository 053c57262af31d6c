"""A run that overflows is explained: step, quantity, cause, what to try."""

import numpy as np

from sims.engines.perceptrons import Architecture, Recipe, advance, start
from sims.instruments.training.divergence import divergences
from sims.simulations.depth.degradation import Degradation


def run(**choices: object) -> tuple[object, ...]:
    architecture = Architecture(depth=32, width=16, **choices)
    state = advance(start(architecture, Recipe("sgd", 0.5, 64), "teacher", (0, 1)), 60)
    return divergences(state, "residual")


def test_a_run_that_stays_finite_has_nothing_to_explain() -> None:
    assert run(skip="additive", norm="pre-layer", branch_factor="1/blocks") == ()


def test_a_stream_that_grows_is_named_as_the_cause() -> None:
    [card] = run(skip="additive", norm="none")
    assert 1 <= card.step <= 60
    assert "residual network (2 of 2 seeds)" in card.quantity
    assert "already grew" in card.cause
    assert "smaller branches" in card.what_to_try
    assert "normalization" in card.what_to_try


def test_a_diverged_frame_is_described_without_bare_infinities() -> None:
    simulation = Degradation(
        depth=32, norm="none", optimizer="sgd", learning_rate=1.0, width=16, seeds=2, training_steps=200
    )
    frame = simulation.frame(simulation.advance(simulation.start(), 200))
    assert frame.diverged
    assert frame.finished
    assert "nan" not in simulation.describe(frame)
    assert np.isfinite(frame["plain_train_error"]).all()
