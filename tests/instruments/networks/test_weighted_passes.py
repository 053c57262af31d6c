"""Sizes, cosines and gradients of a stack's stream, against PyTorch's autograd and the compiled kernels."""

import numpy as np
import pytest
import torch
from torch.nn.functional import cosine_similarity, cross_entropy, layer_norm

from sims.data.datasets import source
from sims.engines.perceptrons.kernels import weighted_stack as kernels
from sims.engines.perceptrons.weighted_stack import StackState, WeightedStack, advance, make_plan, make_workspace, start
from sims.instruments.networks.weighted_passes import angle, weighted_passes
from tests.tiers import first

DIGITS = source("digits")
COUNT = 9
STACKS = [
    WeightedStack((1.0, 0.0, 0.6, -0.4), factor, norm, width=8) for factor in (1.0, 0.3) for norm in (True, False)
]


def trained(stack: WeightedStack, precision: type[np.floating] = np.float32) -> StackState:
    return advance(start(stack, DIGITS, (0, 5), 0.01, precision=precision), 3)


def streams_of(
    state: StackState, parameters: np.ndarray, points: np.ndarray, labels: np.ndarray, normed_sums: bool
) -> list[torch.Tensor]:
    """The stream at every place, with its gradient: the network written down anew."""
    stack, plan = state.stack, make_plan(state.stack, DIGITS.load())
    numbers = torch.tensor(parameters, dtype=torch.float64)
    matrices = [numbers[at : at + rows * columns].reshape(rows, columns) for rows, columns, at, _bias in plan.table]

    def entering(h: torch.Tensor) -> torch.Tensor:
        return layer_norm(h, h.shape[-1:]) if stack.norm else h

    h = (torch.tensor(points, dtype=torch.float64) @ matrices[0].T).requires_grad_()
    streams = [h]
    for block, skip in enumerate(stack.skips):
        first, last = matrices[1 + 2 * block : 3 + 2 * block]
        h = skip * h + stack.factor * torch.relu(entering(h) @ first.T) @ last.T
        h = layer_norm(h, h.shape[-1:]) if normed_sums else h
        h.retain_grad()
        streams.append(h)
    outputs = entering(h) @ matrices[-1].T + numbers[plan.table[-1, 3] : plan.skips]
    cross_entropy(outputs, torch.tensor(labels), reduction="sum").backward()
    return streams


@pytest.mark.parametrize("normed_sums", [False, True])
@pytest.mark.parametrize("stack", STACKS)
def test_every_number_is_autograds(stack: WeightedStack, normed_sums: bool) -> None:
    state, data = trained(stack), DIGITS.load()
    points, labels = data.test_inputs[:COUNT], data.test_labels[:COUNT].astype(np.int64)
    actual = weighted_passes(state, points, labels, normed_sums)
    pairs = np.triu_indices(COUNT, 1)
    for seed, parameters in enumerate(state.parameters):
        for place, stream in enumerate(streams_of(state, parameters, points, labels, normed_sums)):
            cosines = cosine_similarity(stream[:, None], stream[None], dim=2).detach().numpy()[pairs]
            assert actual.stream[seed, place] == pytest.approx(stream.square().mean().sqrt().item())
            assert actual.likeness[seed, place] == pytest.approx(cosines.mean())
            assert actual.gradient[seed, place] == pytest.approx(stream.grad.square().mean().sqrt().item())


@pytest.mark.parametrize(("precision", "tolerance"), first(1, [(np.float32, 1e-5), (np.float64, 1e-6)]))
@pytest.mark.parametrize("stack", STACKS)
def test_the_stream_is_that_of_the_networks_that_train(
    stack: WeightedStack, precision: type[np.floating], tolerance: float
) -> None:
    state, data = trained(stack, precision), DIGITS.load()
    plan = make_plan(stack, data)
    workspace = make_workspace(plan, COUNT, True, np.dtype(precision))
    workspace.inputs[:] = data.test_inputs[:COUNT].T
    kernels.forward(plan, state.parameters[1], workspace)
    actual = weighted_passes(state, data.test_inputs[:COUNT], data.test_labels[:COUNT])
    assert actual.stream[1] == pytest.approx(np.sqrt((workspace.stream**2).mean(axis=(1, 2))), rel=tolerance)


def test_signals_are_relative_to_where_they_begin() -> None:
    data = DIGITS.load()
    passes = weighted_passes(trained(STACKS[0]), data.test_inputs[:COUNT], data.test_labels[:COUNT])
    relative = passes.relative()
    assert (relative["stream"][:, 0] == 1).all()
    assert (relative["gradient"][:, -1] == 1).all()
    assert relative["gradient"][1, 0] == pytest.approx(passes.gradient[1, 0] / passes.gradient[1, -1])
    assert relative["likeness"] is passes.likeness


def test_an_angle_belongs_to_its_cosine() -> None:
    assert [angle(cosine) for cosine in (1.0000001, 0.0, -1.0)] == pytest.approx([0, 90, 180])
