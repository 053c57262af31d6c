"""What a signal and its gradient meet on their way through stacks with a weight on every skip."""

from dataclasses import dataclass

import numpy as np

from sims.engines.perceptrons.weighted_stack import StackState, make_plan
from sims.instruments.hand_derived.cross_entropy import cross_entropy
from sims.instruments.hand_derived.layer_norm import norm_back, normalized
from sims.instruments.networks.likeness import mean_cosine


@dataclass(frozen=True)
class WeightedPasses:
    """Measurements of each seed's stack after the stem and after every block; each array is (seeds, places)."""

    stream: np.ndarray
    """Root mean square of the stream over points and units"""
    likeness: np.ndarray
    """Mean cosine between the streams of different points, -1 to 1"""
    gradient: np.ndarray
    """Root mean square, over points and units, of the gradient of each point's own cross-entropy (nats)"""


def weighted_passes(state: StackState, points: np.ndarray, labels: np.ndarray) -> WeightedPasses:
    """Send points (count, features) with labels (count,) forward and the gradients of their losses back.

    The passes are in double precision, whatever the precision of the parameters.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        seeds = [_one_seed(state, parameters, points, labels) for parameters in state.parameters.astype(np.float64)]
    return WeightedPasses(*(np.stack(values) for values in zip(*seeds, strict=True)))


def _one_seed(
    state: StackState, parameters: np.ndarray, points: np.ndarray, labels: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    stack, plan = state.stack, make_plan(state.stack, state.source.load())
    stem, *matrices, head = (
        parameters[start : start + rows * columns].reshape(rows, columns) for rows, columns, start, _bias in plan.table
    )
    skips, bias = parameters[plan.skips :], parameters[plan.table[-1, 3] : plan.skips]
    pairs = list(zip(skips, matrices[::2], matrices[1::2], strict=True))
    stream = points @ stem.T
    streams, hidden = [stream], []
    for skip, first, last in pairs:
        hidden.append(np.maximum(_entering(stack.norm, stream) @ first.T, 0))
        stream = skip * stream + stack.factor * hidden[-1] @ last.T
        streams.append(stream)
    outputs = _entering(stack.norm, stream) @ head.T + bias
    gradient = _left(stack.norm, cross_entropy(outputs, labels)[1] @ head, stream)
    gradients = [gradient]
    for (skip, first, last), before, active in zip(pairs[::-1], streams[-2::-1], hidden[::-1], strict=True):
        branch = ((stack.factor * gradient @ last) * (active > 0)) @ first
        gradient = skip * gradient + _left(stack.norm, branch, before)
        gradients.append(gradient)
    return _sizes(streams), mean_cosine(np.stack(streams).transpose(0, 2, 1)), _sizes(gradients[::-1])


def _entering(norm: bool, stream: np.ndarray) -> np.ndarray:
    """What a branch or the head reads."""
    return normalized(stream)[0] if norm else stream


def _left(norm: bool, gradient: np.ndarray, stream: np.ndarray) -> np.ndarray:
    """The gradient of the stream, from that of what a branch or the head has read of it."""
    return norm_back(gradient, *normalized(stream)) if norm else gradient


def _sizes(values: list[np.ndarray]) -> np.ndarray:
    sizes: np.ndarray = np.sqrt((np.stack(values) ** 2).mean(axis=(1, 2)))
    return sizes
