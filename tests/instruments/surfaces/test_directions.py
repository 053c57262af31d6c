"""Directions against the rule of the reference implementation (its `normalize_direction`), restated in torch."""

import numpy as np
import pytest
import torch
from torch.nn.utils import parameters_to_vector, vector_to_parameters

from sims.instruments.surfaces.directions import directions
from sims.instruments.surfaces.landscapes import Plane, of_seed
from sims.pytorch.models.networks import ordered_parameters
from tests.instruments.surfaces.slices import layout_of, small_run, torch_network


def by_the_reference_rule(direction: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """d ← d · ‖w‖/(‖d‖ + 1e-10) for every filter, the first dimension; biases ("biasbn") become zero."""
    if direction.dim() <= 1:
        return torch.zeros_like(direction)
    return torch.stack([d * w.norm() / (d.norm() + 1e-10) for d, w in zip(direction, weights, strict=True)])


@pytest.mark.parametrize("norm", ["none", "batch", "layer"])
def test_every_filter_has_the_norm_that_the_reference_rule_gives_it(norm: str) -> None:
    run = small_run(norm)
    actual = directions(run.parameters[0].astype(float), layout_of(run), 7)
    unscaled = directions(run.parameters[0].astype(float), layout_of(run), 7, "whole")
    for which in range(2):
        model, tangent = torch_network(run), torch_network(run)
        vector_to_parameters(torch.tensor(run.parameters[0]).double(), ordered_parameters(model))
        vector_to_parameters(torch.tensor(unscaled[which]), ordered_parameters(tangent))
        pairs = zip(ordered_parameters(tangent), ordered_parameters(model), strict=True)
        expected = [by_the_reference_rule(d.detach(), w.detach()) for d, w in pairs]
        np.testing.assert_allclose(actual[which], parameters_to_vector(expected).numpy(), rtol=1e-9, atol=1e-12)


def test_two_directions_are_nearly_orthogonal() -> None:
    """The cosine of normal directions; uniform ones from 0 to 1, as some programs draw, would have one near 0.75."""
    run = small_run()
    one, other = directions(run.parameters[0], layout_of(run), 7)
    assert abs(one @ other) < 0.2 * np.linalg.norm(one) * np.linalg.norm(other)


def test_the_same_seed_draws_the_same_for_plain_and_residual() -> None:
    plain, residual = small_run(skip="none", steps=0), small_run(steps=0)
    pair = [directions(run.parameters[0], layout_of(run), 7) for run in (plain, residual)]
    np.testing.assert_array_equal(*pair)
    assert not np.allclose(pair[0], directions(plain.parameters[0], layout_of(plain), 8))


def test_whole_directions_have_the_norm_of_all_weights() -> None:
    run = small_run("none")
    weights = run.parameters[0].copy().astype(float)
    for layer in layout_of(run).layers:
        weights[layer.bias : layer.end] = 0
    actual = directions(run.parameters[0].astype(float), layout_of(run), 7, "whole")
    np.testing.assert_allclose(np.linalg.norm(actual, axis=1), np.linalg.norm(weights))


def test_d_09_the_filter_normalized_slice_does_not_notice_rescaled_layers() -> None:
    """D-09: first layer of a branch times 10, second divided by 10; no norm, so that the function stays the same."""
    run, coordinates = small_run("none", data="digits"), np.array([[-0.5, 0.0], [0.5, 0.0], [0.3, -0.8]])
    layout, weights = layout_of(run), run.parameters[0].astype(float)
    rescaled = weights.copy()
    first, second = layout.layers[1:3]
    rescaled[first.weight : first.end] *= 10
    rescaled[second.weight : second.bias] /= 10

    def slice_of(parameters: np.ndarray, kind: str) -> np.ndarray:
        basis = np.vstack([parameters, directions(parameters, layout, 7, kind)])
        return Plane(of_seed(run), basis).losses(coordinates)

    center = np.zeros((1, 2))
    before, after = (Plane(of_seed(run), np.vstack([row] * 3)).losses(center) for row in (weights, rescaled))
    np.testing.assert_allclose(before, after, rtol=1e-5)
    np.testing.assert_allclose(slice_of(weights, "filter"), slice_of(rescaled, "filter"), rtol=1e-5)
    assert not np.allclose(slice_of(weights, "whole"), slice_of(rescaled, "whole"), rtol=0.05)
