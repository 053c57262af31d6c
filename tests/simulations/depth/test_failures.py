"""The diagnosis follows its stated rule, and the three failures are three different things."""

import numpy as np
import pytest

from sims.instruments.gradients.gradient_ratio import EXPLODED, LEVEL, VANISHED, diagnosis, first_to_last
from sims.numbers.worked_examples.worked import batch_norm_gain
from sims.simulations.depth.failures import (
    CASES,
    Failures,
    best_errors,
    first_to_last_gradient,
    likeness,
    shrunk_first_to_last,
    shrunk_start,
    training_error,
)

FRESH = (100, 105, 110, 115)
"""First seeds of groups of five that no page shows"""

RELU, TANH = {"initialization": "he"}, {"initialization": "orthogonal", "activation": "tanh"}
BATCH_NORM = {"initialization": "he", "norm": "batch"}


def fresh_ratios(**settings) -> np.ndarray:
    """First over last gradient of the stream before training, for each fresh seed."""
    return np.concatenate([first_to_last(Failures(seed=seed, **settings).start().run.records[0]) for seed in FRESH])


def fresh_likeness(**settings) -> np.ndarray:
    """Mean cosine at the last layer before training, for each fresh seed."""
    return np.concatenate([Failures(seed=seed, **settings).start().likeness[:, -1] for seed in FRESH])


@pytest.mark.parametrize(
    ("ratio", "error", "name"),
    [
        (1.0, 0.05, "fine"),
        (1e-9, 0.05, "fine"),
        (1e-9, 0.8, "vanished"),
        (0.0, 0.8, "vanished"),
        (float("nan"), 0.8, "vanished"),
        (1e5, 0.8, "exploded"),
        (float("inf"), 0.8, "exploded"),
        (1.0, 0.8, "stalled"),
        (0.1, 0.8, "stalled"),
        (10.0, 0.8, "stalled"),
        (0.01, 0.8, "tilted"),
        (50.0, 0.8, "tilted"),
    ],
)
def test_the_rule(ratio: float, error: float, name: str) -> None:
    assert diagnosis(ratio, error) == name


@pytest.mark.exhaustive
def test_ch0_worse_with_depth_and_level_bars() -> None:
    """A-04. He initialization: level gradients for every seed, an error that climbs with depth (medians).

    At 100 layers the gradients of some seeds slope, but none of them vanishes.
    """
    for depth in (20, 56):
        assert first_to_last_gradient(initialization="he", depth=depth, statistic="lowest") > LEVEL[0]
        assert first_to_last_gradient(initialization="he", depth=depth, statistic="highest") < LEVEL[1]
    assert first_to_last_gradient(initialization="he", depth=100, statistic="lowest") > 10 * VANISHED
    assert training_error(initialization="he", depth=56) > 5 * training_error(initialization="he", depth=20)
    assert training_error(initialization="he", depth=100) > training_error(initialization="he", depth=56)


@pytest.mark.exhaustive
@pytest.mark.parametrize("depth", [20, 56])
@pytest.mark.parametrize("settings", [RELU, TANH], ids=["He", "tanh"])
def test_ch0_the_middle_rows_are_level_from_other_seeds_too(depth: int, settings: dict[str, str]) -> None:
    """Half of the seeds or more lie within the level range, and none comes near what counts as vanished or exploded."""
    ratios = fresh_ratios(depth=depth, **settings)
    assert LEVEL[0] < np.quantile(ratios, 0.25) < np.quantile(ratios, 0.75) < LEVEL[1]
    assert 10 * VANISHED < ratios.min() < ratios.max() < EXPLODED / 10


@pytest.mark.exhaustive
def test_ch0_the_default_start_vanishes_and_batch_norm_explodes_from_other_seeds_too() -> None:
    assert fresh_ratios(depth=56, initialization="default").max() < 1e-18
    assert fresh_ratios(depth=56, **BATCH_NORM).min() > 5e3


@pytest.mark.exhaustive
def test_ch0_the_weights_gradients_cannot_see_that_all_weights_are_small_and_the_stream_s_can() -> None:
    """For twenty seeds: a common factor on the weights leaves one ratio as it is and multiplies the other by its
    power of 54, the number of layers between the two places."""
    for seed in FRESH:
        half, tenth = (shrunk_start(factor, 56, seed=seed) for factor in (0.5, 0.05))
        weights, weights_of_tenth = (record.weight_gradients for record in (half, tenth))
        np.testing.assert_allclose(weights[:, 0] / weights[:, -1], weights_of_tenth[:, 0] / weights_of_tenth[:, -1])
        np.testing.assert_allclose(first_to_last(tenth), first_to_last(half) * 0.1**54, rtol=1e-6)
        assert LEVEL[0] < np.median(weights_of_tenth[:, 0] / weights_of_tenth[:, -1]) < LEVEL[1]
        assert first_to_last(tenth).max() < 1e-60


@pytest.mark.exhaustive
def test_ch0_the_page_s_own_seeds_show_it() -> None:
    for statistic in ("lowest", "highest"):
        assert LEVEL[0] < shrunk_first_to_last(gradient="weights", factor=0.05, statistic=statistic) < LEVEL[1]
        assert shrunk_first_to_last(gradient="stream", factor=0.05, statistic=statistic) < 1e-60


@pytest.mark.exhaustive
def test_ch0_different_inputs_become_alike_with_depth_except_with_tanh_and_orthogonal_weights() -> None:
    """Medians of twenty seeds, since the ranges of neighboring depths overlap."""
    alike = [np.median(fresh_likeness(depth=depth, **RELU)) for depth in (8, 20, 32, 56)]
    assert 0.7 < alike[0] < alike[1] < alike[2] < alike[3]
    assert alike[3] > 0.98
    for depth in (8, 56):
        assert abs(fresh_likeness(depth=depth, **TANH)).max() < 0.01


