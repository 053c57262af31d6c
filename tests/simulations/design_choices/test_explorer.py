"""The explorer trains what it can, refuses the rest in words, and keeps its moments."""

import itertools
import math
import random
from typing import Any

import numpy as np
import pytest

from app.pages.data import claims
from app.views.base import view_of
from sims.contract.frame import Frame
from sims.contract.parameters import read
from sims.instruments.gradients.gradient_health import LEVEL, ZERO
from sims.instruments.networks.decision_map import LEVELS, NOTHING
from sims.paths import CONTENT
from sims.simulations.design_choices.explorer import COMPARISONS, MOST_NUMBERS, RECORDS, Explorer, stream_growth

QUICK: dict[str, Any] = {"depth": 4, "width": 8, "training_steps": 200}


def after(steps: int, **settings: Any) -> tuple[Explorer, Frame]:
    explorer = Explorer(**{**QUICK, **settings})
    return explorer, explorer.frame(explorer.advance(explorer.start(), steps))


def sample() -> list[dict[str, Any]]:
    """A few hundred of the combinations of controls, every value of each among them."""
    draw = random.Random(0)
    names = ("task", "skip", "norm", "initialization", "optimizer", "learning_rate", "compare", "unit", "branch_factor")
    names += ("activation", "warmup", "clip", "batch", "noise")
    choices = {name: list(Explorer.param[name].objects) for name in names}
    rounds = max(map(len, choices.values())) * 20
    return [
        {name: options[(i + draw.randrange(99)) % len(options)] for name, options in choices.items()}
        for i in range(rounds)
    ]


@pytest.mark.exhaustive
def test_every_combination_trains_diverges_or_is_refused_in_words() -> None:
    counts = {"trained": 0, "refused": 0}
    view = view_of("explorer", Explorer())
    view.figures()
    for settings in sample():
        explorer, frame = after(2, **settings)
        view.simulation = explorer
        view.update(frame)
        text = explorer.describe(frame)
        assert text.endswith(".")
        assert "nan" not in text
        if "refused" in frame.results:
            counts["refused"] += 1
            assert frame.finished
            assert len(text) > 40
        else:
            counts["trained"] += 1
            assert np.isfinite(frame["first_train_loss"]).all() or frame.diverged
    assert min(counts.values()) > 20


def test_no_combination_takes_more_memory_than_its_share() -> None:
    explorer = Explorer(depth=64, width=64, seeds=5, skip="highway")
    frame = explorer.frame(explorer.start())
    assert f"{MOST_NUMBERS:,}" in str(frame.results["refused"])


def test_own_points_of_one_class_are_refused_and_those_of_two_are_learned() -> None:
    explorer, frame = after(1, task="own", points="a1010a2020")
    assert "points of two classes" in explorer.describe(frame)
    assert "two classes" in explorer.disclosure().data
    assert "BatchNorm" not in explorer.disclosure().network
    assert "test set itself" in Explorer(norm="batch").disclosure().network
    _, frame = after(200, task="own", points="a1010a1510b8080b9080", learning_rate=0.03)
    assert frame.results["first_training_error"] == 0


def test_points_that_are_too_few_are_still_shown_so_that_more_can_be_added() -> None:
    explorer, frame = after(0, task="own", points="a5050c9999")
    _, refused = after(0, task="own", points="c9999")
    view = view_of("explorer", explorer)
    _maps, _loss, _features, diagram, *_ = view.figures()
    for state, trained in ((frame, True), (refused, False), (frame, True)):
        view.update(state)
        assert diagram.visible == trained
    assert refused["points"].tolist() == [pytest.approx([1.98, 1.98])]


def test_the_compared_network_starts_from_the_same_weights_and_data() -> None:
    first, second = Explorer(**QUICK, compare="no-skip").start()
    assert np.array_equal(first.run.parameters, second.run.parameters)
    assert first.run.seeds == second.run.seeds
    assert first.run.recipe == second.run.recipe
    assert second.run.architecture.skip == "none"


