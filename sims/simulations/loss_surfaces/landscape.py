"""Slices through the loss of two trained networks: a picture that depends on choices, each of which can be changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import param

from sims.comparisons.twin_networks import NAMES, NORM_WORDS, Statistics, exact, random_plane, twins
from sims.contract import usual_parameters
from sims.contract.bands import STATISTICS
from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number
from sims.data.datasets import source
from sims.engines.perceptrons import Recipe, TrainingState, advance
from sims.instruments.surfaces import grids
from sims.instruments.surfaces.curvature import MOST, Lanczos
from sims.instruments.surfaces.landscapes import SAMPLE
from sims.instruments.surfaces.ruggedness import DEEP, minima, ruggedness
from sims.instruments.training.divergence import divergences
from sims.kept import results

WEIGHT = 20
"""Steps of the progress bar for one product of the Hessian with a vector. A product takes as long as 40 points of a
slice, but the eigenvalues usually settle after half of the allowed products, and the rest then passes at once."""


@dataclass(frozen=True)
class Look:
    """The progress of the work: training, then the points of the slice from coarse to fine, then the Hessian."""

    step: int
    runs: dict[str, TrainingState]
    losses: dict[str, np.ndarray] = field(default_factory=lambda: dict.fromkeys(NAMES, np.empty(0)))
    lanczos: dict[str, Lanczos] = field(default_factory=dict)
    products: int = 0
    extremes: dict[str, tuple[float, float]] = field(default_factory=dict)
    """For the networks whose eigenvalues have settled, or whose products are used up"""


class Landscape(Training):
    """A slice through the loss, of a plain and of a residual network

    Two surfaces over the same plane show the loss of a plain network and of its residual twin around their weights,
    first coarse, then finer. The measures are two maps from above, a cut along each direction, bars that say
    how rugged each slice is, and the curvature at its center.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"depth": (4, 6, 10, 18, 34, 58), "norm": ("batch", "none")}

    restarts = (
        *("depth", "norm", "data", "point", "direction", "span", "finest", "training_steps", "direction_seed", "seed"),
    )

    depth = Stops(
        default=18,
        objects=[4, 6, 10, 18, 34, 58],
        label="Depth",
        doc="linear layers from input to output",
        precedence=1,
    )
    norm = param.Selector(
        default="batch",
        objects={
            "None": "none",
            "BatchNorm, statistics of the batch": "batch",
            "BatchNorm, frozen statistics": "frozen",
            "LayerNorm": "layer",
        },
        label="Normalization",
        doc="what normalizes every layer, and what it does while the slice is cut",
    )
    point = param.Selector(
        default="trained",
        objects={"Trained weights": "trained", "Initial weights": "initial"},
        label="Around the",
        doc="the weights at the center of the slice",
        precedence=1,
    )
    scale = param.Selector(
        default="linear",
        objects={"Linear": "linear", "Logarithmic": "log"},
        label="Scale of the loss",
        doc="how heights and colors follow the loss",
    )
    colors = param.Selector(
        default="own",
        objects={"Each its own": "own", "The same for both": "shared"},
        label="Range of the loss",
        doc="whether the heights of both surfaces, and the colors of both maps, follow one range",
        precedence=1,
    )
    data = param.Selector(
        default="digits",
        objects={"Handwritten digits": "digits", "Two spirals": "spirals"},
        label="Data",
        doc="what is learned",
        precedence=1,
    )
    span = Stops(
        default=1.0,
        objects=[0.1, 0.25, 0.5, 1.0, 1.5],
        label="Reach",
        doc="how far the slice goes on each side",
        precedence=1,
    )
    direction = param.Selector(
        default="filter",
        objects={"Filter-normalized": "filter", "One length for all weights": "whole"},
        label="Directions",
        doc="how the two random directions are scaled",
        precedence=1,
    )
    finest = Stops(
        default=41, objects=list(grids.SIZES[1:]), label="Finest grid", doc="points along a side", precedence=1
    )
    deeper = Stops(
        default=DEEP,
        objects=[0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0],
        label="Valleys deeper than",
        doc="how far you have to climb out of a valley, in nats, for it to count",
        precedence=1,
    )
    training_steps = usual_parameters.training_steps(300, [100, 300, 600, 1200])
    direction_seed = param.Integer(
        0, bounds=(0, 9_999), label="Seed of the directions", doc="which random directions are taken", precedence=1
    )
    seed = usual_parameters.seed()
    cut_a = param.Number(0.0, bounds=(-1.5, 1.5), label="Cut at a", doc="where the second cut crosses", precedence=-1)
    cut_b = param.Number(0.0, bounds=(-1.5, 1.5), label="Cut at b", doc="where the first cut crosses", precedence=-1)

    def start(self) -> Look:
        recipe = Recipe("adam", 0.002, 128, clip=1.0, record_every=self.training_steps)
        return Look(0, twins(self.depth, self.norm, self.data, self.seed, recipe))

    def _phases(self) -> tuple[int, int, int]:
        """Steps of training, of the slice, and of the Hessian."""
        return self.training_steps if self.point == "trained" else 0, self.finest**2, MOST * WEIGHT

    def advance(self, state: Look, steps: int) -> Look:
        trained, cut, bent = self._phases()
        last = min(state.step + steps, trained + cut + bent)
        if state.step < trained:
            part = min(last, trained) - state.step
            runs = {name: advance(run, part) for name, run in state.runs.items()}
            state = replace(state, step=state.step + part, runs=runs)
        if trained <= state.step < min(last, trained + cut):
            part = min(last, trained + cut)
            new_losses = self._losses(state, state.step - trained, part - trained)
            both = {name: np.concatenate([state.losses[name], new_losses[name]]) for name in NAMES}
            state = replace(state, step=part, losses=both)
        while state.step < last:
            state = self._bend(replace(state, step=min(last, state.step + WEIGHT)), trained + cut)
        return state

    def _losses(self, state: Look, first: int, last: int) -> dict[str, np.ndarray]:
        places = grids.coordinates(self.finest, self.span, first, last)
        return {
            name: random_plane(run, self.direction_seed, self.direction, self.norm).losses(places)
            for name, run in state.runs.items()
        }

    def _bend(self, state: Look, begun: int) -> Look:
        """Compute the Hessian products that are due by now, for networks whose eigenvalues have not settled."""
        while state.products < (state.step - begun) // WEIGHT:
            further, extremes = {}, dict(state.extremes)
            for name, run in state.runs.items():
                if name in extremes:
                    continue
                weights = run.parameters[0].astype(np.float64)
                before = state.lanczos.get(name) or Lanczos.begin(weights.size, self.seed)
                vector = before.vectors[-1].astype(np.float64)
                after = before.onward(exact(run, self.norm).hessian_times(weights, vector))
                if after.settled or state.products + 1 == MOST:
                    extremes[name] = after.extremes()
                else:
                    further[name] = after
            state = replace(state, lanczos=further, products=state.products + 1, extremes=extremes)
        return state

    def frame(self, state: Look) -> Frame:
        losses = state.losses
        if len(losses[NAMES[0]]) < grids.SIZES[0] ** 2:
            losses = self._losses(state, 0, grids.SIZES[0] ** 2)
        size = grids.complete(len(losses[NAMES[0]]))
        side = np.linspace(-self.span, self.span, size)
        quantities = {"side": Quantity(side, "place along a, and along b", "share of the weights", ("column",))}
        answers: dict[str, Any] = {"depth": self.depth, "grid": size, "phase": self._phase(state)}
        for name in NAMES:
            slice_ = grids.grid(losses[name], self.finest, size)
            label = f"{name} network: loss"
            quantities[f"{name}_losses"] = Quantity(slice_, label, "nats", ("row", "column"))
            picture = grids.picture(losses[name], self.finest)
            label += ", with coarse blocks where points are still to come"
            quantities[f"{name}_picture"] = Quantity(picture, label, "nats", ("fine row", "fine column"))
            answers[f"{name}_error"] = float(state.runs[name].now.train_error[0])
            lowest, highest = state.extremes.get(name, (float("nan"), float("nan")))
            answers |= {f"{name}_lambda_max": highest, f"{name}_lambda_min": lowest}
        diverged = tuple(divergence for name, run in state.runs.items() for divergence in divergences(run, name))
        return self.reread(Frame(quantities, answers, state.step, sum(self._phases()), diverged))

    def reread(self, frame: Frame) -> Frame:
        answers = dict(frame.results)
        for name in NAMES:
            rugged = ruggedness(frame[f"{name}_losses"], self.deeper)
            answers |= {
                f"{name}_excess": rugged.excess,
                f"{name}_minima": rugged.minima,
                f"{name}_bent_down": rugged.bent_down,
                f"{name}_range": rugged.range,
                f"{name}_resolved": "yes" if rugged.resolved else "no",
            }
        return replace(frame, results=answers)

    def _phase(self, state: Look) -> str:
        trained, cut, bent = self._phases()
        if state.step >= trained + cut + bent:
            return "done"
        if state.step >= trained + cut:
            return "curvature"
        return "slice" if state.step >= trained and state.step else "training" if trained and state.step else "start"

    def describe(self, frame: Frame) -> str:
        answers = frame.results
        size = answers["grid"]
        intro = (
            f"Seen on {size} × {size} points around the {'trained' if self._is_trained(frame) else 'current'} weights"
        )
        parts = [f"the slice of the {name} network {_in_words(answers, name, self.deeper)}" for name in NAMES]
        text = f"{intro}, {', and '.join(parts)}."
        coarse = [name for name in NAMES if answers[f"{name}_resolved"] == "no"]
        if coarse:
            which = "Neither slice is" if len(coarse) > 1 else f"The slice of the {coarse[0]} network is not"
            text += f" {which} resolved at this grid: on a finer one its numbers would still change."
        if answers["phase"] == "done":
            high = " and ".join(f"{number(float(answers[f'{name}_lambda_max']))} ({name})" for name in NAMES)
            text += f" The largest eigenvalue of the Hessian at the center is {high}."
        return text

    def _is_trained(self, frame: Frame) -> bool:
        return self.point == "trained" and frame.step >= self.training_steps

    def disclosure(self) -> Disclosure:
        trained = f"trained for {self.training_steps} steps of Adam at 0.002, gradients clipped to length 1"
        return Disclosure(
            network=f"Two multilayer perceptrons of {self.depth} linear layers of width 32, ReLU, "
            f"{NORM_WORDS[self.norm]}, one with a skip over every two layers"
            f"{', its branches times 1/√blocks' if self.norm == 'none' else ''}; "
            f"{trained if self.point == 'trained' else 'not trained at all'}.",
            data=f"{source(self.data).load().sentence}; the loss is measured on the first "
            f"{min(SAMPLE, len(source(self.data).load().train_labels))} training points.",
            seeds=f"One network of each kind (seed {self.seed}) and one pair of directions (seed "
            f"{self.direction_seed}), the same random numbers for both; biases stay as they are. "
            f"Only computed points are drawn.",
            cannot_show="Anything outside this one plane (there are countless planes), or anything about "
            "large or convolutional networks.",
        )


