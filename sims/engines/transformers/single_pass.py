"""Runs one forward and one backward pass of an untrained transformer, to measure its gradient."""

from dataclasses import dataclass

import numpy as np

from sims.engines.kernels.losses import CROSS_ENTROPY
from sims.engines.transformers.architecture import Transformer
from sims.engines.transformers.initialization import initial_parameters
from sims.engines.transformers.kernels import steps as kernels
from sims.engines.transformers.layout import make_layout
from sims.engines.transformers.plan import make_plan, make_workspace


@dataclass(frozen=True)
class Pass:
    """The measurements of one pass."""

    loss: float
    second_weights: np.ndarray
    """(depth,) norm of the gradient of the last weight matrix of every sublayer: attention's output layer, or the
    second matrix of a feed-forward branch"""
    streams: np.ndarray
    """(depth + 1,) norm of ∂L/∂h after the embedding and after every sublayer"""
    activations: np.ndarray
    """(depth + 1,) root mean square of h, for the same positions"""


def initial_pass(architecture: Transformer, seed: int, points: np.ndarray, labels: np.ndarray, classes: int) -> Pass:
    """Measure an untrained network with cross-entropy, in the precision of `points` (batch, features).

    `labels` are (batch,).
    """
    features = points.shape[1]
    layout, plan = make_layout(architecture, features, classes), make_plan(architecture, features, classes)
    parameters = initial_parameters(architecture, layout, seed).astype(points.dtype)
    workspace = make_workspace(architecture, plan, len(labels), True, points.dtype)
    tokens = np.ascontiguousarray(points.T).reshape(architecture.tokens, -1, len(labels))
    kernels.gather(tokens, np.arange(len(labels)), workspace.inputs)
    gradient = np.empty_like(parameters)
    streams, activations = np.empty(architecture.depth + 1), np.empty(architecture.depth + 1)
    of_weights = np.empty(architecture.depth + 2)
    loss = kernels.one_pass(plan, CROSS_ENTROPY, parameters, labels, workspace, True, gradient, of_weights, streams)
    kernels.measure_activations(workspace.stream, activations)
    second = [np.linalg.norm(layer.weights(gradient).astype(np.float64)) for layer in layout.layers[2:-1:2]]
    return Pass(loss, np.array(second), streams, activations)
