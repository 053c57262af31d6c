"""The compiled passes of transformers against PyTorch's automatic differentiation and against finite differences.

Every run compares single precision, which is what readers train in. Kernels in double precision take long to compile,
so what needs them is exhaustive.
"""

import itertools

import numpy as np
import pytest
import torch
from torch.nn.utils import parameters_to_vector, vector_to_parameters

from sims.engines.kernels.losses import CROSS_ENTROPY
from sims.engines.transformers.architecture import Transformer
from sims.engines.transformers.initialization import initial_parameters
from sims.engines.transformers.kernels import attention as kernels_of_attention
from sims.engines.transformers.kernels import steps as kernels
from sims.engines.transformers.layout import make_layout
from sims.engines.transformers.plan import make_plan, make_workspace
from sims.pytorch.models.transformer_network import TransformerNetwork

BATCH, CLASSES = 37, 3
ARCHITECTURES = [
    *(
        Transformer(depth=depth, width=12, tokens=tokens, heads=heads, hidden=10, norm=norm, causal=causal)
        for depth, (tokens, heads), norm, causal in itertools.product(
            (1, 4), ((1, 1), (2, 2), (5, 3)), ("pre-layer", "post-layer", "peri-layer", "deep-norm"), (False, True)
        )
    ),
    *(
        Transformer(depth=4, width=12, tokens=5, heads=3, hidden=10, norm=norm, final_norm=False)
        for norm in ("pre-layer", "peri-layer")
    ),
]
every = pytest.mark.parametrize("architecture", ARCHITECTURES, ids=str)


def setting(architecture, precision):
    """Parameters (all of them off zero), points and labels."""
    random = np.random.default_rng(3)
    features = 2 * architecture.tokens
    parameters = initial_parameters(architecture, make_layout(architecture, features, CLASSES), 1)
    parameters += 0.1 * random.normal(size=parameters.size)
    points = random.normal(size=(BATCH, features))
    return parameters.astype(precision), points.astype(precision), random.integers(0, CLASSES, BATCH)


def compiled_pass(architecture, parameters, points, labels):
    """Loss, gradient, weight gradient norms, stream gradient norms and activations by the compiled kernels."""
    plan = make_plan(architecture, points.shape[1], CLASSES)
    workspace = make_workspace(architecture, plan, BATCH, True, parameters.dtype)
    tokens = np.ascontiguousarray(points.T).reshape(architecture.tokens, -1, BATCH)
    kernels.gather(tokens, np.arange(BATCH), workspace.inputs)
    gradient = np.full_like(parameters, np.nan)
    of_weights, of_stream = np.empty(architecture.depth + 2), np.empty(architecture.depth + 1)
    activations = np.empty(architecture.depth + 1)
    value = kernels.one_pass(plan, CROSS_ENTROPY, parameters, labels, workspace, True, gradient, of_weights, of_stream)
    kernels.measure_activations(workspace.stream, activations)
    return value, gradient, of_weights, of_stream, activations


def torch_pass(architecture, parameters, points, labels):
    """The same five by PyTorch."""
    model = TransformerNetwork(architecture, points.shape[1], CLASSES).to(torch.as_tensor(points).dtype)
    ordered = model.ordered_parameters()
    vector_to_parameters(torch.as_tensor(parameters), ordered)
    streams = model.streams(torch.as_tensor(points))
    for stream in streams:
        stream.retain_grad()
    value = torch.nn.functional.cross_entropy(model.answer(streams[-1]), torch.as_tensor(labels))
    value.backward()
    groups = [model.embedding, *model.sublayers, model.head]
    matrices = [[parameter.grad for parameter in group.parameters() if parameter.ndim == 2] for group in groups]
    return (
        value.item(),
        parameters_to_vector([parameter.grad for parameter in ordered]).numpy(),
        np.array([parameters_to_vector(matrix).norm().item() for matrix in matrices]),
        np.array([stream.grad.norm().item() for stream in streams]),
        np.array([stream.square().mean().sqrt().item() for stream in streams]),
    )


@pytest.mark.exhaustive
@every
def test_every_transformer_agrees_with_torch_in_double_precision(architecture):
    arguments = architecture, *setting(architecture, np.float64)
    for ours, theirs in zip(compiled_pass(*arguments), torch_pass(*arguments), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-11)


@every
def test_every_transformer_agrees_with_torch_in_single_precision(architecture):
    arguments = architecture, *setting(architecture, np.float32)
    for ours, theirs in zip(compiled_pass(*arguments), torch_pass(*arguments), strict=True):
        assert np.linalg.norm(ours - theirs) <= 2e-5 * np.linalg.norm(theirs)


@pytest.mark.exhaustive
@pytest.mark.parametrize("norm", ["pre-layer", "post-layer", "peri-layer", "deep-norm"])
def test_gradients_agree_with_finite_differences(norm):
    architecture = Transformer(depth=4, width=6, tokens=3, heads=2, hidden=5, norm=norm)
    parameters, points, labels = setting(architecture, np.float64)
    gradient = compiled_pass(architecture, parameters, points, labels)[1]
    random = np.random.default_rng(5)
    for _ in range(8):
        direction = random.normal(size=parameters.size)
        step = 1e-6 * direction
        ahead = compiled_pass(architecture, parameters + step, points, labels)[0]
        behind = compiled_pass(architecture, parameters - step, points, labels)[0]
        assert (ahead - behind) / 2e-6 == pytest.approx(gradient @ direction, rel=1e-6)


def test_a_causal_token_does_not_see_those_after_it():
    random = np.random.default_rng(0)
    queries = random.normal(size=(12, 3 * 8))
    shares, mixed = np.empty((2, 3, 3, 8)), np.empty((4, 24))
    kernels_of_attention.attend(queries, True, shares, mixed)
    before = mixed.copy()
    queries[:, 16:] += 1
    kernels_of_attention.attend(queries, True, shares, mixed)
    np.testing.assert_array_equal(mixed[:, :16], before[:, :16])
    assert np.all(mixed[:, 16:] != before[:, 16:])
    np.testing.assert_allclose(shares.sum(axis=2), 1, rtol=1e-12)
