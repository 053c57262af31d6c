"""Gradient and Hessian in NumPy against torch's autograd, the compiled engine and finite differences."""

import numpy as np
import pytest
import torch
from torch.nn.utils import vector_to_parameters

from sims.engines.perceptrons import Architecture, TrainingState
from sims.instruments.surfaces.curvature import Lanczos, Network
from sims.pytorch.networks import ordered_parameters
from tests.instruments.surfaces.slices import small_run, torch_gradient, torch_loss, torch_network

CASES = [(norm, skip) for norm in ("none", "batch", "layer") for skip in ("none", "additive")]


def network_of(run: TrainingState) -> Network:
    data = run.source.load()
    return Network(run.architecture, data.train_inputs.T, data.train_labels, data.classes)


def torch_hessian(run: TrainingState) -> np.ndarray:
    """The whole Hessian at the weights of a run, by torch's autograd."""
    data, model = run.source.load(), torch_network(run)
    ordered = ordered_parameters(model)
    vector_to_parameters(torch.tensor(run.parameters[0]).double(), ordered)
    outputs = model(torch.tensor(data.train_inputs).double())
    loss = torch.nn.functional.cross_entropy(outputs, torch.tensor(data.train_labels))
    slopes = torch.cat([each.reshape(-1) for each in torch.autograd.grad(loss, ordered, create_graph=True)])
    rows = [torch.autograd.grad(slope, ordered, retain_graph=True) for slope in slopes]
    return torch.stack([torch.cat([each.reshape(-1) for each in row]) for row in rows]).numpy()


@pytest.mark.parametrize(("norm", "skip"), CASES)
def test_loss_and_gradient_are_those_of_torch(norm: str, skip: str) -> None:
    run = small_run(norm, skip)
    weights = run.parameters[0].astype(float)
    loss, gradient = network_of(run).loss_and_gradient(weights)
    assert loss == pytest.approx(torch_loss(run, weights), rel=1e-10)
    assert network_of(run).loss(weights) == loss
    np.testing.assert_allclose(gradient, torch_gradient(run, weights), rtol=1e-7, atol=1e-10)


FROZEN = [("batch", "none", True), ("batch", "additive", True)]


@pytest.mark.parametrize(("norm", "skip", "frozen"), [*((*case, False) for case in CASES), *FROZEN])
def test_the_gradient_is_the_slope_of_the_loss(norm: str, skip: str, frozen: bool) -> None:
    run = small_run(norm, skip)
    network, weights = network_of(run), run.parameters[0].astype(float)
    if frozen:
        network.freeze(weights)
    way = np.random.default_rng(0).normal(size=weights.size)
    step = 1e-7
    slope = (network.loss(weights + step * way) - network.loss(weights - step * way)) / (2 * step)
    assert network.loss_and_gradient(weights)[1] @ way == pytest.approx(slope, rel=1e-5)


@pytest.mark.parametrize(("norm", "skip"), CASES)
def test_the_hessian_times_a_vector_is_that_of_torch(norm: str, skip: str) -> None:
    run = small_run(norm, skip)
    weights = run.parameters[0].astype(float)
    vector = np.random.default_rng(0).normal(size=weights.size)
    expected = torch_hessian(run) @ vector
    found = network_of(run).hessian_times(weights, vector)
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-9 * np.abs(expected).max())


def test_lanczos_finds_both_ends_of_the_spectrum() -> None:
    run = small_run()
    hessian = torch_hessian(run)
    found = Lanczos.begin(len(hessian), 0)
    for _ in range(40):
        found = found.onward(hessian @ found.vectors[-1].astype(float))
    expected = np.linalg.eigvalsh(hessian)
    np.testing.assert_allclose(found.extremes(), expected[[0, -1]], rtol=1e-4)


def test_lanczos_ends_where_there_is_nothing_left() -> None:
    """A matrix of rank one has been seen whole after two steps."""
    one = np.linspace(0, 1, 7)
    found = Lanczos.begin(7, 0)
    for _ in range(4):
        found = found.onward(np.outer(one, one) @ found.vectors[-1].astype(float))
    assert found.extremes()[1] == pytest.approx(float(one @ one))


def test_other_networks_are_refused() -> None:
    with pytest.raises(ValueError, match="original unit"):
        Network(Architecture(depth=6, norm="pre-layer"), np.ones((2, 3)), np.zeros(3, int), 2)
    with pytest.raises(ValueError, match="batch norm"):
        network_of(small_run("layer")).freeze(small_run("layer").parameters[0])
