"""How a small change of one weight matrix changes the output: in five small networks by hand, then in deep ones."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract.bands import band
from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Simulation
from sims.contract.wording import number, vector

ROWS = {
    "plain, one layer": "plain_1",
    "residual, one layer": "residual_1",
    "plain, two layers": "plain_2",
    "residual, two-layer branch": "residual_2",
    "two residual blocks": "stacked",
}
"""The five networks, in the order of the page's table"""

DEEP = {"plain": "plain", "residual": "residual", "scaled": "residual, branches / √L", "pre-layer": "Pre-LN"}

WIDTH, POINTS, SEEDS = 32, 16, 5


def relu(values: np.ndarray) -> np.ndarray:
    positive: np.ndarray = np.maximum(values, 0.0)
    return positive


def output(row: str, x: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The output of one of the five networks for x (2,), with W₁ and W₂ (2, 2), and ReLU as φ.

    φ(W₁x) without and with + x; W₂φ(W₁x) without and with + x; and two blocks, y = φ(W₁x) + x, then φ(W₂y) + y.
    """
    hidden = relu(first @ x)
    match ROWS[row]:
        case "plain_1":
            return hidden
        case "residual_1":
            return hidden + x
        case "plain_2":
            return second @ hidden
        case "residual_2":
            return second @ hidden + x
    return relu(second @ (hidden + x)) + hidden + x


def deep_changes(kind: str, depth: int, place: int, epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    """How far the stream moves after every block, and how long it is: (depth + 1, SEEDS) each, as rms.

    Blocks of one layer with He weights on normal inputs; to the weights of the block number `place`, counted from 1, a
    random matrix is added whose norm is ε times theirs. "plain" is h ← φ(Wh), "residual" h ← h + φ(Wh), "scaled" has
    the factor 1/√depth on the branch, "pre-layer" is h ← h + φ(W LN(h)).
    """
    weights, inputs, push = _draw(depth)
    touched = weights[place - 1]
    lengths = [np.linalg.norm(array, axis=(1, 2), keepdims=True) for array in (touched, push)]
    pushed = touched + epsilon * lengths[0] / lengths[1] * push
    stream = inputs[None]
    change, length = np.zeros((2, depth + 1, SEEDS))
    length[0] = _root_mean_square(inputs)
    for block in range(depth):
        matrices = weights[block][None]
        if block == place - 1:
            matrices = np.stack([weights[block], pushed])
        normal = stream
        if kind == "pre-layer":
            normal = stream - stream.mean(axis=2, keepdims=True)
            normal = normal / np.sqrt((normal**2).mean(axis=2, keepdims=True) + 1e-5)
        branch = relu(matrices @ normal)
        stream = branch if kind == "plain" else stream + (depth**-0.5 if kind == "scaled" else 1.0) * branch
        length[block + 1] = _root_mean_square(stream[0])
        if len(stream) > 1:
            change[block + 1] = _root_mean_square(stream[1] - stream[0])
    return change, length


@cache
def _draw(depth: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weights (depth, SEEDS, width, width), inputs (SEEDS, width, points) and the matrix to add."""
    random = np.random.default_rng(0)
    weights = random.normal(0, np.sqrt(2 / WIDTH), (depth, SEEDS, WIDTH, WIDTH))
    return weights, random.normal(size=(SEEDS, WIDTH, POINTS)), random.normal(size=(SEEDS, WIDTH, WIDTH))


def _root_mean_square(values: np.ndarray) -> np.ndarray:
    """The root mean square for every seed: (SEEDS,) from (SEEDS, width, points)."""
    return np.sqrt((values**2).mean(axis=(1, 2)))


class Perturbation(Simulation):
    """What absorbs a change in the weights

    Five bars show how far the output of five small networks moves when a number is added to every entry of their first
    weight matrix. Next to them, such a change travels through four deep networks, block by block, as a band: the larger
    the change, the thicker the band. Curves show the same with the range of the seeds.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "epsilon": (0.02, 0.1, 0.5),
        "depth": (4, 12, 24, 48),
        "relative": (False, True),
    }

    epsilon = param.Number(
        0.1, bounds=(0, 0.5), step=0.01, label="Added to every weight of W₁", doc="size of the change"
    )
    depth = param.Integer(
        24, bounds=(1, 64), label="Blocks of the deep networks", doc="how many blocks, L", precedence=1
    )
    place = param.Integer(1, bounds=(1, 64), label="Changed block", doc="the block whose weights change", precedence=1)
    relative = param.Boolean(
        False, label="Relative to the stream", doc="whether a change is divided by the length of what it changes"
    )
    x_1 = param.Number(1.0, bounds=(-2, 2), step=0.1, label="x, first", doc="input", precedence=1)
    x_2 = param.Number(0.5, bounds=(-2, 2), step=0.1, label="x, second", doc="input", precedence=1)
    first_11 = param.Number(0.8, bounds=(-2, 2), step=0.1, label="W₁ row 1, column 1", doc="weight", precedence=1)
    first_12 = param.Number(0.3, bounds=(-2, 2), step=0.1, label="W₁ row 1, column 2", doc="weight", precedence=1)
    first_21 = param.Number(0.1, bounds=(-2, 2), step=0.1, label="W₁ row 2, column 1", doc="weight", precedence=1)
    first_22 = param.Number(0.9, bounds=(-2, 2), step=0.1, label="W₁ row 2, column 2", doc="weight", precedence=1)
    second_11 = param.Number(1.2, bounds=(-2, 2), step=0.1, label="W₂ row 1, column 1", doc="weight", precedence=1)
    second_12 = param.Number(-0.5, bounds=(-2, 2), step=0.1, label="W₂ row 1, column 2", doc="weight", precedence=1)
    second_21 = param.Number(0.4, bounds=(-2, 2), step=0.1, label="W₂ row 2, column 1", doc="weight", precedence=1)
    second_22 = param.Number(1.1, bounds=(-2, 2), step=0.1, label="W₂ row 2, column 2", doc="weight", precedence=1)

    def _matrices(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        x = np.array([self.x_1, self.x_2])
        first = np.array([[self.first_11, self.first_12], [self.first_21, self.first_22]])
        second = np.array([[self.second_11, self.second_12], [self.second_21, self.second_22]])
        return x, first, second

    def compute(self) -> Frame:
        x, first, second = self._matrices()
        before = np.stack([output(row, x, first, second) for row in ROWS])
        moved = np.stack([output(row, x, first + self.epsilon, second) for row in ROWS]) - before
        lengths = np.linalg.norm(moved, axis=1)
        place = min(self.place, self.depth)
        quantities = {
            "network": Quantity(np.array(list(ROWS)), "network", "name", ("network",)),
            "change": Quantity(lengths, "length of the change of the output", axes=("network",)),
            "moved": Quantity(moved, "change of the output", axes=("network", "entry")),
            "block": Quantity(np.arange(self.depth + 1), "block", "blocks", ("block",)),
        }
        answers: dict[str, float | int] = {
            key: float(length) for key, length in zip(ROWS.values(), lengths, strict=True)
        }
        for kind in DEEP:
            change, length = deep_changes(kind, self.depth, place, self.epsilon)
            if self.relative:
                change = change / np.maximum(length, np.finfo(float).tiny)
            quantities |= band(change, kind, f"{DEEP[kind]}: change of the stream", "relative", "block")
            answers[f"deep_{kind.replace('-', '_')}"] = float(np.median(change[-1]))
        answers["place"] = place
        return Frame(quantities, answers)

    def describe(self, frame: Frame) -> str:
        moves = "; ".join(f"{row}: {number(length, 4)}" for row, length in zip(ROWS, frame["change"], strict=True))
        deep = "; ".join(f"{DEEP[kind]}: {number(frame[kind][-1])}" for kind in DEEP)
        share = " as a share of its length" if self.relative else ""
        return (
            f"Adding {number(self.epsilon, 6)} to every entry of W₁ moves the output ({moves}). A change in the "
            f"weights of block {frame.results['place']} of {self.depth}, by {number(self.epsilon, 6)} of their size, "
            f"moves the last stream{share} ({deep})."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network="Five ReLU networks of two units, whose weights you can set, and four stacks of one-layer ReLU "
            f"blocks of width {WIDTH} with He weights. Nothing is trained.",
            data=f"One point, and {POINTS} normally distributed points for the stacks.",
            seeds=f"{SEEDS} for the stacks: the thickness of a band shows their median, and its pale edge shows the "
            "largest. In the curves, the line is the median, and the band the whole range.",
            cannot_show="What training would change: these networks are untrained.",
        )


@calculation
def change(network: str, epsilon: float = 0.1) -> str:
    """The change of the output of one of the five networks (a value of ROWS), with the page's weights, as text."""
    x, first, second = Perturbation()._matrices()
    row = {key: name for name, key in ROWS.items()}[network]
    return vector(output(row, x, first + epsilon, second) - output(row, x, first, second))


@calculation
def length(network: str, epsilon: float = 0.1) -> float:
    """The length of that change."""
    x, first, second = Perturbation()._matrices()
    row = {key: name for name, key in ROWS.items()}[network]
    return float(np.linalg.norm(output(row, x, first + epsilon, second) - output(row, x, first, second)))


@calculation
def answer(network: str, epsilon: float = 0.0) -> str:
    """The output of one of the five networks with the page's weights, ε added to W₁, as text."""
    x, first, second = Perturbation()._matrices()
    return vector(output({key: name for name, key in ROWS.items()}[network], x, first + epsilon, second))


@calculation
def hidden(epsilon: float = 0.0) -> str:
    """W₁x with the page's numbers, ε added to W₁, as text."""
    x, first, _ = Perturbation()._matrices()
    return vector((first + epsilon) @ x)


@calculation
def singular_value(which: int, skip: bool) -> float:
    """The singular values of W₂, or with a skip of I + W₂, largest first: `which` is 1 or 2."""
    _, _, second = Perturbation()._matrices()
    return float(np.linalg.svd(second + (np.eye(2) if skip else 0), compute_uv=False)[which - 1])


@calculation
def pushed(first: float, second: float, step: float) -> float:
    """f(1) = (w₂ + step) · ReLU(w₁) for w = (first, second); rescaling raises one of the two weights and lowers the
    other."""
    return (second + step) * max(first, 0.0)


@calculation
def stretched(first: float, second: float, share: float) -> float:
    """f(1) = w₂(1 + share) · ReLU(w₁): a step proportional to the weight that it changes."""
    return second * (1 + share) * max(first, 0.0)
