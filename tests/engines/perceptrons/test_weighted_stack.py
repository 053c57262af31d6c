"""Stacks with weights on their skips: the compiled passes against PyTorch and against finite differences, and runs."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy, layer_norm

from sims.data.datasets import source
from sims.engines.kernels.losses import CROSS_ENTROPY, loss_and_gradient
from sims.engines.perceptrons.kernels import weighted_stack as kernels
from sims.engines.perceptrons.weighted_stack import (
    WeightedStack,
    advance,
    answers,
    make_plan,
    make_workspace,
    start,
)
from tests.tiers import first

DIGITS = source("digits")
SKIPS = (1.0, 0.7, -0.4, 1.2)
CASES = [
    WeightedStack(SKIPS, factor, norm, learned, width=6)
    for factor in (1.0, 0.3)
    for norm in (False, True)
    for learned in (False, True)
]


def batch(points, precision=np.float64):
    data = DIGITS.load()
    return data.train_inputs[:points].astype(precision), data.train_labels[:points].astype(np.int64)


def compiled_pass(stack, parameters, points=37):
    """Loss and gradient (P,) by the compiled kernels, in the precision of the parameters."""
    inputs, labels = batch(points, parameters.dtype)
    plan = make_plan(stack, DIGITS.load())
    workspace = make_workspace(plan, points, True, parameters.dtype)
    workspace.inputs[:] = inputs.T
    kernels.forward(plan, parameters, workspace)
    loss = loss_and_gradient(CROSS_ENTROPY, workspace.outputs, labels)
    gradient = np.full_like(parameters, np.nan)
    kernels.backward(plan, parameters, workspace, gradient)
    return loss, gradient


def torch_loss(stack, parameters, inputs, labels):
    plan = make_plan(stack, DIGITS.load())

    def norm(x):
        return layer_norm(x, x.shape[-1:]) if stack.norm else x

    def matrix(layer):
        rows, columns, offset, _bias = plan.table[layer]
        return parameters[offset : offset + rows * columns].reshape(rows, columns)

    h = inputs @ matrix(0).T
    for block in range(stack.blocks):
        branch = torch.relu(norm(h) @ matrix(1 + 2 * block).T) @ matrix(2 + 2 * block).T
        h = parameters[plan.skips + block] * h + stack.factor * branch
    biases = parameters[plan.table[-1, 3] : plan.skips]
    return cross_entropy(norm(h) @ matrix(-1).T + biases, labels)


def parameters_of(stack, precision=np.float64):
    parameters = start(stack, DIGITS, (3,), 0.01, precision=precision).parameters[0]
    return parameters + np.random.default_rng(0).normal(0, 0.05, parameters.size).astype(precision)


# Kernels in double precision take long to compile, so only `make test-all` does.
@pytest.mark.parametrize(("precision", "rtol", "atol"), first(1, [(np.float32, 1e-5, 1e-6), (np.float64, 1e-9, 1e-12)]))
@pytest.mark.parametrize("stack", CASES, ids=str)
def test_loss_and_gradients_are_those_of_torch(stack, precision, rtol, atol):
    parameters, (inputs, labels) = parameters_of(stack, precision), batch(37, precision)
    theirs = torch.tensor(parameters, requires_grad=True)
    loss = torch_loss(stack, theirs, torch.tensor(inputs), torch.tensor(labels))
    loss.backward()
    expected = theirs.grad.numpy().copy()
    if not stack.learned:
        expected[-stack.blocks :] = 0
    ours = compiled_pass(stack, parameters)
    assert ours[0] == pytest.approx(loss.item(), rel=atol)
    np.testing.assert_allclose(ours[1], expected, rtol=rtol, atol=atol)


@pytest.mark.exhaustive
@pytest.mark.parametrize("norm", [False, True])
def test_the_gradient_of_every_skip_is_the_slope_of_the_loss(norm):
    stack = WeightedStack(SKIPS, 0.5, norm, True, width=6)
    parameters = parameters_of(stack)
    gradient = compiled_pass(stack, parameters)[1]
    for place in range(1, stack.blocks + 1):
        ahead, back = parameters.copy(), parameters.copy()
        ahead[-place] += 1e-6
        back[-place] -= 1e-6
        slope = (compiled_pass(stack, ahead)[0] - compiled_pass(stack, back)[0]) / 2e-6
        assert slope == pytest.approx(gradient[-place], rel=1e-5, abs=1e-9)


@pytest.mark.parametrize("learned", [False, True])
def test_a_run_is_that_of_torchs_adam(learned):
    stack = WeightedStack((1.0,) * 3, 0.5, True, learned, width=6)
    state = advance(start(stack, DIGITS, (5,), 0.01, batch=2000), 20)
    before = start(stack, DIGITS, (5,), 0.01, precision=np.float64).parameters[0]
    weights, skips = (torch.tensor(part, requires_grad=True) for part in (before[:-3], before[-3:]))
    optimizer = torch.optim.Adam([weights, skips] if learned else [weights], lr=0.01)
    inputs, labels = (torch.tensor(array) for array in batch(len(DIGITS.load().train_labels)))
    for _ in range(20):
        optimizer.zero_grad()
        torch_loss(stack, torch.cat([weights, skips]), inputs, labels).backward()
        optimizer.step()
    np.testing.assert_allclose(state.parameters[0, :-3], weights.detach(), atol=2e-4)
    np.testing.assert_allclose(state.skips[0], skips.detach(), atol=2e-4)


def test_a_run_has_the_same_bits_in_chunks():
    begun = start(WeightedStack((1.0,) * 4, learned=True, norm=True), DIGITS, (0, 1), 0.01)
    at_once, cut = advance(begun, 30), advance(advance(advance(begun, 7), 0), 23)
    for name in ("parameters", "first_moment", "second_moment"):
        np.testing.assert_array_equal(getattr(at_once, name), getattr(cut, name))
    assert begun.step == 0


def test_fixed_skips_stay_what_they_are_and_learned_ones_do_not():
    stack = WeightedStack((1.0, 0.75, 0.5), norm=True)
    fixed = advance(start(stack, DIGITS, (0,), 0.01), 20)
    np.testing.assert_array_equal(fixed.skips, [stack.skips])
    learned = advance(start(replace(stack, learned=True), DIGITS, (0,), 0.01), 20)
    assert (learned.skips != [stack.skips]).all()


def test_stacks_that_differ_in_their_weights_start_alike():
    one, other = (
        start(WeightedStack((skip,) * 4, factor), DIGITS, (2,), 0.01) for skip, factor in ((1.0, 1.0), (0.5, 0.1))
    )
    np.testing.assert_array_equal(one.parameters[:, :-4], other.parameters[:, :-4])


def test_a_branch_keeps_the_mean_square_at_the_start():
    state = start(WeightedStack((1.0,) * 40), DIGITS, range(5), 0.01)
    plan, size = make_plan(state.stack, DIGITS.load()), 32 * 32
    for layer, variance in ((1, 2 / 32), (2, 1 / 32), (79, 2 / 32), (80, 1 / 32)):
        offset = plan.table[layer, 2]
        assert state.parameters[:, offset : offset + size].var() == pytest.approx(variance, rel=0.1)
    assert not state.parameters[:, plan.table[-1, 3] : plan.skips].any()


def test_answers_are_those_of_torch():
    stack, data = WeightedStack((1.0, 0.9), 0.5, True), DIGITS.load()
    state = advance(start(stack, DIGITS, (4,), 0.003), 20)
    measured = answers(state)
    loss = torch_loss(
        stack,
        torch.tensor(state.parameters[0]),
        torch.tensor(data.train_inputs).float(),
        torch.tensor(data.train_labels),
    )
    assert measured.train_loss[0] == pytest.approx(loss.item(), rel=1e-4)
    assert 0 < measured.test_error[0] < 0.9


def test_a_seed_that_overflows_stops_and_says_when():
    state = advance(start(WeightedStack((1.0,) * 64, 10.0), DIGITS, (0, 1), 0.01), 3)
    assert (state.lost == 1).all()
    assert np.isfinite(state.parameters).all()
    assert np.isnan(answers(state).train_loss).all()


def test_a_stack_without_blocks_is_refused():
    with pytest.raises(ValueError, match="at least one block"):
        start(WeightedStack(()), DIGITS, (0,), 0.01)