@pytest.mark.exhaustive
def test_ch0_likeness_alone_does_not_order_the_networks() -> None:
    """With BatchNorm inputs stay further apart than without it, at 20 and at 56 layers, and its errors are larger."""
    for depth in (20, 56):
        assert fresh_likeness(depth=depth, **BATCH_NORM).max() < 0.5 < fresh_likeness(depth=depth, **RELU).min()
    assert likeness(depth=56, statistic="highest", **BATCH_NORM) < likeness(depth=56, statistic="lowest", **RELU)


@pytest.mark.exhaustive
def test_ch0_another_rate_rescues_the_orthogonal_row_and_not_he_s() -> None:
    """Ten fresh seeds, each at the best of six learning rates."""

    def fresh(initialization: str, depth: int, activation: str = "relu", norm: str = "none") -> np.ndarray:
        groups = [best_errors(initialization, depth, activation, norm, seed=seed) for seed in FRESH[:2]]
        return np.concatenate(groups)

    assert fresh("orthogonal", 100, "tanh").max() < 0.05
    shallow, deep = fresh("he", 20), fresh("he", 56)
    assert shallow.max() < 0.1
    assert deep.min() > 0.2
    assert fresh("he", 20, norm="batch").max() < 0.15
    assert fresh("he", 56, norm="batch").min() > 0.7


@pytest.mark.exhaustive
def test_ch0_a_hundred_plain_layers_train_from_a_start_that_looks_linear() -> None:
    """A-15: the first seed; all five of the page stay below 12%."""
    frame = Failures(initialization="looks-linear", depth=100, seeds=1).compute()
    assert frame.results["training_error"] < 0.12


@pytest.mark.exhaustive
def test_ch0_vanished() -> None:
    assert first_to_last_gradient(initialization="default", depth=56) < 1e-15
    assert training_error(initialization="default", depth=56, statistic="lowest") > 0.5


@pytest.mark.exhaustive
def test_ch0_a_skip_alone_is_no_cure_and_a_skip_with_a_norm_is() -> None:
    """A-18: whether a skip pays at one depth depends on what else is in the block."""
    assert training_error(initialization="he", depth=56, skip="additive", statistic="lowest") > 0.3
    assert training_error(initialization="he", depth=56, skip="additive") > training_error(
        initialization="he", depth=56
    )
    for norm in ("batch", "pre-layer"):
        assert training_error(initialization="he", depth=56, skip="additive", norm=norm) < 0.01


@pytest.mark.exhaustive
def test_ch0_a_skip_around_every_layer_without_a_norm_makes_the_gradient_explode() -> None:
    """54 sums, each of which about doubles the mean square of the stream: √2 to the power of 54 is 10⁸."""
    ratios = fresh_ratios(depth=56, skip="additive", **RELU)
    assert 1e6 < ratios.min() < ratios.max() < 1e10
    assert fresh_ratios(depth=56, skip="additive", **BATCH_NORM).max() < 30


def test_ch0_batch_norm_makes_the_early_bars_huge() -> None:
    """A-06, measured; the growth per layer is derived in `sims.numbers.worked_examples.worked`."""
    assert 1 < first_to_last_gradient(depth=8, **BATCH_NORM) < 5
    assert first_to_last_gradient(depth=56, statistic="lowest", **BATCH_NORM) > 1e3


@pytest.mark.exhaustive
@pytest.mark.parametrize("depth", [8, 20, 56])
def test_ch0_batch_norm_s_ratio_is_the_power_of_its_gain_times_one_factor(depth: int) -> None:
    """The first norm divides by a deviation of √2, as the stem's inputs have the variance 1, and the others by that of
    a layer after a ReLU, √(1 - 1/π), which makes 0.58."""
    expected = np.sqrt((1 - 1 / np.pi) / 2) * batch_norm_gain(layers=depth - 2)
    assert 0.7 < np.median(fresh_ratios(depth=depth, **BATCH_NORM)) / expected < 1.6


def test_the_likeness_at_the_start_stays_while_the_network_trains() -> None:
    simulation = Failures(depth=8, seeds=2, training_steps=300)
    begun = simulation.start()
    trained = simulation.advance(begun, 24)
    frames = simulation.frame(begun), simulation.frame(trained)
    for frame in frames:
        np.testing.assert_array_equal(frame["likeness at start"], np.median(begun.likeness, axis=0))
        assert frame.results["likeness"] == frame["likeness at start"][-1]
    np.testing.assert_array_equal(frames[0]["likeness now"], frames[0]["likeness at start"])
    assert not np.array_equal(frames[1]["likeness now"], frames[1]["likeness at start"])


def test_a_run_that_diverges_still_has_frames() -> None:
    simulation = Failures(depth=100, skip="additive", optimizer="momentum", learning_rate=0.1, seeds=2)
    frame = simulation.frame(simulation.advance(simulation.start(), 24))
    assert frame.diverged
    assert np.isfinite(frame["likeness at start"]).all()


def test_an_exact_zero_stays_a_zero_in_the_frame() -> None:
    simulation = Failures(depth=100, initialization="default", seeds=1)
    frame = simulation.frame(simulation.start())
    assert np.isfinite(frame["stream gradient at start"]).all()
    assert frame.results["diagnosis"] == "not trained yet"


@pytest.mark.parametrize("name", CASES)
def test_every_failure_is_known_by_its_settings(name: str) -> None:
    assert Failures(depth=8, **CASES[name]).case() == name
    assert Failures(depth=8, **CASES[name] | {"skip": "additive"}).case() is None
