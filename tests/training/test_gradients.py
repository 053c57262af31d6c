"""The compiled passes against PyTorch's automatic differentiation and against finite differences."""

import itertools

import numpy as np
import pytest
import torch
from torch.nn.utils import parameters_to_vector, vector_to_parameters

from sims import networks
from sims.training.architecture import Architecture
from sims.training.initialization import initial_parameters
from sims.training.kernels import steps as kernels
from sims.training.kernels.losses import CROSS_ENTROPY, SQUARED_ERROR
from sims.training.layout import layout
from sims.training.plan import plan, workspace

FEATURES, BATCH = 5, 37
UNITS = {"one-layer": 5, "two-layer": 8, "original": 8}


def every_architecture():
    skips = "none", "additive", "rezero", "highway", "dense"
    norms = "none", "batch", "layer", "pre-layer", "post-layer"
    found = []
    for unit, skip, norm, activation in itertools.product(UNITS, skips, norms, ("relu", "tanh")):
        try:
            each = Architecture(
                depth=UNITS[unit], width=12, growth=7, unit=unit, skip=skip, norm=norm, activation=activation,
                final_norm=activation == "relu", initialization="default",
                branch_factor="1/sqrt(blocks)" if skip == "additive" else "1",
            )  # fmt: skip
        except ValueError:
            continue
        found.append(each)
    return found


def name(architecture):
    return f"{architecture.unit}, {architecture.skip}, {architecture.norm}, {architecture.activation}"


def setting(architecture, outputs, precision):
    """Parameters (all of them off zero), points and labels."""
    random = np.random.default_rng(3)
    parameters = initial_parameters(architecture, layout(architecture, FEATURES, outputs), 1)
    parameters += 0.1 * random.normal(size=parameters.size)
    points = random.normal(size=(BATCH, FEATURES))
    labels = random.integers(0, max(outputs, 2), BATCH)
    return parameters.astype(precision), points.astype(precision), labels


def compiled_pass(architecture, outputs, loss, parameters, points, labels):
    """Loss, gradient, weight gradient norms, stream gradient norms and activations by the compiled kernels."""
    how = plan(architecture, FEATURES, outputs)
    work = workspace(how, BATCH, True, parameters.dtype)
    work.inputs[:] = points.T
    gradient = np.full_like(parameters, np.nan)
    of_weights, of_stream = np.empty(architecture.depth), np.empty(architecture.blocks + 1)
    activations = np.empty(architecture.blocks + 1)
    value = kernels.one_pass(how, loss, parameters, labels, work, gradient, of_weights, of_stream)
    kernels.measure_activations(how, work, activations)
    return value, gradient, of_weights, of_stream, activations


def torch_pass(architecture, outputs, loss, parameters, points, labels):
    """The same five by PyTorch."""
    model = networks.network(architecture, FEATURES, outputs).to(torch.as_tensor(points).dtype)
    ordered = networks.ordered_parameters(model)
    vector_to_parameters(torch.as_tensor(parameters), ordered)
    h = torch.as_tensor(points)
    streams = []
    for module in model[: architecture.blocks + 1]:
        h = module(h)
        h.retain_grad()
        streams.append(h)
    out = model[architecture.blocks + 1 :](h)
    target = torch.as_tensor(labels)
    if loss == CROSS_ENTROPY:
        value = torch.nn.functional.cross_entropy(out, target)
    elif outputs == 1:
        value = 0.5 * ((out[:, 0] - (2 * target - 1)) ** 2).mean()
    else:
        value = 0.5 * ((out - torch.nn.functional.one_hot(target, outputs)) ** 2).sum(dim=1).mean()
    value.backward()
    gradient = parameters_to_vector([each.grad for each in ordered]).numpy()
    weights = [each for each in ordered if each.ndim == 2][: architecture.depth]
    return (
        value.item(),
        gradient,
        np.array([each.grad.norm().item() for each in weights]),
        np.array([each.grad.norm().item() for each in streams]),
        np.array([each.square().mean().sqrt().item() for each in streams]),
    )


@pytest.mark.parametrize("architecture", every_architecture(), ids=name)
def test_every_architecture_agrees_with_torch_in_double_precision(architecture):
    arguments = architecture, 3, CROSS_ENTROPY, *setting(architecture, 3, np.float64)
    for ours, theirs in zip(compiled_pass(*arguments), torch_pass(*arguments), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("architecture", every_architecture(), ids=name)
def test_every_architecture_agrees_with_torch_in_single_precision(architecture):
    arguments = architecture, 3, CROSS_ENTROPY, *setting(architecture, 3, np.float32)
    for ours, theirs in zip(compiled_pass(*arguments), torch_pass(*arguments), strict=True):
        assert np.linalg.norm(ours - theirs) <= 2e-5 * np.linalg.norm(theirs)


@pytest.mark.parametrize("outputs", [1, 3])
@pytest.mark.parametrize("squashed", [False, True])
def test_squared_error_and_squashed_outputs_agree_with_torch(outputs, squashed):
    architecture = Architecture(depth=4, width=12, skip="none", squashed=squashed)
    arguments = architecture, outputs, SQUARED_ERROR, *setting(architecture, outputs, np.float64)
    for ours, theirs in zip(compiled_pass(*arguments), torch_pass(*arguments), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("unit", ["one-layer", "original"])
@pytest.mark.parametrize("skip", ["none", "additive"])
@pytest.mark.parametrize("norm", ["none", "batch", "layer"])
def test_gradients_are_the_slopes_of_the_loss(unit, skip, norm):
    architecture = Architecture(UNITS[unit], 12, skip=skip, norm=norm, unit=unit, activation="tanh")
    parameters, points, labels = setting(architecture, 3, np.float64)
    gradient = compiled_pass(architecture, 3, CROSS_ENTROPY, parameters, points, labels)[1]
    random = np.random.default_rng(0)
    for _ in range(3):
        direction = random.normal(size=parameters.size)
        ahead, behind = (
            compiled_pass(architecture, 3, CROSS_ENTROPY, parameters + step * direction, points, labels)[0]
            for step in (1e-6, -1e-6)
        )
        assert (ahead - behind) / 2e-6 == pytest.approx(gradient @ direction, rel=1e-5, abs=1e-7)
