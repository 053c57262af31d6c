"""Gradient and Hessian in NumPy against torch's autograd, the compiled engine and finite differences."""

import numpy as np
import pytest
import torch
from scipy.sparse.linalg import LinearOperator, eigsh
from torch.nn.utils import vector_to_parameters

from sims.engines.perceptrons import Architecture, TrainingState, advance, start
from sims.instruments.surfaces.curvature import Lanczos, Network, extreme_curvatures
from sims.instruments.surfaces.landscapes import SAMPLE
from sims.pytorch.models.networks import ordered_parameters
from tests.instruments.surfaces.slices import RECIPE, small_run, torch_gradient, torch_loss, torch_network
from tests.tiers import first

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
    slopes = torch.cat([gradient.reshape(-1) for gradient in torch.autograd.grad(loss, ordered, create_graph=True)])
    rows = [torch.autograd.grad(slope, ordered, retain_graph=True) for slope in slopes]
    return torch.stack([torch.cat([part.reshape(-1) for part in row]) for row in rows]).numpy()


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


@pytest.mark.parametrize(("norm", "skip"), first(2, CASES))
def test_the_hessian_times_a_vector_is_that_of_torch(norm: str, skip: str) -> None:
    run = small_run(norm, skip)
    weights = run.parameters[0].astype(float)
    vector = np.random.default_rng(0).normal(size=weights.size)
    expected = torch_hessian(run) @ vector
    actual = network_of(run).hessian_times(weights, vector)
    np.testing.assert_allclose(actual, expected, rtol=1e-7, atol=1e-9 * np.abs(expected).max())


@pytest.mark.exhaustive
def test_lanczos_finds_both_ends_of_the_spectrum() -> None:
    run = small_run()
    hessian = torch_hessian(run)
    lanczos = Lanczos.begin(len(hessian), 0)
    for _ in range(40):
        lanczos = lanczos.onward(hessian @ lanczos.vectors[-1].astype(float))
    expected = np.linalg.eigvalsh(hessian)
    np.testing.assert_allclose(lanczos.extremes(), expected[[0, -1]], rtol=1e-4)


def test_an_eigenvalue_that_has_not_converged_is_not_shown() -> None:
    """The highest stands far apart and is known at once; the lowest is the end of a crowd."""
    values = np.concatenate([np.linspace(-1, 0, 200), [100.0]])
    lanczos = Lanczos.begin(len(values), 0)
    for _ in range(6):
        lanczos = lanczos.onward(values * lanczos.vectors[-1].astype(float))
    lowest, highest = lanczos.extremes()
    assert np.isnan(lowest)
    assert highest == pytest.approx(100)
    assert not lanczos.settled


@pytest.mark.exhaustive
@pytest.mark.parametrize("skip", ["none", "additive"])
def test_the_extreme_curvatures_are_those_of_an_outside_solver(skip: str) -> None:
    """A trained network of 18 layers, as chapter 3 cuts slices of it, against ARPACK with products by torch."""
    run = advance(start(Architecture(depth=18, unit="original", norm="batch", skip=skip), RECIPE, "digits", (0,)), 300)
    weights = run.parameters[0].astype(float)
    data, model = run.source.load(), torch_network(run)
    inputs, labels = data.train_inputs[:SAMPLE], data.train_labels[:SAMPLE]
    ordered = ordered_parameters(model)
    vector_to_parameters(torch.tensor(weights), ordered)
    loss = torch.nn.functional.cross_entropy(model(torch.tensor(inputs).double()), torch.tensor(labels))
    slope = torch.cat([gradient.reshape(-1) for gradient in torch.autograd.grad(loss, ordered, create_graph=True)])

    def times(vector: np.ndarray) -> np.ndarray:
        rows = torch.autograd.grad(slope @ torch.tensor(vector.reshape(-1)), ordered, retain_graph=True)
        return torch.cat([row.reshape(-1) for row in rows]).numpy()

    hessian = LinearOperator((weights.size, weights.size), matvec=times, dtype=float)
    expected = sorted(eigsh(hessian, k=1, which=end, tol=1e-6, return_eigenvectors=False)[0] for end in ("SA", "LA"))
    actual = extreme_curvatures(Network(run.architecture, inputs.T, labels, data.classes), weights, 0)
    np.testing.assert_allclose(actual, expected, rtol=1e-3)


def test_lanczos_ends_where_there_is_nothing_left() -> None:
    """A matrix of rank one has been seen whole after two steps."""
    one = np.linspace(0, 1, 7)
    lanczos = Lanczos.begin(7, 0)
    for _ in range(4):
        lanczos = lanczos.onward(np.outer(one, one) @ lanczos.vectors[-1].astype(float))
    assert lanczos.extremes()[1] == pytest.approx(float(one @ one))


def test_other_networks_are_refused() -> None:
    with pytest.raises(ValueError, match="original unit"):
        Network(Architecture(depth=6, norm="pre-layer"), np.ones((2, 3)), np.zeros(3, int), 2)
    with pytest.raises(ValueError, match="batch norm"):
        network_of(small_run("layer")).freeze(small_run("layer").parameters[0])
