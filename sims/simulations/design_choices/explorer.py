"""The explorer: trains one network, or two that differ in one thing, on points in the plane, and shows it live."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import param

from sims.builder.network_file import network_file
from sims.comparisons.missions import feeds, judged
from sims.comparisons.outcomes import outcome
from sims.comparisons.single_changes import COMPARISONS
from sims.contract import own_points, usual_parameters
from sims.contract.bands import reading
from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.own_points import Points
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number, percent
from sims.data.datasets import Source
from sims.data.input_features import COORDINATES, LABELS, in_plane, with_features
from sims.data.plane_tasks import NOISES, TASKS, USUAL, plane_task
from sims.engines.perceptrons import Architecture, Recipe, start
from sims.engines.perceptrons.layout import make_layout
from sims.instruments.networks.watched_run import BATCH_STATISTICS, FITS, WatchedRun, drawn, first_look, reach
from sims.instruments.training.divergence import divergences
from sims.kept import results

RECORDS = 40
"""Moments of a whole run that are kept besides the first, and to which a reader can go back."""

MOST_NUMBERS = 1_000_000
"""The most parameters that may be trained at once, over both networks and all seeds."""

NAMES = ("first", "second")
"""The networks' names in quantities and results."""

RING = "a5050a4353a5655a5242a4544b7750b7462b6771b5676b4476b3371b2662b2350b2638b3329b4424b5624b6729b7438"
"""A few points inside a ring of others: the default of the reader's own points."""


@dataclass(frozen=True)
class Refused:
    """The reason, in words, why there is nothing to train."""

    reason: str


