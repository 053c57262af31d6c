"""Slices against torch, point by point; and against the known defects of a popular program."""

import loss_landscapes
import loss_landscapes.metrics
import numpy as np
import pytest
import torch

from sims.data.datasets import source
from sims.engines.perceptrons import TrainingState, evaluated
from sims.instruments.surfaces import grids
from sims.instruments.surfaces.directions import directions
from sims.instruments.surfaces.landscapes import BLOCK, SAMPLE, Plane, of_seed
from sims.instruments.surfaces.ruggedness import bent_down
from tests.instruments.surfaces.slices import layout_of, small_run, torch_loss

CORNERS = np.array([[0, 0], [0.5, -0.25], [-1, 1], [1, 1], [0.1, 0]])


def plane_of(run: TrainingState, frozen: bool = False, parameters: np.ndarray | None = None) -> Plane:
    weights = run.parameters[0].astype(float) if parameters is None else parameters
    return Plane(of_seed(run), np.vstack([weights, directions(weights, layout_of(run), 1)]), frozen)


@pytest.mark.parametrize("skip", ["none", "additive"])
@pytest.mark.parametrize("norm", ["none", "batch", "layer"])
def test_every_point_is_the_loss_that_torch_finds(norm: str, skip: str) -> None:
    run = small_run(norm, skip)
    plane = plane_of(run)
    expected = [torch_loss(run, weights) for weights in plane.basis[0] + CORNERS @ plane.basis[1:]]
    np.testing.assert_allclose(plane.losses(CORNERS), expected, rtol=2e-4)


def test_the_center_is_the_training_loss() -> None:
    run = evaluated(small_run())
    assert plane_of(run).losses(CORNERS[:1], None)[0] == run.now.train_loss[0]


def test_a_point_does_not_depend_on_its_company() -> None:
    plane = plane_of(small_run())
    many = np.random.default_rng(0).normal(size=(3 * BLOCK + 5, 2))
    whole = plane.losses(many)
    pieces = [plane.losses(many[a:b]) for a, b in ((0, 1), (1, 11), (11, 29))]
    np.testing.assert_array_equal(whole, np.concatenate(pieces))


def test_frozen_statistics_are_those_of_the_center() -> None:
    """Doubling the first layer changes nothing for statistics of the batch, and much for frozen ones."""
    run = small_run()
    stem = layout_of(run).layers[0]
    longer = np.zeros_like(run.parameters[0], dtype=float)
    longer[stem.weight : stem.end] = run.parameters[0, stem.weight : stem.end]
    basis = np.vstack([run.parameters[0].astype(float), longer, longer])
    live, frozen = (Plane(of_seed(run), basis, flag).losses(np.array([[0, 0], [1, 0]])) for flag in (False, True))
    assert live[0] == frozen[0]
    assert live[1] == pytest.approx(live[0], rel=1e-3)
    assert frozen[1] > 1.05 * frozen[0]


def test_a_loss_out_of_range_is_infinite_and_nothing_else_is() -> None:
    run = small_run("none")
    plane = plane_of(run)
    far = Plane(of_seed(run), plane.basis * np.array([[1.0], [1e12], [1.0]]))
    assert far.losses(np.array([[0, 0], [1, 0]])).tolist() == [plane.losses(CORNERS[:1])[0], np.inf]


# -- a bowl, of which everything is known: the popular program puts every second row in the wrong place ----------------


class Bowl(torch.nn.Module):
    """Sixteen weights; the loss is their squared distance from where they are at first."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(16, 1, bias=False)
        torch.nn.init.ones_(self.linear.weight)


def bowl_metric() -> object:
    class Distance(loss_landscapes.metrics.Metric):
        def __call__(self, wrapper: object) -> float:
            return float(sum(((parameter - 1) ** 2).sum() for parameter in wrapper.get_module_parameters().parameters))  # type: ignore[attr-defined]

    return Distance()


def their_bowl(steps: int) -> np.ndarray:
    torch.manual_seed(0)
    plane = loss_landscapes.random_plane(
        Bowl(), bowl_metric(), distance=1, steps=steps, normalization=None, deepcopy_model=True
    )
    return np.asarray(plane)


def straight(values: np.ndarray) -> bool:
    """Whether the lowest points of neighboring rows of a bowl lie at most one column apart, never back and forth."""
    lowest = values.argmin(axis=1)
    return bool((np.diff(lowest, 2) == 0).all())


def test_our_grid_of_a_bowl_is_a_bowl_and_theirs_is_not() -> None:
    coordinates = grids.coordinates(21, 1.0, 0, 441)
    ours = grids.grid((coordinates**2).sum(axis=1), 21, 21)
    assert bent_down(ours) == 0
    assert straight(ours)
    assert ours.argmin() == 220
    theirs = their_bowl(21)
    assert bent_down(theirs) > 0.2
    assert not straight(theirs)


def test_their_directions_point_to_one_side() -> None:
    """Uniform from 0 to 1: two independent ones have a cosine near 0.75. Ours are checked in `test_directions`."""
    from loss_landscapes.model_interface.model_parameters import rand_u_like

    torch.manual_seed(0)
    like = [torch.zeros(64, 64)]
    pair = [rand_u_like(loss_landscapes.model_interface.model_parameters.ModelParameters(like)) for _ in range(2)]
    one, other = (torch.cat([parameter.flatten() for parameter in direction.parameters]) for direction in pair)
    assert float(one @ other / one.norm() / other.norm()) > 0.7


def test_data_has_more_points_than_a_slice_looks_at() -> None:
    run = small_run(data="digits")
    assert len(source("digits").load().train_labels) > SAMPLE
    assert plane_of(run).losses(CORNERS[:1])[0] != plane_of(run).losses(CORNERS[:1], None)[0]
