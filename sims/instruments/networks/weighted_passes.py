"""What a signal and its gradient meet on their way through stacks with a weight on every skip."""

from dataclasses import dataclass

import numpy as np

from sims.contract.frame import Measure
from sims.engines.perceptrons.weighted_stack import StackState, make_plan
from sims.instruments.hand_derived.cross_entropy import cross_entropy
from sims.instruments.hand_derived.layer_norm import norm_back, normalized
from sims.instruments.networks.likeness import mean_cosine

LIBRARY = 18**-0.5
"""Size of a branch's output over that of its input with a library's default weights, which are uniform within
±1/√fan-in: a mean square of 1/3 per layer, and half of it through the ReLU"""

SIGNALS = {
    "stream": Measure("root mean square of the stream", "relative to the stem's output"),
    "likeness": Measure("mean cosine between the streams of different images", "cosine"),
    "gradient": Measure("root mean square of the stream's gradient", "relative to that after the last block"),
}
"""Name of a signal → its label and unit in `WeightedPasses.relative`"""


@dataclass(frozen=True)
class WeightedPasses:
    """Measurements of each seed's stack after the stem and after every block; each array is (seeds, places)."""

    stream: np.ndarray
    """Root mean square of the stream over points and units"""
    likeness: np.ndarray
    """Mean cosine between the streams of different points, -1 to 1"""
    gradient: np.ndarray
    """Root mean square, over points and units, of the gradient of each point's own cross-entropy (nats)"""

    def relative(self) -> dict[str, np.ndarray]:
        """Each of `SIGNALS`, (seeds, places): stream and gradient are relative to the places where they begin."""
        return {
            "stream": self.stream / self.stream[:, :1],
            "likeness": self.likeness,
            "gradient": self.gradient / self.gradient[:, -1:],
        }


def angle(cosine: float) -> float:
    """Return the angle that belongs to a cosine, in degrees, 0 to 180."""
    return float(np.degrees(np.arccos(np.clip(cosine, -1, 1))))


def weighted_passes(
    state: StackState, points: np.ndarray, labels: np.ndarray, normed_sums: bool = False
) -> WeightedPasses:
    """Send points (count, features) with labels (count,) forward and the gradients of their losses back.

    With `normed_sums`, a LayerNorm follows every sum, which makes a stack without other norms Post-LN. The passes are
    in double precision, whatever the precision of the parameters.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        seeds = [
            _one_seed(state, parameters, points, labels, normed_sums)
            for parameters in state.parameters.astype(np.float64)
        ]
    return WeightedPasses(*(np.stack(values) for values in zip(*seeds, strict=True)))


def _one_seed(
    state: StackState, parameters: np.ndarray, points: np.ndarray, labels: np.ndarray, normed_sums: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    stack, plan = state.stack, make_plan(state.stack, state.source.load())
    stem, *matrices, head = (
        parameters[start : start + rows * columns].reshape(rows, columns) for rows, columns, start, _bias in plan.table
    )
    skips, bias = parameters[plan.skips :], parameters[plan.table[-1, 3] : plan.skips]
    pairs = list(zip(skips, matrices[::2], matrices[1::2], strict=True))
    stream = points @ stem.T
    streams, hidden, sums = [stream], [], []
    for skip, first, last in pairs:
        hidden.append(np.maximum(_norm(stack.norm, stream) @ first.T, 0))
        sums.append(skip * stream + stack.factor * hidden[-1] @ last.T)
        stream = _norm(normed_sums, sums[-1])
        streams.append(stream)
    outputs = _norm(stack.norm, stream) @ head.T + bias
    gradient = _norm_back(stack.norm, cross_entropy(outputs, labels)[1] @ head, stream)
    gradients = [gradient]
    for (skip, first, last), before, active, total in zip(
        pairs[::-1], streams[-2::-1], hidden[::-1], sums[::-1], strict=True
    ):
        gradient = _norm_back(normed_sums, gradient, total)
        branch = ((stack.factor * gradient @ last) * (active > 0)) @ first
        gradient = skip * gradient + _norm_back(stack.norm, branch, before)
        gradients.append(gradient)
    return _sizes(streams), mean_cosine(np.stack(streams).transpose(0, 2, 1)), _sizes(gradients[::-1])


def _norm(present: bool, values: np.ndarray) -> np.ndarray:
    """The values (points, width) after a norm, or themselves where there is none."""
    return normalized(values)[0] if present else values


def _norm_back(present: bool, gradient: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The gradient of the values that `_norm` got, from that of what it returned."""
    return norm_back(gradient, *normalized(values)) if present else gradient


def _sizes(values: list[np.ndarray]) -> np.ndarray:
    sizes: np.ndarray = np.sqrt((np.stack(values) ** 2).mean(axis=(1, 2)))
    return sizes