@pytest.mark.parametrize("compare", [name for name, (_label, _words, changes) in COMPARISONS.items() if changes])
def test_a_comparison_is_described_by_what_differs(compare: str) -> None:
    explorer, frame = after(1, compare=compare, depth=12)
    differs = COMPARISONS[compare][1]
    expected = f"It is already {differs}" if frame.results["second_same"] else f"The same network {differs}"
    assert expected in explorer.describe(frame)


def test_a_network_without_a_skip_is_not_compared_with_itself_without_one() -> None:
    explorer, frame = after(1, skip="none", compare="no-skip")
    assert frame.results["second_same"] == 1
    assert explorer.describe(frame).endswith("It is already without a skip: the other one is the same network.")
    assert after(1, compare="no-skip")[1].results["second_same"] == 0


def test_noise_moves_the_points_and_the_usual_leaves_them() -> None:
    usual, quiet, loud = (after(0, noise=noise)[1]["points"] for noise in ("usual", "0", "0.4"))
    assert np.abs(usual - quiet).max() < 0.1 < np.abs(loud - quiet).max()


def test_the_networks_learn_from_what_they_are_fed_and_the_points_stay_where_they_are() -> None:
    explorer, frame = after(200, feed_x1=False, feed_x2=False, feed_product=True, task="xor", learning_rate=0.03)
    assert np.array_equal(frame["points"], after(0, task="xor")[1]["points"])
    assert frame.results["first_training_error"] < 0.05
    assert explorer.disclosure().network == "A multilayer perceptron of 4 linear layers of width 8, fed x₁x₂."
    assert np.array_equal(frame["first_maps"], frame["first_maps"].transpose(0, 2, 1))


def test_features_of_the_coordinates_change_nothing_where_they_are_the_coordinates() -> None:
    usual, fed = after(20)[1], after(20, feed_x1=True, feed_sine_x1=True)[1]
    assert np.array_equal(usual["first_train_loss"], after(20, feed_x1=True, feed_x2=True)[1]["first_train_loss"])
    assert not np.array_equal(usual["first_train_loss"], fed["first_train_loss"])


def test_nothing_to_feed_is_refused_in_words() -> None:
    explorer, frame = after(1, feed_x1=False, feed_x2=False)
    assert "nothing is fed to the networks" in explorer.describe(frame)
    assert explorer.disclosure().network.endswith("fed nothing.")


def test_moments_are_kept_however_the_run_is_cut() -> None:
    whole, frame = after(200, compare="no-skip")
    assert len(frame["steps"]) == len(frame["first_maps"]) == RECORDS + 1
    assert frame["steps"].tolist() == list(range(0, 201, 5))
    state = whole.start()
    for steps in (1, 7, 12, 180):
        state = whole.advance(state, steps)
    assert np.array_equal(whole.frame(state)["second_maps"], frame["second_maps"])


def test_rewinding_goes_from_the_first_moment_to_now() -> None:
    explorer, frame = after(12)
    assert frame["steps"].tolist() == [0, 5, 10, 12]
    assert len(frame["first_maps"]) == 4
    for moment, index in ((0, 0), (34, 1), (100, 3)):
        explorer.moment = moment
        assert explorer.shown(frame) == index


@pytest.mark.exhaustive
def test_an_old_frame_can_be_shown_and_described_under_new_settings() -> None:
    """After a change the page still has the frame of the run before, until the new one's first is there."""
    frames = [after(3, compare=compare, depth=depth)[1] for compare, depth in (("none", 4), ("no-skip", 8))]
    frames.append(after(1, skip="dense", norm="post-layer")[1])
    for frame, compare in itertools.product(frames, ("none", "no-skip")):
        explorer = Explorer(compare=compare, depth=12, seeds=3)
        view = view_of("explorer", explorer)
        view.figures()
        view.update(frame)
        assert explorer.describe(frame).endswith(".")


def test_divergence_is_described_without_numbers_that_are_none() -> None:
    explorer, frame = after(200, depth=32, norm="none", unit="one-layer", optimizer="sgd", learning_rate=1.0, seeds=2)
    assert frame.diverged
    assert "has overflowed with 2 of 2 seeds" in explorer.describe(frame)
    assert math.isnan(float(frame.results["first_loss"]))
    assert (frame["first_maps"][0] < NOTHING).all()
    assert (frame["first_maps"][-1] == NOTHING).all()


