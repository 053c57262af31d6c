"""Numbers of ten fresh seeds of the convolutional networks: from which run, which look and which block they come."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

from sims.instruments.training.convolution_run import ConvolutionRun, Look, Setup
from sims.numbers.fresh_seeds import fresh_convolutions as fresh
from sims.numbers.fresh_seeds.seeds import SEEDS
from sims.simulations.depth.convolutions import Convolutions
from sims.simulations.theories import surgery


def look(setup: Setup, step: int) -> Look:
    """Made up: the seed decides the kept error, which falls with the steps for even seeds and rises for odd ones."""
    seed = setup.seed - SEEDS[0]
    kept = 0.1 * seed + (-1) ** seed * 0.01 * (600 - step) / 300
    layers = np.array([2.0**seed, 3.0, 1.0, 7.0]) * (1 + step)
    return Look(step, 1.0, kept, 0.1 * seed if setup.skip else 0.3, 0.5, layers, layers, layers, layers)


def begin(setup: Setup) -> ConvolutionRun:
    return ConvolutionRun(setup, {}, (), 0, (look(setup, 0),))


def advance(run: ConvolutionRun, steps: int, look_every: int) -> ConvolutionRun:
    step = run.step + steps
    assert step % look_every == 0
    return replace(run, step=step, looks=(*run.looks, look(run.setup, step)))


def errors(run: ConvolutionRun, orders: Sequence[Sequence[int]]) -> np.ndarray:
    """Made up: the share of blocks that are missing; networks of an odd seed need their last one."""
    missing = run.setup.seed % 2 == 1
    return np.array([1 - len(order) / 9 + (missing and 8 not in order) / 2 for order in orders])


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for replacement in (begin, advance, errors):
        monkeypatch.setattr(fresh, replacement.__name__, replacement)
    yield
    fresh._trained.cache_clear()
    fresh._operated.cache_clear()


def test_networks_and_runs_are_those_of_the_figures() -> None:
    figure = Convolutions()
    assert (figure.width, figure.learning_rate, figure.training_steps) == (
        fresh.WIDTH,
        fresh.LEARNING_RATE,
        fresh.STEPS,
    )
    assert (surgery.WIDTH, surgery.RATE, surgery.Surgery().training_steps) == (
        fresh.WIDTH,
        fresh.LEARNING_RATE,
        fresh.STEPS,
    )


def test_errors_are_those_of_the_last_look() -> None:
    assert fresh.error(network="plain", depth=32, statistic="lowest") == pytest.approx(0.01)
    assert fresh.error(network="plain", depth=32, statistic="highest", steps=600) == pytest.approx(0.9)
    assert fresh.error(network="plain", depth=32, which="own", statistic="highest") == 0.3
    assert fresh.error(network="residual", depth=32, which="own") == pytest.approx(0.45)


def test_seeds_that_gain_are_counted() -> None:
    assert fresh.improved(depth=32) == 5
    assert fresh.helped(depth=32) == 6


def test_ratios_and_gains_are_read_before_and_after() -> None:
    assert fresh.gradient_at_start(network="plain", depth=56, statistic="highest") == 512
    assert fresh.gradient_at_end(network="plain", depth=56, statistic="lowest") == 1
    assert fresh.gains(network="plain", depth=56, statistic="lowest") == pytest.approx(301 * 21**0.25)


def test_places_are_reduced_before_seeds() -> None:
    assert fresh.operated(network="residual", operation="delete") == pytest.approx(1 / 9)
    assert fresh.operated(network="residual", operation="delete", block="worst") == pytest.approx(1 / 9 + 1 / 4)
    assert fresh.operated(network="residual", operation="delete", block="first", statistic="highest") == pytest.approx(
        1 / 9
    )
    assert fresh.operated(network="residual", operation="swap", block="worst", statistic="highest") == 0
    assert fresh.first_needed_most() == 5


def test_several_blocks_go_or_change_places() -> None:
    assert fresh.several(network="residual", operation="delete", count=4, statistic="lowest") == pytest.approx(4 / 9)
    assert fresh.several(network="plain", operation="swap", count=7, statistic="highest") == 0
