"""Loss, gradient and curvature in plain NumPy, for a few evaluations that must be exact rather than fast.

Weights may be complex: the imaginary part of the gradient at θ + i·h·v, divided by h, is the product of the Hessian
with v, without subtracting nearly equal numbers (complex-step differentiation, Squire & Trapp 1998, SIAM Review 40).
"""

from dataclasses import dataclass

import numpy as np

from sims.engines.kernels.norms import EPSILON
from sims.engines.perceptrons.architecture import Architecture
from sims.engines.perceptrons.layout import Layout, make_layout
from sims.instruments.hand_derived.cross_entropy import cross_entropy

STEP = 1e-30
"""h: so small that its square, and with it the error, vanishes next to 1."""


class Network:
    """A network on fixed data, so that its loss is a function of the weights. Inputs (features, N), labels (N,)."""

    def __init__(self, architecture: Architecture, inputs: np.ndarray, labels: np.ndarray, classes: int) -> None:
        if architecture.unit != "original" or architecture.norm not in ("none", "batch", "layer"):
            raise ValueError("only blocks of the original unit, without norm or with one after every layer")
        self.architecture = architecture
        self.inputs = inputs.astype(np.float64)
        self.labels = labels
        self.layout: Layout = make_layout(architecture, len(inputs), classes)
        self._statistics: list[tuple[np.ndarray, np.ndarray]] | None = None

    def freeze(self, parameters: np.ndarray) -> None:
        """Fix batch norm's means and variances at the values that they have at these weights. Raises ValueError without
        batch norm."""
        if self.architecture.norm != "batch":
            raise ValueError("only batch norm has statistics to keep")
        self._statistics = None
        self._statistics = [(layer.center, layer.scale) for layer in self._forward(parameters).layers]

    def loss(self, parameters: np.ndarray) -> float:
        """Mean cross-entropy at weights (P,)."""
        return float(self._answer(self.outputs(parameters))[0].real)

    def outputs(self, parameters: np.ndarray) -> np.ndarray:
        """The head's outputs at weights (P,): (classes, N)."""
        return self._affine(parameters, -1, self._forward(parameters).stream[-1])

    def loss_and_gradient(self, parameters: np.ndarray) -> tuple[float, np.ndarray]:
        """Mean cross-entropy at weights (P,), and its gradient (P,)."""
        tape = self._forward(parameters)
        gradient = np.zeros_like(parameters)
        loss, change = self._answer(self._affine(parameters, -1, tape.stream[-1]))
        change = self._into(gradient, parameters, -1, tape.stream[-1], change)
        factor = self.architecture.factor
        for block in reversed(range(self.architecture.blocks)):
            first, second = 1 + 2 * block, 2 + 2 * block
            change = change * (tape.stream[block + 1].real > 0)
            inside = self._back(tape.layers[second], factor * change)
            inside = self._into(gradient, parameters, second, tape.inside[block], inside)
            inside = self._back(tape.layers[first], inside * (tape.inside[block].real > 0))
            inside = self._into(gradient, parameters, first, tape.stream[block], inside)
            change = inside + change if self.architecture.skip == "additive" else inside
        change = self._back(tape.layers[0], change * (tape.stream[0].real > 0))
        self._into(gradient, parameters, 0, self.inputs, change)
        return float(loss.real), gradient

    def hessian_times(self, parameters: np.ndarray, vector: np.ndarray) -> np.ndarray:
        """The Hessian of the loss at weights (P,) times a vector (P,), exact up to rounding."""
        product: np.ndarray = self.loss_and_gradient(parameters + 1j * STEP * vector)[1].imag / STEP
        return product

    def _forward(self, parameters: np.ndarray) -> "_Tape":
        tape = _Tape([], [], [])
        tape.stream.append(_relu(self._layer(tape, parameters, 0, self.inputs)))
        for block in range(self.architecture.blocks):
            tape.inside.append(_relu(self._layer(tape, parameters, 1 + 2 * block, tape.stream[-1])))
            branch = self.architecture.factor * self._layer(tape, parameters, 2 + 2 * block, tape.inside[-1])
            skip = tape.stream[-1] if self.architecture.skip == "additive" else 0
            tape.stream.append(_relu(skip + branch))
        return tape

    def _affine(self, parameters: np.ndarray, number: int, inputs: np.ndarray) -> np.ndarray:
        """W inputs + b."""
        layer = self.layout.layers[number]
        sums: np.ndarray = layer.weights(parameters) @ inputs
        return sums + layer.biases(parameters)[:, None] if layer.bias >= 0 else sums

    def _layer(self, tape: "_Tape", parameters: np.ndarray, number: int, inputs: np.ndarray) -> np.ndarray:
        """N(W inputs + b), recorded on the tape."""
        sums = self._affine(parameters, number, inputs)
        if self.architecture.norm == "none":
            tape.layers.append(_Norm(sums, np.zeros(1), np.ones(1)))
            return sums
        axis = 1 if self.architecture.norm == "batch" else 0
        if self._statistics is None:
            center = sums.mean(axis=axis, keepdims=True)
            scale = 1 / np.sqrt(((sums - center) ** 2).mean(axis=axis, keepdims=True) + EPSILON)
        else:
            center, scale = self._statistics[number]
        tape.layers.append(_Norm((sums - center) * scale, center, scale))
        return tape.layers[-1].values

    def _answer(self, outputs: np.ndarray) -> tuple[np.complexfloating | float, np.ndarray]:
        """The loss, and its gradient with respect to the outputs (classes, N)."""
        losses, gradient = cross_entropy(outputs.T, self.labels)
        return losses.mean(), gradient.T / len(self.labels)

    def _into(
        self, gradient: np.ndarray, parameters: np.ndarray, number: int, inputs: np.ndarray, change: np.ndarray
    ) -> np.ndarray:
        """Store the gradient of a layer's weights; return that of its inputs."""
        layer = self.layout.layers[number]
        layer.weights(gradient)[:] = change @ inputs.T
        if layer.bias >= 0:
            layer.biases(gradient)[:] = change.sum(axis=1)
        return layer.weights(parameters).T @ change

    def _back(self, norm: "_Norm", change: np.ndarray) -> np.ndarray:
        """The gradient with respect to a norm's input."""
        if self.architecture.norm == "none" or self._statistics is not None:
            return change * norm.scale
        axis = 1 if self.architecture.norm == "batch" else 0
        level = change.mean(axis=axis, keepdims=True)
        slope = (change * norm.values).mean(axis=axis, keepdims=True)
        return (change - level - norm.values * slope) * norm.scale


