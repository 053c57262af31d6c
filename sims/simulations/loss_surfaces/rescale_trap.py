"""The scale trap: rescaling inside a network keeps its function and its normalized slice, but changes the raw slice."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.own_points import REACH
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Simulation
from sims.contract.wording import number
from sims.data.datasets import source
from sims.engines.perceptrons import Architecture
from sims.engines.perceptrons.initialization import initial_parameters
from sims.engines.recipe import Recipe
from sims.engines.segment import unmeasured
from sims.instruments.networks.decision_map import decision_map
from sims.instruments.surfaces.curvature import Network
from sims.instruments.surfaces.directions import directions

DATA = source("moons")
ARCHITECTURE = Architecture(depth=4, width=16, skip="none", norm="none", unit="original")
STEPS, RATE, MOMENTUM = 200, 0.1, 0.9
ALONG = np.linspace(-1, 1, 41)
HALF = 30
"""Index of the place 0.5 along"""

SHOWN_POINTS = 64
"""Training points that are drawn on a map."""

FACTORS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


@cache
def _network() -> Network:
    data = DATA.load()
    return Network(ARCHITECTURE, data.train_inputs.T, data.train_labels, data.classes)


@cache
def _trained() -> np.ndarray:
    """The weights (P,) after gradient descent with momentum on all points: cheap enough to compute on first use."""
    network = _network()
    weights = initial_parameters(ARCHITECTURE, network.layout, 0)
    speed = np.zeros_like(weights)
    for _ in range(STEPS):
        speed = MOMENTUM * speed - RATE * network.loss_and_gradient(weights)[1]
        weights = weights + speed
    weights.setflags(write=False)
    return weights


def rescaled(weights: np.ndarray, factor: float) -> np.ndarray:
    """The same function with the first layer of the block times `factor` and the second one's weights divided by it.

    For a positive factor ReLU(factor · z) is factor · ReLU(z), so the block's output does not change.
    """
    first, second = _network().layout.layers[1:3]
    copy = weights.copy()
    first.numbers(copy)[:] *= factor
    second.weights(copy)[:] /= factor
    return copy


def both_directions(weights: np.ndarray, seed: int) -> dict[str, np.ndarray]:
    """One random direction (P,) around `weights`: "raw", which does not depend on them, and "normalized"."""
    layout = _network().layout
    return {
        "raw": directions(_trained(), layout, seed, "whole")[0],
        "normalized": directions(weights, layout, seed, "filter")[0],
    }


def slices(weights: np.ndarray, seed: int, along: np.ndarray = ALONG) -> dict[str, np.ndarray]:
    """The loss at places along each of the two directions."""
    loss = _network().loss
    return {
        name: np.array([loss(weights + place * direction) for place in along.tolist()])
        for name, direction in both_directions(weights, seed).items()
    }


def answer_map(weights: np.ndarray) -> np.ndarray:
    """The answers at weights (P,) over the square ±REACH: the bytes (SIDE, SIDE) of a `decision_map`."""
    weights = weights[None].astype(np.float32)
    sizes = ARCHITECTURE.depth, ARCHITECTURE.blocks + 1
    return decision_map(unmeasured(weights, ARCHITECTURE, Recipe(), DATA, (0,), *sizes), REACH)


@cache
def _slices_before(seed: int) -> dict[str, np.ndarray]:
    return slices(_trained(), seed)


@cache
def halfway(seed: int) -> dict[str, np.ndarray]:
    """The loss (FACTORS,) halfway along the "raw" and the "normalized" direction, rescaled by each factor."""
    losses = [slices(rescaled(_trained(), factor), seed, ALONG[HALF : HALF + 1]) for factor in FACTORS]
    return {name: np.concatenate([loss[name] for loss in losses]) for name in losses[0]}


def largest_change(weights: np.ndarray) -> float:
    """The largest change of any output on any training point by the rescaling."""
    return float(np.abs(_network().outputs(weights) - _network().outputs(_trained())).max())


class RescaleTrap(Simulation):
    """The scale trap, and how filter normalization avoids it

    One figure shows the loss of a trained network halfway along a random direction, for every c by which two layers
    are rescaled without changing what the network computes. Two more show the whole direction: a raw one, and one whose
    filters have been given the lengths of the network's own. A slider sets c; gray lines stay where they were before.
    Maps show what the network answers for every point of the plane: before it moves, and halfway along each direction.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"factor": FACTORS}

    factor = Stops(
        default=1.0,
        objects=list(FACTORS),
        label="First layer times c, second layer divided by c",
        doc="the rescaling of two layers",
    )
    direction_seed = param.Integer(
        0, bounds=(0, 9_999), label="Seed of the direction", doc="which random direction is taken", precedence=1
    )

    def compute(self) -> Frame:
        weights = rescaled(_trained(), self.factor)
        now, before = slices(weights, self.direction_seed), _slices_before(self.direction_seed)
        quantities = {"along": Quantity(ALONG, "place along the direction", "relative", ("place",))}
        quantities["factors"] = Quantity(np.array(FACTORS), "c", "relative", ("c",))
        for name, losses in halfway(self.direction_seed).items():
            quantities[f"{name}_halfway"] = Quantity(losses, f"loss halfway, {name} direction", "nats", ("c",))
        for name in now:
            quantities[name] = Quantity(now[name], f"loss along the {name} direction", "nats", ("place",))
            quantities[f"{name}_before"] = Quantity(before[name], f"the same for c = 1, {name}", "nats", ("place",))
        moves = {"before": np.zeros_like(weights), **both_directions(weights, self.direction_seed)}
        for name, direction in moves.items():
            where = "before the move" if name == "before" else f"halfway along the {name} direction"
            quantities[f"{name}_answers"] = Quantity(
                answer_map(weights + ALONG[HALF] * direction),
                f"answers over the plane, {where}",
                "16 class + confidence",
                ("row", "column"),
            )
        data = DATA.load()
        points, classes = data.train_inputs[:SHOWN_POINTS], data.train_labels[:SHOWN_POINTS]
        quantities["points"] = Quantity(points, "training points, as drawn", "relative", ("point", "direction"))
        quantities["classes"] = Quantity(classes, "their classes", "class", ("point",))
        return Frame(
            quantities,
            {
                "factor": self.factor,
                "change": largest_change(weights),
                "loss": _network().loss(weights),
                "raw": float(now["raw"][HALF]),
                "normalized": float(now["normalized"][HALF]),
            },
        )

    def describe(self, frame: Frame) -> str:
        answers = frame.results
        return (
            f"With c = {number(self.factor, 6)}, no output at any point has changed by more than "
            f"{number(float(answers['change']), 1)}. Halfway along the direction the loss is "
            f"{number(float(answers['raw']))} for the raw direction and {number(float(answers['normalized']))} for the "
            f"normalized one; with c = 1 they are {number(frame['raw_before'][HALF])} and "
            f"{number(frame['normalized_before'][HALF])}."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"A plain ReLU network of {ARCHITECTURE.depth} linear layers of width {ARCHITECTURE.width} without "
            f"norms, trained for {STEPS} steps of gradient descent with momentum.",
            data=f"{DATA.load().sentence}. The maps show {SHOWN_POINTS} of the points.",
            seeds="One network (seed 0), one direction; biases stay as they are.",
            cannot_show="Slices of networks with a norm, where layers can be rescaled without any compensation.",
        )


@calculation
def loss_on_slice(kind: str, factor: float) -> float:
    """The loss halfway along the "raw" or "normalized" direction, the network rescaled by `factor`."""
    return float(halfway(RescaleTrap.param.direction_seed.default)[kind][FACTORS.index(factor)])


def units_rescaled(weights: np.ndarray, factor: float) -> np.ndarray:
    """The same function with every unit between the two layers rescaled by itself: by `factor`, 1/`factor`, `factor`, …

    What goes into a unit is multiplied by its number, and what comes out of it is divided by the same number.
    """
    first, second = _network().layout.layers[1:3]
    factors = np.where(np.arange(first.rows) % 2 == 0, factor, 1 / factor)
    copy = weights.copy()
    first.weights(copy)[:] *= factors[:, None]
    first.biases(copy)[:] *= factors
    second.weights(copy)[:] /= factors
    return copy


@calculation
def loss_with_units_rescaled(factor: float) -> float:
    """The loss halfway along the "normalized" direction, the units rescaled by `factor` and 1/`factor` in turn."""
    weights = units_rescaled(_trained(), factor)
    direction = directions(weights, _network().layout, RescaleTrap.param.direction_seed.default, "filter")[0]
    return _network().loss(weights + ALONG[HALF] * direction)