class Explorer(Training):
    """The residual network explorer

    A strip has a cell for every layer of a network, whose height and color say how large its gradient is. Below it, a
    colored map shows which class the network would assign to every point of the plane, with its training points on
    top; for a chosen layer, small maps show what its units compute. Curves show the loss against steps; drag along them
    to go back. A second network that differs in one thing may be shown next to it. A row of small maps shows the
    possible inputs, with a frame around those in use. Further pictures show the skip connections as arcs, and the
    gradient of every layer as a bar.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "depth": (4, 8, 16, 32, 48, 64),
        "skip": ("none", "additive", "highway", "rezero"),
    }
    restarts = (
        *("task", "noise", "points", "depth", "width", "skip", "norm", "unit", "initialization", "branch_factor"),
        *("activation", "final_norm", "optimizer", "learning_rate", "warmup", "clip", "batch", "training_steps"),
        *("seeds", "seed", "compare", *(f"feed_{name}" for name in LABELS)),
    )

    task = param.Selector(default="spirals", objects=TASKS, label="Task", doc="which points are learned", precedence=1)
    depth = param.Integer(16, bounds=(2, 64), step=2, label="Depth", doc="linear layers from input to output")
    skip = param.Selector(
        default="additive",
        objects={"None": "none", "Additive": "additive", "Dense": "dense", "Highway": "highway", "ReZero": "rezero"},
        label="Skip connection",
        doc="how a block's input gets past the block",
    )
    norm = param.Selector(
        default="pre-layer",
        objects={"None": "none", "BatchNorm": "batch", "Pre-LN": "pre-layer", "Post-LN": "post-layer"},
        label="Normalization",
        doc="what is normalized, and where in the block",
        precedence=1,
    )
    initialization = usual_parameters.initialization("he", precedence=1)
    optimizer = usual_parameters.optimizer("adam", precedence=1)
    learning_rate = usual_parameters.learning_rate(0.01, precedence=1)
    compare = param.Selector(
        default="none",
        objects={label: name for name, (label, _words, _changes) in COMPARISONS.items()},
        label="Compare with",
        doc="a second network from the same seed, which differs in one thing",
        precedence=1,
    )
    pen = param.Selector(
        default="a",
        objects={"● a": "a", "▲ b": "b", "■ c": "c", "◆ d": "d", "Erase": "erase"},
        label="A click adds (own points)",
        doc="the class of the next point you put on the map, or none of them",
        precedence=1,
    )
    moment = param.Integer(
        100,
        bounds=(0, 100),
        label="Rewind: % of the run so far",
        doc="the moment shown; 100 is now",
        precedence=1,
    )
    layer = param.Integer(
        0,
        bounds=(0, 64),
        label="Look into layer (0: the answers)",
        doc="the layer whose units are shown; 0 and the last one show the answers",
        precedence=1,
    )
    noise = param.Selector(
        default=USUAL,
        objects=NOISES,
        label="Noise of drawn points",
        doc="standard deviation of the points around their places, where points are drawn",
        precedence=1,
    )
    feed_x1, feed_x2, feed_x1_squared, feed_x2_squared, feed_product, feed_sine_x1, feed_sine_x2 = (
        param.Boolean(name in COORDINATES, label=f"Feed {label}", doc="whether it is an input", precedence=1)
        for name, label in LABELS.items()
    )
    width = param.Integer(32, bounds=(4, 64), step=4, label="Width", doc="units per layer", precedence=1)
    unit = param.Selector(
        default="pre-activation",
        objects={
            "ReLU, layer": "pre-activation",
            "Layer, ReLU, layer": "two-layer",
            "Layer, ReLU": "one-layer",
            "Two layers, ReLU after the sum": "original",
        },
        label="Branch",
        doc="what a skip connection spans, in order",
        precedence=1,
    )
    branch_factor = param.Selector(
        default="1",
        objects={"1": "1", "1/√blocks": "1/sqrt(blocks)", "1/blocks": "1/blocks"},
        label="Branch factor",
        doc="the constant that multiplies every branch",
        precedence=1,
    )
    activation = usual_parameters.activation(precedence=1)
    final_norm = param.Boolean(False, label="Norm before the head", doc="normalize what the head reads", precedence=1)
    warmup = Stops(
        default=0, objects=[0, 10, 30, 100, 300], label="Warm-up steps", doc="steps to the full rate", precedence=1
    )
    clip = Stops(
        default=0,
        objects=[0, 0.1, 0.3, 1, 3],
        label="Clip the gradient at (0: never)",
        doc="longest gradient that is taken as it is",
        precedence=1,
    )
    batch = Stops(
        default=64, objects=[8, 16, 32, 64, 128, 256], label="Batch", doc="points that make up a step", precedence=1
    )
    training_steps = usual_parameters.training_steps(1200, [200, 400, 800, 1200, 2400, 4800])
    seeds = usual_parameters.seeds(1)
    seed = usual_parameters.seed()
    points = Points(RING, label="Your own points", doc="their classes and places, as text", precedence=1)

    # -- the run -------------------------------------------------------------------------------------------------

    def _source(self) -> Source:
        return with_features(plane_task(self.task, self.noise, self.points), feeds(self.settings()))

    def _architecture(self, **changes: Any) -> Architecture:
        names = (
            *("depth", "width", "skip", "norm", "unit", "activation"),
            *("initialization", "final_norm", "branch_factor"),
        )
        return Architecture(**{name: getattr(self, name) for name in names} | changes)

    def _recipe(self) -> Recipe:
        return Recipe(
            self.optimizer,
            self.learning_rate,
            self.batch,
            self.warmup,
            self.clip or None,
            record_every=self.training_steps // RECORDS,
        )

    def start(self) -> tuple[WatchedRun, ...] | Refused:
        """The networks before their first step, or a `Refused` with the reason why they cannot be built."""
        changes = COMPARISONS[self.compare][2]
        try:
            data, task = self._source().load(), self._source()
            networks = [self._architecture(), *([self._architecture(**changes)] if changes else [])]
        except ValueError as error:
            return Refused(f"This cannot be trained: {error}.")
        numbers = self.seeds * sum(make_layout(network, data.features, data.classes).size for network in networks)
        if numbers > MOST_NUMBERS:
            return Refused(
                f"That would be {number(numbers)} numbers to train at once, and the limit is {number(MOST_NUMBERS)}: "
                "take fewer seeds, less width or less depth."
            )
        seeds = range(self.seed, self.seed + self.seeds)
        runs = [start(network, self._recipe(), task, tuple(seeds)) for network in networks]
        return tuple(first_look(run) for run in runs)

    def advance(self, state: tuple[WatchedRun, ...] | Refused, steps: int) -> tuple[WatchedRun, ...] | Refused:
        if isinstance(state, Refused):
            return state
        return tuple(network.onward(min(steps, self.training_steps - network.run.step)) for network in state)

    # -- the picture ---------------------------------------------------------------------------------------------

    def frame(self, state: tuple[WatchedRun, ...] | Refused) -> Frame:
        if isinstance(state, Refused):
            points = own_points.parse(self.points if self.task == "own" else "")
            return Frame(drawn(*points, own_points.REACH), {"refused": state.reason, "reach": own_points.REACH})
        run = state[0].run
        steps = np.array([moment.step for moment in state[0].run.moments])
        data = in_plane(run.source).load()
        quantities = drawn(data.train_inputs, data.train_labels, reach(run.source))
        quantities["steps"] = Quantity(steps, "training step", "steps", ("record",))
        answers: dict[str, float | int | str] = {
            "reach": reach(run.source),
            "seeds": len(run.seeds),
            "second_differs": COMPARISONS[self.compare][1],
            "second_same": int(len(state) > 1 and state[0].run.architecture == state[1].run.architecture),
        }
        for name, watched in zip(NAMES, state, strict=False):
            quantities |= watched.quantities(name)
            answers |= watched.answers(name, quantities[f"{name}_maps"].values[-1])
        lost = [
            divergence
            for name, watched in zip(NAMES, state, strict=False)
            for divergence in divergences(watched.run, name)
        ]
        return self.reread(Frame(quantities, answers, run.step, self.training_steps, tuple(lost)))

    def reread(self, frame: Frame) -> Frame:
        """Update missions after a change of what is shown: some ask the reader to go to another moment or open a
        layer."""
        return judged(self.settings(), frame)

    def listing(self) -> str:
        """The source of a file that trains this network, or a sentence that says why there is none."""
        try:
            self._source().load()
            network = self._architecture()
        except ValueError as error:
            return f'"""This cannot be trained: {error}."""\n'
        seeds = range(self.seed, self.seed + self.seeds)
        return network_file(network, self._recipe(), self._source(), seeds, self.training_steps)

    def shown(self, frame: Frame) -> int:
        """The index of the record that the reader has gone back to; the last record is the present."""
        return round(self.moment / 100 * (len(frame["steps"]) - 1))

    def describe(self, frame: Frame) -> str:
        if "refused" in frame.results:
            return str(frame.results["refused"])
        when = f"After {frame.step} of {frame.steps} steps" if frame.step else "Before the first step"
        depth = frame["first_weight_gradients"].shape[1]
        text = f"{when}, the network of depth {depth} {outcome(frame, 'first')}."
        if "second_maps" in frame.quantities:
            if frame.results["second_same"]:
                return f"{text} It is already {frame.results['second_differs']}: the other one is the same network."
            text += f" The same network {frame.results['second_differs']} {outcome(frame, 'second')}."
        return text

    def disclosure(self) -> Disclosure:
        try:
            data = self._source().load().sentence + "."
        except ValueError as error:
            data = f"None yet: {error}."
        fed = ", ".join(LABELS[name] for name in feeds(self.settings())) or "nothing"
        clipped = f", gradients clipped at {number(self.clip, 6)}" if self.clip else ""
        warm = f", the rate rising over the first {self.warmup} steps" if self.warmup else ""
        pair = "; the second network differs only in your choice under Compare with" if self.compare != "none" else ""
        batch = BATCH_STATISTICS if self.norm == "batch" else ""
        return Disclosure(
            network=f"A multilayer perceptron of {self.depth} linear layers of width {self.width}, fed {fed}{pair}."
            f"{batch}",
            data=data,
            seeds=f"{self.seeds} (from {self.seed}); a line is their median, a band their whole range; the map shows "
            f"the first. Batches of {self.batch}, rate {number(self.learning_rate)}{warm}{clipped}. A run fits "
            f"if at most {percent(FITS)} of the training points are misclassified at its end.",
            cannot_show="What would happen with many inputs, with convolutions, or in a longer run. Rankings may "
            "carry over to larger networks; the depth or the rate at which something breaks does not.",
        )


# -- numbers of the prose ------------------------------------------------------------------------------------------

FRESH = 100
"""First of the five seeds for the numbers in the prose, unless they name another; none of them was used to choose a
setting."""


def _explorer(settings: dict[str, Any]) -> Explorer:
    return Explorer(**{"seeds": 5, "seed": FRESH, **settings})


def _finished(settings: dict[str, Any]) -> Frame:
    return results.finished(_explorer(settings))


@calculation(long=True, absolute=1)
def fits(**settings: Any) -> int:
    """How many of five fresh seeds get at most 5% of the training points wrong at the end of a run."""
    return int(_finished(settings).results["first_fits"])


@calculation(long=True)
def diverged(**settings: Any) -> int:
    """How many of five fresh seeds diverge within a run."""
    return int(_finished(settings).results["first_lost"])


@calculation(long=True, readings=("statistic",), tolerance=0.05)
def loss(statistic: str = "median", **settings: Any) -> float:
    """Training loss (nats) at the end of a run: "median", "lowest" or "highest" of five fresh seeds."""
    return reading(_finished(settings), "first_train_loss", statistic)


@calculation
def stream_growth(statistic: str, **settings: Any) -> float:
    """How many times as large the root mean square of the stream is after the last block as before the first, at the
    start of training: "lowest" or "highest" of five fresh seeds.

    Raises ValueError if the settings are refused.
    """
    state = _explorer(settings).start()
    if isinstance(state, Refused):
        raise ValueError(state.reason)
    sizes = state[0].run.now.activations
    return float({"lowest": np.min, "highest": np.max}[statistic](sizes[:, -1] / sizes[:, 0]))
