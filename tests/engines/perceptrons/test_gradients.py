"""The compiled passes against PyTorch's automatic differentiation and against finite differences.

Every run compares single precision, which is what readers train in. Kernels in double precision take half a minute to
compile, so what needs them is exhaustive.
"""

import itertools

import numpy as np
import pytest
import torch
from torch.nn.utils import parameters_to_vector, vector_to_parameters

from sims.engines.kernels.losses import CROSS_ENTROPY, SQUARED_ERROR
from sims.engines.perceptrons.architecture import Architecture
from sims.engines.perceptrons.initialization import initial_parameters
from sims.engines.perceptrons.kernels import steps as kernels
from sims.engines.perceptrons.layout import make_layout
from sims.engines.perceptrons.plan import make_plan, make_workspace
from sims.pytorch.layers import blocks
from sims.pytorch.models import networks
from tests.tiers import first

FEATURES, BATCH = 5, 37
UNITS = {"pre-activation": 5, "one-layer": 5, "two-layer": 8, "original": 8}


def every_architecture():
    skips = "none", "additive", "rezero", "highway", "dense", "linear", "dropout"
    norms = "none", "batch", "layer", "pre-layer", "post-layer", "peri-layer", "deep-norm"
    architectures = []
    for unit, skip, norm, activation in itertools.product(UNITS, skips, norms, ("relu", "tanh")):
        try:
            architecture = Architecture(
                depth=UNITS[unit],
                width=12,
                growth=7,
                unit=unit,
                skip=skip,
                norm=norm,
                activation=activation,
                final_norm=activation == "relu",
                initialization="default",
                branch_factor="1/sqrt(blocks)" if skip == "additive" else "1",
                scaled_skip=0.9 if skip == "additive" and norm != "deep-norm" else 1.0,
                dropped=0.3 if skip == "dropout" else 0.0,
            )
        except ValueError:
            continue
        architectures.append(architecture)
    return architectures


def name(architecture):
    return f"{architecture.unit}, {architecture.skip}, {architecture.norm}, {architecture.activation}"


def setting(architecture, outputs, precision):
    """Parameters (all of them off zero), points and labels."""
    random = np.random.default_rng(3)
    parameters = initial_parameters(architecture, make_layout(architecture, FEATURES, outputs), 1)
    parameters += 0.1 * random.normal(size=parameters.size)
    points = random.normal(size=(BATCH, FEATURES))
    labels = random.integers(0, max(outputs, 2), BATCH)
    return parameters.astype(precision), points.astype(precision), labels


def compiled_pass(architecture, outputs, loss, parameters, points, labels):
    """Loss, gradient, weight gradient norms, stream gradient norms and activations by the compiled kernels."""
    plan = make_plan(architecture, FEATURES, outputs)
    workspace = make_workspace(plan, BATCH, True, parameters.dtype)
    workspace.inputs[:] = points.T
    if architecture.skip == "dropout":
        kernels.draw_dropout(plan.dropped, 3, 5, workspace.gate)
    gradient = np.full_like(parameters, np.nan)
    of_weights, of_stream = np.empty(architecture.depth), np.empty(architecture.blocks + 1)
    activations = np.empty(architecture.blocks + 1)
    value = kernels.one_pass(plan, loss, parameters, labels, workspace, True, gradient, of_weights, of_stream)
    kernels.measure_activations(workspace.stream, plan.width, plan.growth, activations)
    return value, gradient, of_weights, of_stream, activations


class Times(torch.nn.Module):
    def __init__(self, mask):
        super().__init__()
        self.kept = mask

    def forward(self, h):
        return h * self.kept