def _in_words(answers: Any, name: str, deeper: float) -> str:
    if not np.isfinite(answers[f"{name}_range"]):
        return "overflows"
    valleys = answers[f"{name}_minima"]
    return (
        f"spans {number(answers[f'{name}_range'])} nats, with {valleys} valley{'' if valleys == 1 else 's'} "
        f"deeper than {number(deeper)} nats inside"
    )


def _slice(depth: int, norm: Statistics, data: str, point: str, seed: int, span: float) -> Frame:
    steps = {"digits": 300, "spirals": 600}[data]
    return results.finished(
        Landscape(
            depth=depth,
            norm=norm,
            data=data,
            point=point,
            span=span,
            seed=seed,
            direction_seed=seed,
            finest=21,
            training_steps=steps,
        )
    )


@calculation(long=True, readings=("measure", "skip", "deeper", "statistic"), tolerance=0.9, absolute=0.01)
def measured(
    measure: str,
    skip: bool,
    depth: int = 18,
    norm: Statistics = "batch",
    data: str = "digits",
    point: str = "trained",
    span: float = 1.0,
    deeper: float = DEEP,
    statistic: str = "median",
) -> float:
    """A number of the slice on 21 × 21 points: "median", "lowest" or "highest" over 3 seeds of weights and directions.

    `measure` is one of excess, bent_down, range, error, lambda_max; minima, which are the valleys deeper than `deeper`
    nats; or ratio, which is |λ_min/λ_max|.
    """
    name, numbers = "residual" if skip else "plain", []
    for frame in (_slice(depth, norm, data, point, seed, span) for seed in range(3)):
        answers = frame.results
        if measure == "minima":
            numbers.append(float(minima(frame[f"{name}_losses"], deeper)))
        elif measure == "ratio":
            numbers.append(abs(float(answers[f"{name}_lambda_min"]) / float(answers[f"{name}_lambda_max"])))
        else:
            numbers.append(float(answers[f"{name}_{measure}"]))
    return STATISTICS[statistic](numbers)
