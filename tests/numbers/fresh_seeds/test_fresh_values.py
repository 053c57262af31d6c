"""Numbers of ten fresh seeds of the language models: which look and which layer they are read from."""

from collections.abc import Iterator

import numpy as np
import pytest

from sims.instruments.training.value_run import ValueLook, ValueRun, ValueSetup
from sims.numbers.fresh_seeds import fresh_values
from sims.numbers.fresh_seeds.seeds import SEEDS
from sims.simulations.language_models import value_residual

BELOW = {"plain": 0.0, "learned": 0.1, "shared": -0.1}


def advance(run: ValueRun, steps: int, look_every: int) -> ValueRun:
    """Made up: losses fall with the steps, and seeds from the sixth on gain nothing from other values."""
    seeds = np.arange(len(SEEDS))
    looks = []
    for step in range(0, steps + 1, look_every):
        losses = 3 - step / 1000 + 0.01 * seeds - BELOW[run.setup.form] * (seeds < 6)
        shares = np.stack([np.full((10, 2), 9.0), np.stack([seeds, -seeds], axis=1)], axis=1)
        looks.append(ValueLook(step, losses, np.stack([seeds, seeds + 2], axis=1), shares))
    return ValueRun({}, {}, steps, run.setup, tuple(looks))


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def begin(setup: ValueSetup) -> ValueRun:
        return ValueRun({}, {}, 0, setup, ())

    monkeypatch.setattr(fresh_values, "begin", begin)
    monkeypatch.setattr(fresh_values, "advance", advance)
    yield
    fresh_values._trained.cache_clear()


def test_models_and_runs_are_those_of_the_figure() -> None:
    figure = value_residual.ValueResidual()
    assert (figure.blocks, figure.learning_rate) == (fresh_values.BLOCKS, fresh_values.LEARNING_RATE)
    assert figure.training_steps == fresh_values.STEPS
    assert figure.training_steps // value_residual.LOOKS == fresh_values.LOOK_EVERY


def test_losses_are_compared_seed_by_seed() -> None:
    assert fresh_values.value(form="plain", what="loss", statistic="lowest") == pytest.approx(2.4)
    assert fresh_values.value(form="plain", what="loss", statistic="lowest", step=300) == pytest.approx(2.7)
    assert fresh_values.value(form="learned", what="behind", statistic="lowest") == pytest.approx(-0.1)
    assert fresh_values.value(form="learned", what="behind", statistic="highest") == pytest.approx(0)
    assert fresh_values.ahead(form="learned", step=300) == 6
    assert fresh_values.ahead(form="shared") == 0


def test_attention_is_averaged_over_layers_and_weights_are_those_of_the_last() -> None:
    assert fresh_values.value(form="shared", what="heard", statistic="highest") == 10
    assert fresh_values.weight(name="first", statistic="highest") == 9
    assert fresh_values.weight(name="own", statistic="lowest") == -9