@dataclass
class _Norm:
    values: np.ndarray
    center: np.ndarray
    scale: np.ndarray


@dataclass
class _Tape:
    """Values that a forward pass records for the backward pass: every layer's norm, the stream, and the middle of every
    branch."""

    layers: list[_Norm]
    stream: list[np.ndarray]
    inside: list[np.ndarray]


def _relu(values: np.ndarray) -> np.ndarray:
    return values * (values.real > 0)


SETTLED = 0.01
"""An eigenvalue has settled if its residual is below this share of it. Its error is then far smaller still, as it falls
with the square of the residual."""

MOST = 80
"""The most products of the Hessian with a vector."""


@dataclass(frozen=True)
class Lanczos:
    """The Lanczos iteration for a symmetric matrix, with full reorthogonalization; `onward` takes one step."""

    vectors: np.ndarray
    """(steps + 1, P) orthonormal rows; the last one is multiplied next. Single precision, as they are sent between
    processes."""
    diagonal: tuple[float, ...] = ()
    beside: tuple[float, ...] = ()

    @classmethod
    def begin(cls, size: int, seed: int) -> "Lanczos":
        """The start of the iteration for a matrix (size, size): a random vector of length 1."""
        first = np.random.default_rng((seed, 4)).normal(size=size)
        return cls((first / np.linalg.norm(first))[None].astype(np.float32))

    def onward(self, product: np.ndarray) -> "Lanczos":
        """Take a step, given the product of the matrix with the last vector (P,)."""
        vectors = self.vectors.astype(np.float64)
        rest = product.copy()
        for _ in range(2):
            rest -= vectors.T @ (vectors @ rest)
        length = float(np.linalg.norm(rest))
        following = rest / length if length > 0 else np.zeros_like(rest)
        return Lanczos(
            np.vstack([self.vectors, following.astype(np.float32)]),
            (*self.diagonal, float(product @ vectors[-1])),
            (*self.beside, length),
        )

    def extremes(self) -> tuple[float, float]:
        """The lowest and the highest eigenvalue of the matrix, NaN for one that has not settled yet.

        The distance of an estimate θ from a true eigenvalue is at most its residual, |β·s|, with s the last entry of
        its eigenvector in the small matrix (Parlett 1998, The Symmetric Eigenvalue Problem, section 13.2).
        """
        inner = self.beside[: len(self.diagonal) - 1]
        values, vectors = np.linalg.eigh(np.diag(self.diagonal) + np.diag(inner, 1) + np.diag(inner, -1))
        residuals = np.abs(self.beside[-1] * vectors[-1])
        lowest, highest = np.where(residuals <= SETTLED * np.abs(values), values, np.nan)[[0, -1]]
        return float(lowest), float(highest)

    @property
    def settled(self) -> bool:
        """Whether both ends of the spectrum have settled."""
        return bool(self.diagonal) and bool(np.isfinite(self.extremes()).all())


def extreme_curvatures(network: Network, parameters: np.ndarray, seed: int) -> tuple[float, float]:
    """The lowest and the highest eigenvalue of the Hessian at weights (P,), from at most `MOST` products; NaN for one
    that has not settled by then."""
    lanczos = Lanczos.begin(parameters.size, seed)
    while len(lanczos.diagonal) < MOST and not lanczos.settled:
        lanczos = lanczos.onward(network.hessian_times(parameters, lanczos.vectors[-1].astype(np.float64)))
    return lanczos.extremes()
