"""Slices of trained networks: what chapter 3 says of them, over the seeds that it names."""

import numpy as np
import pytest

from sims.comparisons.twin_networks import exact
from sims.engines.perceptrons import evaluated
from sims.instruments.surfaces.curvature import MOST
from sims.kept import results
from sims.simulations.loss_surfaces.landscape import WEIGHT, Landscape, measured

QUICK = {"depth": 6, "data": "spirals", "training_steps": 100, "finest": 11}


@pytest.mark.exhaustive
@pytest.mark.parametrize("depth", [18, 34])
def test_page_landscape_plain_slices_are_rougher_than_residual_ones_with_batch_norm(depth: int) -> None:
    """D-04: sharing a seed, plain + BatchNorm has more extra variation; all three seeds, at both depths."""
    settings = {"depth": depth, "finest": 21}
    for seed in range(3):
        answers = results.finished(Landscape(**settings, seed=seed, direction_seed=seed)).results
        assert answers["plain_excess"] > 3 * max(answers["residual_excess"], 0.01)
    assert measured(measure="minima", skip=False, statistic="lowest") > measured(
        measure="minima", skip=True, statistic="highest"
    )


@pytest.mark.exhaustive
def test_the_roughness_is_no_matter_of_failing() -> None:
    """On the spirals both networks fit everything, and the order holds for all three seeds."""
    for skip in (False, True):
        assert measured(measure="error", skip=skip, data="spirals", statistic="highest") < 0.02
    plain, residual = (
        measured(measure="excess", skip=skip, data="spirals", statistic=statistic)
        for skip, statistic in ((False, "lowest"), (True, "highest"))
    )
    assert plain > residual


@pytest.mark.exhaustive
@pytest.mark.parametrize("norm", ["frozen", "none"])
def test_without_recomputed_statistics_the_plain_slice_is_a_cliff_and_not_rugged(norm: str) -> None:
    """D-04: on the digits, no valleys but one however shallow they may be, and a range that is larger by orders of
    magnitude; three seeds. On a processor of another kind one of them has a second valley with no norm at all."""
    assert measured(measure="minima", skip=False, norm=norm, deeper=0.001) == 1
    assert measured(measure="minima", skip=False, norm=norm, deeper=0.001, statistic="highest") <= 2
    assert measured(measure="excess", skip=False, norm=norm, statistic="highest") < 0.02
    least = measured(measure="range", skip=False, norm=norm, statistic="lowest")
    assert least > 3 * measured(measure="range", skip=True, norm=norm, statistic="highest")
    assert least > 1000 * measured(measure="range", skip=False, statistic="highest")


@pytest.mark.exhaustive
@pytest.mark.parametrize("skip", [False, True])
def test_d_04_on_the_spirals_valleys_need_no_norm(skip: bool) -> None:
    """D-04: several valleys on every seed without a norm, for which a rim of thousands of nats is no excuse."""
    assert measured(measure="minima", skip=skip, norm="none", data="spirals", deeper=0.01, statistic="lowest") >= 2
    assert measured(measure="minima", skip=skip, norm="none", data="spirals") >= 2
    assert measured(measure="range", skip=False, norm="none", data="spirals", statistic="lowest") > 1e4


@pytest.mark.exhaustive
def test_page_landscape_how_many_valleys_hangs_on_how_deep_they_must_be() -> None:
    """page.landscape: of the plain valleys on the digits, most are not ten times as deep; the order stays."""
    shallow, deep = (measured(measure="minima", skip=False, deeper=deeper) for deeper in (0.01, 0.1))
    assert shallow > 2 * deep
    assert deep > measured(measure="minima", skip=True, deeper=0.01)


@pytest.mark.exhaustive
def test_layer_norm_recomputes_too_and_roughens_the_plain_slice() -> None:
    plain = measured(measure="excess", skip=False, norm="layer", statistic="lowest")
    assert plain > measured(measure="excess", skip=True, norm="layer", statistic="highest") + 0.1


def test_d_04_a_slice_does_not_tell_the_networks_apart_by_where_it_bends_down() -> None:
    """Both bend down on more than half of their slice, whatever they look like."""
    for skip in (False, True):
        assert measured(measure="bent_down", skip=skip, statistic="lowest") > 0.5
        assert measured(measure="bent_down", skip=skip, statistic="highest") < 0.8


def test_the_center_of_a_slice_is_the_training_loss() -> None:
    simulation = Landscape(**QUICK)
    state = simulation.advance(simulation.start(), 100 + 121)
    frame = simulation.frame(state)
    for name, run in state.runs.items():
        center = frame[f"{name}_losses"][5, 5]
        assert center == evaluated(run).now.train_loss[0]
        assert center == pytest.approx(exact(run, "batch").loss(run.parameters[0].astype(float)), rel=1e-4)


def test_both_networks_start_from_the_same_weights_and_share_their_directions() -> None:
    state = Landscape(**QUICK).start()
    np.testing.assert_array_equal(state.runs["plain"].parameters, state.runs["residual"].parameters)


def test_the_grid_grows_through_its_levels_and_says_so() -> None:
    simulation = Landscape(**{**QUICK, "finest": 21})
    state = simulation.start()
    first = simulation.frame(state)
    assert first["plain_losses"].shape == (6, 6)
    assert first.results["plain_resolved"] == "no"
    sizes, phases = [], []
    for step in (50, 100 + 36, 100 + 130, 100 + 441, 100 + 441 + MOST * WEIGHT):
        state = simulation.advance(state, step - state.step)
        frame = simulation.frame(state)
        sizes.append(len(frame["plain_losses"]))
        phases.append(frame.results["phase"])
    assert sizes == [6, 6, 11, 21, 21]
    assert phases == ["training", "slice", "slice", "curvature", "done"]
    assert frame.finished
    assert frame.results["plain_lambda_max"] > 0


def test_around_the_initial_weights_nothing_is_trained() -> None:
    simulation = Landscape(**{**QUICK, "point": "initial"})
    state = simulation.start()
    later = simulation.advance(state, 60)
    np.testing.assert_array_equal(later.runs["plain"].parameters, state.runs["plain"].parameters)
    assert len(later.losses["plain"]) == 60


def test_a_slice_that_leaves_the_finite_numbers_is_said_to() -> None:
    simulation = Landscape(depth=58, norm="frozen", point="initial", span=1.5, finest=11)
    state = simulation.advance(simulation.start(), 121)
    broken = {name: np.where(np.arange(121) == 0, np.inf, loss) for name, loss in state.losses.items()}
    frame = simulation.frame(type(state)(state.step, state.runs, broken))
    assert "overflows" in simulation.describe(frame)
