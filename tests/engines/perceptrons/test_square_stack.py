"""Stacks of square layers: the compiled passes against PyTorch and against finite differences, and how runs behave."""

import numpy as np
import pytest
import torch

from sims.engines.kernels.activations import IDENTITY, TANH
from sims.engines.kernels.matmul import TILE
from sims.engines.perceptrons.kernels import square_stack as kernels
from sims.engines.perceptrons.square_stack import MatchingTask, Stack, advance, distances, outputs, start
from tests.tiers import first

WIDTH, POINTS = 6, 37


def matching(**how) -> MatchingTask:
    random = np.random.default_rng(4)
    inputs, targets = (random.normal(size=(WIDTH, POINTS)).astype(np.float32) for _ in range(2))
    return MatchingTask(inputs, targets, **how)


def compiled_pass(skip, hidden, weights, inputs, targets):
    """Loss, gradient of the weights and gradient of the inputs by the compiled kernels."""
    layers = len(weights)
    streams, values = (np.empty((count, *inputs.shape), inputs.dtype) for count in (layers + 1, layers))
    streams[0] = inputs
    change, packed = np.empty_like(inputs), np.empty((WIDTH, TILE), inputs.dtype)
    gradient = np.full(weights.size, np.nan, inputs.dtype)
    activation = TANH if hidden == "tanh" else IDENTITY
    kernels.forward(skip, activation, weights.reshape(-1), streams, values, packed)
    loss = kernels.loss_and_gradient(streams[layers], targets, change)
    kernels.backward(
        skip, activation, weights.reshape(-1), streams, values, change, np.empty_like(inputs), packed, gradient
    )
    return loss, gradient.reshape(weights.shape), change


def torch_loss(skip, hidden, weights, inputs, targets):
    h = inputs
    for number, matrix in enumerate(weights):
        branch = matrix @ h
        if hidden == "tanh" and number < len(weights) - 1:
            branch = torch.tanh(branch)
        h = h + branch if skip else branch
    return ((h - targets) ** 2).mean()


# Kernels in double precision take long to compile, so only `make test-all` does.
@pytest.mark.parametrize(("precision", "rtol", "atol"), first(1, [(np.float32, 1e-5, 1e-6), (np.float64, 1e-9, 1e-12)]))
@pytest.mark.parametrize("skip", [False, True])
@pytest.mark.parametrize("hidden", ["linear", "tanh"])
@pytest.mark.parametrize("layers", [1, 4])
def test_loss_and_gradients_are_those_of_torch(skip, hidden, layers, precision, rtol, atol):
    random = np.random.default_rng(layers)
    weights = random.normal(0, 0.4, (layers, WIDTH, WIDTH)).astype(precision)
    inputs, targets = random.normal(size=(2, WIDTH, POINTS)).astype(precision)
    theirs = [torch.tensor(array, requires_grad=True) for array in (weights, inputs)]
    loss = torch_loss(skip, hidden, theirs[0], theirs[1], torch.tensor(targets))
    loss.backward()
    ours = compiled_pass(skip, hidden, weights, inputs, targets)
    assert ours[0] == pytest.approx(loss.item(), rel=atol)
    for mine, other in zip(ours[1:], theirs, strict=True):
        np.testing.assert_allclose(mine, other.grad.numpy(), rtol=rtol, atol=atol)


@pytest.mark.exhaustive
@pytest.mark.parametrize("skip", [False, True])
def test_the_gradient_is_the_slope_of_the_loss(skip):
    random = np.random.default_rng(0)
    weights, direction = random.normal(0, 0.4, (2, 3, WIDTH, WIDTH))
    inputs, targets = random.normal(size=(2, WIDTH, POINTS))
    gradient = compiled_pass(skip, "tanh", weights, inputs, targets)[1]
    ahead, behind = (
        compiled_pass(skip, "tanh", weights + step * direction, inputs, targets)[0] for step in (1e-6, -1e-6)
    )
    assert (ahead - behind) / 2e-6 == pytest.approx((gradient * direction).sum(), rel=1e-6)


@pytest.mark.parametrize("skip", [False, True])
def test_a_run_is_that_of_torchs_adam(skip):
    task = matching(learning_rate=0.01)
    state = advance(start(Stack(3, WIDTH, skip, "tanh"), (5,)), task, 20)
    weights = torch.tensor(start(Stack(3, WIDTH, skip, "tanh"), (5,)).weights[0], requires_grad=True)
    optimizer = torch.optim.Adam([weights], lr=0.01)
    losses = []
    for _ in range(20):
        optimizer.zero_grad()
        loss = torch_loss(skip, "tanh", weights, torch.tensor(task.inputs), torch.tensor(task.targets))
        loss.backward()
        losses.append(loss.item())
        optimizer.step()
    np.testing.assert_allclose(state.losses[:, 0], losses, rtol=1e-4)
    np.testing.assert_allclose(state.weights[0], weights.detach(), atol=2e-5)


def test_decay_alone_is_a_power():
    before = start(Stack(2, WIDTH), (0, 1))
    after = advance(before, matching(learning_rate=0.01, weight_decay=1.0, learns=False), 50)
    np.testing.assert_allclose(after.weights, before.weights * 0.99**50, rtol=1e-5)


def test_outputs_of_a_linear_stack_are_a_product():
    state = start(Stack(3, WIDTH, skip=True), (0,))
    inputs = matching().inputs
    product = np.eye(WIDTH)
    for matrix in state.weights[0].astype(float):
        product = (np.eye(WIDTH) + matrix) @ product
    np.testing.assert_allclose(outputs(state.stack, state.weights[0], inputs), product @ inputs, rtol=1e-4, atol=1e-5)


def test_plain_and_residual_start_from_the_same_weights():
    plain, residual = (start(Stack(3, WIDTH, skip), (7,)) for skip in (False, True))
    np.testing.assert_array_equal(plain.weights, residual.weights)


@pytest.mark.parametrize(("name", "size"), [("zero", 0), ("small", 0.1), ("default", 3**-0.5), ("xavier", 1)])
def test_initial_weights_have_the_size_that_they_say(name, size):
    weights = start(Stack(20, 16, start=name), range(5)).weights
    assert np.sqrt((weights**2).mean() * 16) == pytest.approx(size, rel=0.03)


def test_orthogonal_weights_keep_every_length():
    state = start(Stack(20, WIDTH, skip=False, start="orthogonal"), (0,))
    inputs = matching().inputs
    actual = outputs(state.stack, state.weights[0], inputs)
    np.testing.assert_allclose(np.linalg.norm(actual, axis=0), np.linalg.norm(inputs, axis=0), rtol=1e-5)


def test_distances_count_from_copying():
    plain, residual = (start(Stack(2, WIDTH, skip, start="zero"), (0,)) for skip in (False, True))
    np.testing.assert_allclose(distances(plain), 1)
    np.testing.assert_array_equal(distances(residual), 0)


def test_a_seed_that_overflows_stops_and_says_when():
    state = advance(start(Stack(20, WIDTH, True, start="xavier"), (0, 1)), matching(learning_rate=100.0), 30)
    assert (state.lost > 1).all()
    assert np.isfinite(state.weights).all()
    assert np.isnan(state.losses[-1]).all()
