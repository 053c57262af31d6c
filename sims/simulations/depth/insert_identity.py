"""Inserted identity layers: a deeper network that is exactly as good exists, but training need not find it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import spread
from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number
from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, layer_values, predict, start
from sims.engines.perceptrons.surgery import with_layers
from sims.instruments.training.curves import record_band
from sims.instruments.training.divergence import divergences

SHALLOW = Architecture(depth=4, width=48, skip="none", norm="none", unit="one-layer", initialization="he")
FIRST_STEPS = 600
CURVE = 25
"""Points of a curve over a whole run."""


@dataclass(frozen=True)
class Cut:
    """The networks before and after the insertion of layers."""

    shallow: TrainingState
    """The trained network before the insertion; it does not change any more"""
    deep: TrainingState
    change: np.ndarray
    """(seeds,) largest change of any output on the test points by the insertion"""
    outputs: np.ndarray
    """(2, outputs) the first seed's outputs for the first test point, before and after the insertion"""
    activations: np.ndarray
    """(layers - 1, units) the first seed's activations for the first test point, right after the insertion"""


class InsertIdentity(Training):
    """Insert layers that copy into a trained network

    Lines are the activations of some units on their way through the network: the trained layers, the inserted ones,
    and the head at the end. Where layers copy, the lines run straight on. Below, bars for the outputs before and after
    the insertion are drawn on top of each other, next to the largest change of any output; two curves show what
    further training makes of the deeper network, next to the error it had before. Among the measures are the same
    lines after that training.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "inserted": (0, 2, 8, 16, 36, 60),
        "weights": ("identity", "random"),
    }

    inserted = param.Integer(36, bounds=(0, 60), label="Inserted layers", doc="layers put before the head")
    weights = param.Selector(
        default="identity",
        objects={"Identity": "identity", "Random": "random"},
        label="Their weights",
        doc="whether the new layers start as copies of their input or at random",
    )
    data = param.Selector(
        default="teacher",
        objects={"Teacher network": "teacher", "Handwritten digits": "digits"},
        label="Data",
        doc="what is learned",
        precedence=1,
    )
    training_steps = usual_parameters.training_steps(600, [200, 600, 1200], label="Further steps")
    seeds = usual_parameters.seeds()
    seed = usual_parameters.seed()

    def start(self) -> Cut:
        recipe = Recipe("adam", 0.001, 128, record_every=FIRST_STEPS)
        seeds = range(self.seed, self.seed + self.seeds)
        shallow = advance(start(SHALLOW, recipe, source(self.data), tuple(seeds)), FIRST_STEPS)
        further = replace(recipe, record_every=self.training_steps // CURVE)
        deep = with_layers(replace(shallow, recipe=further), self.inserted, self.weights)
        points = shallow.source.load().test_inputs
        before, after = predict(shallow, points), predict(deep, points)
        change = np.abs(after - before).max(axis=(1, 2))
        return Cut(shallow, deep, change, np.stack([before[0, 0], after[0, 0]]), _activations(deep))

    def advance(self, state: Cut, steps: int) -> Cut:
        return replace(state, deep=advance(state.deep, min(steps, self.training_steps - state.deep.step)))

    def frame(self, state: Cut) -> Frame:
        records = state.deep.records
        quantities = {
            "steps": Quantity(np.array([record.step for record in records]), "further step", "steps", ("record",)),
            "change": Quantity(state.change, "largest change of any output", "output", ("seed",)),
        }
        for name, values in zip(("before", "after"), state.outputs, strict=True):
            label = f"first seed, first test point: outputs {name} the layers went in"
            quantities[f"outputs_{name}"] = Quantity(values, label, "output", ("class",))
        for name, when, values in (
            ("activations", "when the layers went in", state.activations),
            ("activations_now", "now", _activations(state.deep)),
        ):
            label = f"first seed, first test point: activations after every layer but the head, {when}"
            quantities[name] = Quantity(values, label, "activation", ("layer", "unit"))
        before = [state.shallow.now] * len(records)
        for measure in ("error", "loss"):
            quantities |= record_band(records, f"train_{measure}", f"deep_{measure}", "with inserted layers: ")
            quantities |= record_band(before, f"train_{measure}", f"shallow_{measure}", "before: ")
        answers = {
            "change": float(state.change.max()),
            "depth": state.deep.architecture.depth,
            "training_error": float(np.median(state.deep.now.train_error)),
        }
        return Frame(quantities, answers, state.deep.step, self.training_steps, divergences(state.deep, "deeper"))

    def describe(self, frame: Frame) -> str:
        change = float(frame.results["change"])
        changed = f"at most {number(change, 3)}" if change else "exactly 0"
        layers = f"{self.inserted} {self.weights} layer{'' if self.inserted == 1 else 's'}"
        when = f"after {frame['steps'][-1]} further steps" if frame["steps"][-1] else "before any further step"
        return (
            f"Inserting {layers} changed the outputs by {changed}. "
            f"With {frame.results['depth']} layers, {when}, the training error is "
            f"{spread(frame, 'deep_error', self.seeds)}; before the insertion, it was "
            f"{spread(frame, 'shallow_error', self.seeds)}."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"A plain ReLU network of {SHALLOW.depth} linear layers of width {SHALLOW.width}, trained for "
            f"{FIRST_STEPS} steps of Adam at 0.001; then {self.inserted} more layers before its head.",
            data=source(self.data).load().sentence + ".",
            seeds=f"{self.seeds} (from {self.seed}); the line is their median, the band their whole range.",
            cannot_show="Whether training from a random start finds the copying layers: the figure "
            "only shows that they exist. And it shows nothing about test error.",
        )


def _activations(run: TrainingState) -> np.ndarray:
    """(layers - 1, units) of the first seed's network for the first test point."""
    first = replace(run, seeds=run.seeds[:1], parameters=run.parameters[:1])
    values: np.ndarray = layer_values(first, run.source.load().test_inputs[:1])[:, :, 0]
    return values