def test_dead_layers_are_marked_as_exactly_zero() -> None:
    _, frame = after(1, skip="rezero", norm="none", unit="two-layer", depth=6)
    assert (frame["first_weight_gradients_health"][0][1:-1] == ZERO).all()


@pytest.mark.exhaustive
def test_the_skip_with_the_norm_rescues_depth() -> None:
    """Orderings of the chapter, on five seeds: 32 layers with Pre-LN fit with the skip and fail without it."""
    explorer = Explorer(depth=32, compare="no-skip", seeds=5, seed=100, training_steps=800)
    frame = explorer.compute()
    assert frame.results["first_fits"] == 5
    assert frame.results["second_fits"] == 0
    assert frame["first_maps"][-1].max() // LEVELS == 1


@pytest.mark.exhaustive
def test_a_moved_relu_changes_how_badly_a_run_can_fail() -> None:
    """The chapter's two rows without a norm, on ten seeds that the page does not use: neither order fits with all of
    them, and only with the ReLU last does a run end far above the loss of a coin toss."""
    worst = {}
    for unit in ("pre-activation", "one-layer"):
        frames = [Explorer(depth=32, norm="none", unit=unit, seeds=5, seed=seed).compute() for seed in (300, 305)]
        assert sum(int(frame.results["first_fits"]) for frame in frames) < 10
        assert sum(int(frame.results["first_lost"]) for frame in frames) == 0
        worst[unit] = max(float(frame["first_train_loss_high"][-1]) for frame in frames)
    assert worst["pre-activation"] < 2 * math.log(2) < 4 * math.log(2) < worst["one-layer"]


def test_the_stream_grows_more_with_the_relu_last() -> None:
    """Without a norm, at the start, over the five seeds of the page; smaller branches hardly let it grow."""
    first, last = (
        [stream_growth(statistic=end, depth=32, norm="none", unit=unit) for end in ("lowest", "highest")]
        for unit in ("pre-activation", "one-layer")
    )
    assert 1000 < first[0] < first[1] < last[0] / 10
    assert float(stream_growth(statistic="highest", depth=32, norm="none", branch_factor="1/blocks")) < 3


def test_weights_that_are_all_too_small_show_in_the_stream_and_not_in_the_bars() -> None:
    """Of a plain network without biases and norm: with all weights smaller by one factor, the gradients of the weights
    are level as before, and those of the stream are not."""
    for initialization, level in (("he", True), ("xavier", False)):
        _, frame = after(
            0, depth=32, width=32, skip="none", norm="none", initialization=initialization, seeds=5, seed=100
        )
        assert (frame["first_weight_gradients_health"][0] == LEVEL).all()
        assert (frame["first_stream_gradients_health"][0] == LEVEL).all() == level


def test_a_norm_without_a_skip_starts_with_level_bars_but_the_first() -> None:
    _, frame = after(0, depth=32, width=32, skip="none", seeds=5, seed=100)
    assert (frame["first_weight_gradients_health"][0][1:] == LEVEL).all()


@pytest.mark.exhaustive
def test_plain_can_fit_where_the_sum_overflows() -> None:
    """The chapter's "sometimes plain is better", on five seeds that the page does not use."""
    settings: dict[str, Any] = {"depth": 12, "norm": "none", "optimizer": "sgd", "learning_rate": 0.1}
    frame = Explorer(**settings, compare="no-skip", seeds=5, seed=200).compute()
    assert frame.results["first_fits"] == frame.results["second_lost"] == 0
    assert frame.results["first_lost"] >= 3
    assert frame.results["second_fits"] >= 3


def test_a_18_a_skip_can_be_what_breaks_twelve_layers() -> None:
    """The card's own settings, over its three seeds: without a norm the sums explode where the plain twin learns."""
    card = claims.read(CONTENT / "claims.yaml").cards["A-18"]
    assert card.check is not None
    settings, notes = read(Explorer, {name: str(value) for name, value in card.check["parameters"].items()})
    frame = Explorer(**settings).compute()
    assert not notes
    assert frame.results["first_lost"] == 3
    assert frame.results["second_lost"] == 0
    assert frame.results["second_fits"] >= 1
