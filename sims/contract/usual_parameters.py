"""Controls that many simulations share, each declared once with its name, its words and the order of its options."""

from collections.abc import Mapping, Sequence

import param

from sims.contract.parameters import Stops

OPTIMIZERS = {"sgd": "SGD", "momentum": "SGD with momentum", "adam": "Adam"}
INITIALIZATIONS = {
    "default": "Library default",
    "he": "He",
    "xavier": "Xavier",
    "orthogonal": "Orthogonal",
    "zero-last": "Last layer of a branch zero",
    "looks-linear": "Looks linear",
    "uniform": "Uniform ±1/2",
}
ACTIVATIONS = {"relu": "ReLU", "tanh": "tanh"}
LEARNING_RATES = (1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1.0)


def _choice(
    known: Mapping[str, str], values: Sequence[str], default: str, label: str, doc: str, precedence: float | None
) -> param.Selector:
    objects = {known[value]: value for value in values or known}
    return param.Selector(default=default, objects=objects, label=label, doc=doc, precedence=precedence)


def optimizer(default: str, *values: str, precedence: float | None = None) -> param.Selector:
    """A choice of `sims.engines.perceptrons` optimizers: those named, or all of `OPTIMIZERS`."""
    return _choice(OPTIMIZERS, values, default, "Optimizer", "how gradients become steps", precedence)


def initialization(default: str, *values: str, precedence: float | None = None) -> param.Selector:
    """A choice of `sims.engines.perceptrons` initializations: those named, or all of `INITIALIZATIONS`."""
    return _choice(INITIALIZATIONS, values, default, "Initialization", "where the weights start", precedence)


def activation(default: str = "relu", *, precedence: float | None = None) -> param.Selector:
    """A choice of nonlinearities."""
    return _choice(ACTIVATIONS, (), default, "Activation", "the nonlinearity", precedence)


def learning_rate(default: float, stops: Sequence[float] = LEARNING_RATES, *, precedence: float | None = None) -> Stops:
    """A learning rate with stops, by default `LEARNING_RATES`."""
    return Stops(
        default=default, objects=list(stops), label="Learning rate", doc="length of a step", precedence=precedence
    )


def training_steps(default: int, stops: Sequence[int], *, label: str = "Training steps") -> Stops:
    """The number of steps of a run; folded away under "more controls"."""
    return Stops(default=default, objects=list(stops), label=label, doc="steps of a run", precedence=1)


def seeds(default: int = 5, *, precedence: float | None = 1) -> param.Integer:
    """The number of networks of a kind that train at once, 1 to 5."""
    return param.Integer(
        default,
        bounds=(1, 5),
        label="Seeds",
        doc="runs with different initial weights at the same time",
        precedence=precedence,
    )


def seed() -> param.Integer:
    """The first of the seeds; folded away, and changed by the page's button for a new seed."""
    return param.Integer(0, bounds=(0, 9_999), label="First seed", doc="seed of the random numbers", precedence=1)
