"""The toy with right and with wrong gradients."""

import numpy as np
import pytest

from sims.simulations.gradients.silent_bugs import SilentBugs, cosine, guessing


@pytest.fixture(scope="module")
def short():
    training = SilentBugs(bug="average", seeds=1, depth=2, training_steps=150)
    return training, training.frame(training.advance(training.start(), 150))


def test_both_networks_start_alike_and_guess():
    training = SilentBugs(seeds=2)
    frame = training.frame(training.start())
    assert frame["right_loss"].tolist() == frame["wrong_loss"].tolist()
    assert frame["right_loss"][0] > guessing() - 0.1
    assert frame["right_cosine"][0] == pytest.approx(1)


@pytest.mark.exhaustive
def test_adam_does_not_notice_that_gradients_are_halved(short):
    _training, frame = short
    np.testing.assert_allclose(frame["right_loss"], frame["wrong_loss"], atol=0.05)
    assert frame.results["wrong_loss"] < 0.2


@pytest.mark.exhaustive
def test_a_wrong_gradient_still_points_downhill():
    assert 0.2 < cosine(bug="skips", statistic="lowest") < cosine(bug="skips", statistic="highest") < 0.9


def test_a_loss_that_is_no_number_counts_as_a_divergence():
    training = SilentBugs(seeds=1, training_steps=150)
    state = dict(training.start())
    for name, run in state.items():
        state[name] = type(run)(**{**vars(run), "losses": (float("nan"),)})
    frame = training.frame(state)
    assert [event.step for event in frame.diverged] == [0, 0]
    assert training.describe(frame).endswith(".")