def torch_pass(architecture, outputs, loss, parameters, points, labels):
    """The same five by PyTorch."""
    model = networks.network(architecture, FEATURES, outputs).to(torch.as_tensor(points).dtype)
    ordered = networks.ordered_parameters(model)
    vector_to_parameters(torch.as_tensor(parameters), ordered)
    if architecture.skip == "dropout":
        plan = make_plan(architecture, FEATURES, outputs)
        workspace = make_workspace(plan, BATCH, True, parameters.dtype)
        kernels.draw_dropout(plan.dropped, 3, 5, workspace.gate)
        skips = [module for module in model.modules() if isinstance(module, blocks.DropoutSkip)]
        for skip, mask in zip(skips, workspace.gate, strict=True):
            skip.dropout = Times(torch.as_tensor(mask.T.copy()))
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
    gradient = parameters_to_vector([parameter.grad for parameter in ordered]).numpy()
    weights = [parameter for parameter in ordered if parameter.ndim == 2][: architecture.depth]
    return (
        value.item(),
        gradient,
        np.array([weight.grad.norm().item() for weight in weights]),
        np.array([stream.grad.norm().item() for stream in streams]),
        np.array([stream.square().mean().sqrt().item() for stream in streams]),
    )


@pytest.mark.exhaustive
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


@pytest.mark.parametrize("precision", first(1, [np.float32, np.float64]))
@pytest.mark.parametrize("outputs", [1, 3])
@pytest.mark.parametrize("squashed", [False, True])
def test_squared_error_and_squashed_outputs_agree_with_torch(outputs, squashed, precision):
    architecture = Architecture(depth=4, width=12, skip="none", squashed=squashed)
    arguments = architecture, outputs, SQUARED_ERROR, *setting(architecture, outputs, precision)
    for ours, theirs in zip(compiled_pass(*arguments), torch_pass(*arguments), strict=True):
        if precision == np.float64:
            np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)
        else:
            assert np.linalg.norm(ours - theirs) <= 2e-5 * np.linalg.norm(theirs)


SLOPES = [
    *itertools.product(("pre-activation", "one-layer", "original"), ("none", "additive"), ("none", "batch", "layer")),
    *itertools.product(("pre-activation", "one-layer", "two-layer"), ("additive",), ("peri-layer", "deep-norm")),
    *itertools.product(("one-layer", "two-layer"), ("linear", "dropout"), ("none",)),
]


@pytest.mark.exhaustive
@pytest.mark.parametrize(("unit", "skip", "norm"), SLOPES)
def test_gradients_are_the_slopes_of_the_loss(unit, skip, norm):
    architecture = Architecture(
        UNITS[unit], 12, skip=skip, norm=norm, unit=unit, activation="tanh", dropped=0.3 if skip == "dropout" else 0.0
    )
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


@pytest.mark.parametrize("share", [0.2, 0.5])
def test_dropout_takes_its_share_and_makes_up_for_it(share):
    architecture = Architecture(22, 12, skip="dropout", dropped=share)
    plan = make_plan(architecture, FEATURES, 3)
    masks = []
    for seed, step in ((0, 0), (0, 0), (0, 1), (1, 0)):
        workspace = make_workspace(plan, BATCH, True, np.dtype(np.float32))
        kernels.draw_dropout(plan.dropped, seed, step, workspace.gate)
        masks.append(workspace.gate.copy())
    np.testing.assert_array_equal(masks[0], masks[1])
    assert set(np.unique(masks[0])) == {np.float32(0), np.float32(1 / (1 - share))}
    dropped = [mask == 0 for mask in masks]
    for mask in dropped:
        assert mask.mean() == pytest.approx(share, abs=0.02)
    for other in dropped[2:]:
        assert (dropped[0] & other).mean() == pytest.approx(share**2, abs=0.02)


def test_dropout_acts_in_training_only():
    dropping, full = Architecture(6, 12, skip="dropout", dropped=0.5), Architecture(6, 12)
    parameters, points, _ = setting(full, 3, np.float32)
    answers = []
    for architecture in (dropping, full):
        plan = make_plan(architecture, FEATURES, 3)
        workspace = make_workspace(plan, BATCH, False, parameters.dtype)
        answers.append(np.empty((1, 3, BATCH), np.float32))
        kernels.answer(plan, points.T.copy(), points.T.copy(), parameters[None], workspace, workspace, answers[-1])
    np.testing.assert_array_equal(*answers)
