"""What the picture says of seven placements, before training and after."""

import numpy as np
import pytest

from sims.comparisons.placings import PLACINGS
from sims.contract.frame import Frame
from sims.simulations.norm_placement import norms
from sims.simulations.norm_placement.norms import Norms

NAMES = list(PLACINGS)


@pytest.fixture(scope="module")
def trained() -> tuple[Norms, Frame]:
    simulation = Norms(depth=8, training_steps=20, seeds=2)
    return simulation, simulation.compute()


def test_the_laws_of_the_worked_example() -> None:
    assert norms.law(placing="peri") == 33
    assert norms.law(placing="pre") == 65
    assert norms.law(placing="scaled") == pytest.approx(1 + 2 * sum(1 / n for n in range(1, 33)))
    assert {norms.law(placing=name) for name in ("post", "deep", "sphere")} == {1}


def test_untrained_streams_lie_around_their_laws() -> None:
    for name in ("pre", "peri"):
        low, high = (norms.untrained(placing=name, statistic=statistic) for statistic in ("lowest", "highest"))
        assert low < norms.law(placing=name) < high


def test_in_pre_and_peri_every_branch_counts_less_than_the_one_before() -> None:
    for name in ("pre", "peri", "output", "scaled"):
        sizes = [norms.untrained(placing=name, what="update", block=block) for block in (1, 8, 32)]
        assert sizes == sorted(sizes, reverse=True)
    sizes = [norms.untrained(placing="post", what="update", block=block) for block in (1, 32)]
    assert sizes[1] == pytest.approx(sizes[0], rel=0.25)


def test_before_training_now_is_the_start() -> None:
    simulation = Norms(depth=8, seeds=1)
    frame = simulation.frame(simulation.start())
    for quantity in ("stream", "update"):
        assert np.array_equal(frame[f"{quantity}_now"], frame[f"{quantity}_start"])
    assert "After" not in simulation.describe(frame)


@pytest.mark.exhaustive
def test_training_lowers_every_loss(trained: tuple[Norms, Frame]) -> None:
    _, frame = trained
    assert (frame["loss"][:, -1] < frame["loss"][:, 0]).all()
    assert frame["steps"].tolist() == list(range(0, 21, 2))


def test_results_are_those_of_the_lines(trained: tuple[Norms, Frame]) -> None:
    _, frame = trained
    for at, name in enumerate(NAMES):
        assert frame.results[f"{name}_top"] == frame["stream_now"][at, -1]
        assert frame.results[f"{name}_update"] == frame["update_now"][at, -1]


def test_the_sentence_is_about_the_chosen_one(trained: tuple[Norms, Frame]) -> None:
    simulation, frame = trained
    for name in NAMES:
        other = Norms(**{**simulation.settings(), "placing": name})
        assert other.describe(frame).startswith(f"{PLACINGS[name].label}, {PLACINGS[name].formula}: before")
