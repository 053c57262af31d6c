"""Variants: seven ways to connect, trained side by side on one budget."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

import numpy as np
import param

from sims.comparisons.contender import Contender
from sims.contract import usual_parameters
from sims.contract.calculation import calculation
from sims.contract.frame import Divergence, Frame, Quantity
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number
from sims.data.datasets import source
from sims.engines import perceptrons
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, usual_unit
from sims.engines.perceptrons.layout import make_layout
from sims.engines.perceptrons.stochastic_depth import Thinned, thinned
from sims.instruments.costs.kept_activations import kept_bytes
from sims.instruments.networks.watched_run import FITS
from sims.instruments.stacks.highway import openings
from sims.instruments.training.curves import record_bands
from sims.instruments.training.divergence import divergences
from sims.kept import results

VARIANTS = {
    "plain": "plain",
    "residual": "additive",
    "residual_relu": "ReLU last",
    "rezero": "ReZero",
    "highway": "highway",
    "dense": "dense",
    "thinned": "stochastic depth",
}
"""Name → what it is called on the page"""

SKIPS = {"plain": "none", "rezero": "rezero", "highway": "highway", "dense": "dense"}
"""Variant → its skip; an additive one where nothing is said"""

WIDTH, GROWTH = 32, 8
LAST_STAYS = 0.5
"""With stochastic depth: the probability that the last block takes part in a step (Huang et al. 1603.09382)"""

CURVE = 25
BATCH = 64


Runs = Mapping[str, Contender | Thinned]
"""Stochastic depth does not run inside the engine: its steps are taken one by one from outside."""


class Variants(Training):
    """Seven ways to connect, on one budget

    Seven rows of blocks, one for each way to connect: arcs are its skips, the color of a block is the gradient of its
    weights, and a bar at the end is the loss; words say how many seeds fit. Among the measures are curves of the loss
    and of the gradients with a table that names their lines and says what each way costs in parameters, in
    multiplications and in time, the kept activations, and the gates and factors that were learned.
    """

    divisible = True
    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"norm": ("none", "pre-layer"), "budget": ("width", "parameters")}
    restarts = ("depth", "task", "budget", "norm", "learning_rate", "initialization", "training_steps", "seeds", "seed")

    depth = param.Integer(16, bounds=(4, 32), step=2, label="Depth", doc="blocks of every network", precedence=1)
    task = param.Selector(
        default="spirals",
        objects={"Spirals": "spirals", "Handwritten digits": "digits"},
        label="Task",
        doc="what all networks learn",
        precedence=1,
    )
    budget = param.Selector(
        default="width",
        objects={"Width": "width", "Number of parameters": "parameters"},
        label="Equal",
        doc="what all networks have in common",
    )
    norm = param.Selector(
        default="none",
        objects={"None": "none", "Pre-LN": "pre-layer"},
        label="Normalization",
        doc="whether what enters a branch is normalized",
    )
    measure = param.Selector(
        default="train",
        objects={"Training": "train", "Test": "test"},
        label="Show the loss on",
        doc="which data the curves are measured on; the runs are the same",
        precedence=1,
    )
    learning_rate = usual_parameters.learning_rate(0.003, [3e-4, 1e-3, 3e-3, 0.01, 0.03], precedence=1)
    initialization = usual_parameters.initialization("he", "default", "he", "xavier", precedence=1)
    training_steps = usual_parameters.training_steps(600, [300, 600, 1200])
    seeds = usual_parameters.seeds(3)
    seed = usual_parameters.seed()

    def architecture(self, name: str) -> Architecture:
        """The network of a variant under the chosen budget."""
        return network(name, self.depth, self.norm, self.initialization, self.budget, self.task)

    def start(self) -> Runs:
        recipe = Recipe("adam", self.learning_rate, BATCH, record_every=self.training_steps // CURVE)
        seeds, data = tuple(range(self.seed, self.seed + self.seeds)), source(self.task)
        lanes = {}
        for name in VARIANTS:
            run = perceptrons.start(self.architecture(name), recipe, data, seeds)
            lanes[name] = thinned(run, LAST_STAYS) if name == "thinned" else Contender(run)
        return lanes

    def advance(self, state: Runs, steps: int) -> Runs:
        left = self.training_steps - next(iter(state.values())).run.step
        return {name: lane.onward(min(steps, left)) for name, lane in state.items()}

    def frame(self, state: Runs) -> Frame:
        any_run = state["plain"].run
        steps = np.array([record.step for record in any_run.records])
        quantities = {"steps": Quantity(steps, "training step", "steps", ("record",))}
        answers: dict[str, Any] = {}
        lost: list[Divergence] = []
        for name, words in VARIANTS.items():
            lane, run = state[name], state[name].run
            quantities |= record_bands(run.records, f"{name}_", f"{words}: ")
            gradients = np.median(run.now.weight_gradients, axis=0)
            label = f"{words}: norm of the weight gradient, median of the seeds"
            quantities[f"{name}_gradients"] = Quantity(gradients, label, "loss per unit of weight", ("layer",))
            answers[f"{name}_fits"] = int((run.records[-1].train_error <= FITS).sum())
            answers[f"{name}_loss"] = float(np.median(run.records[-1].train_loss))
            answers[f"{name}_parameters"] = parameters(self.architecture(name), self.task)
            answers[f"{name}_width"] = run.architecture.growth if name == "dense" else run.architecture.width
            if isinstance(lane, Contender) and lane.milliseconds is not None:
                answers[f"{name}_milliseconds"] = lane.milliseconds
            lost += divergences(run, words)
        data, batch = source(self.task), BATCH
        byte_counts = [kept_bytes(self.architecture(name), data, batch) for name in VARIANTS]
        quantities["kept"] = Quantity(np.array(byte_counts), "activations kept, one seed", "bytes", ("variant",))
        sizes = [answers[f"{name}_parameters"] for name in VARIANTS]
        quantities["parameters"] = Quantity(np.array(sizes), "parameters", "numbers", ("variant",))
        products = [multiplications(self.architecture(name), self.task) for name in VARIANTS]
        label = "multiplications of the matrices for one point, forward"
        quantities["multiplications"] = Quantity(np.array(products), label, "numbers", ("variant",))
        quantities["gates"] = Quantity(
            openings(state["highway"].run), "highway: mean opening of the gate", "share", ("seed", "block")
        )
        quantities["factors"] = Quantity(_factors(state["rezero"].run), "ReZero: α", "relative", ("seed", "block"))
        return Frame(quantities, answers, any_run.step, self.training_steps, tuple(lost))

    def describe(self, frame: Frame) -> str:
        when = f"After {frame['steps'][-1]} of {frame.steps} steps" if frame.step else "Before the first step"
        fits = [f"{words} {frame.results[f'{name}_fits']}" for name, words in VARIANTS.items()]
        text = f"{when} with {self.depth} blocks, seeds that fit, of {self.seeds}: {', '.join(fits)}."
        return f"{text} The gates of the highway network are {frame['gates'].mean():.0%} open on average."

    def disclosure(self) -> Disclosure:
        equal = (
            f"All have width {WIDTH} (dense: {GROWTH} features per block)."
            if self.budget == "width"
            else "Widths, and the dense network's growth, are chosen so that the number of parameters is as close as "
            "possible to that of the plain network of width 32."
        )
        norm = "Pre-LN" if self.norm == "pre-layer" else "no norm"
        relu = (
            "A block begins with its ReLU. The blocks of the highway network, as published, and of the additive one "
            'called "ReLU last" end in it instead.'
        )
        return Disclosure(
            network=f"Multilayer perceptrons with {self.depth} one-layer blocks, {norm}. {equal} {relu} Stochastic "
            "depth leaves out the last block in half of the steps and the first ones rarely; otherwise it is the "
            "additive network.",
            data=source(self.task).load().sentence + f"; batches of {BATCH}.",
            seeds=f"{self.seeds} (from {self.seed}), the same for all; a line is their median, a band their whole "
            f"range; Adam at {number(self.learning_rate)} for all. A seed fits if at most {FITS:.0%} of its training "
            "points are misclassified.",
            cannot_show="Convolutions, images, and how each would do at a rate of its own. Times are milliseconds of "
            "processor time per step of one seed, the shortest in this run; they are not saved. They "
            "depend on this program: a fused kernel for one of the networks would change their order.",
        )


@cache
def network(name: str, depth: int, norm: Any, initialization: Any, budget: str, task: str) -> Architecture:
    """The network of a variant with `depth` blocks: of width 32, or of the width that brings its number of parameters
    closest to that of the plain one."""

    def sized(width: int, growth: int) -> Architecture:
        skip: Any = SKIPS.get(name, "additive")
        unit: Any = "one-layer" if name == "residual_relu" else usual_unit(skip)
        return Architecture(
            depth + 2, width, skip=skip, norm=norm, unit=unit, initialization=initialization, growth=growth
        )

    usual = sized(WIDTH, GROWTH)
    if budget == "width" or name == "plain":
        return usual
    target = parameters(network("plain", depth, norm, initialization, "width", task), task)
    tried = [sized(WIDTH, n) if name == "dense" else sized(n, GROWTH) for n in range(2, 2 * WIDTH)]
    return min(tried, key=lambda candidate: abs(parameters(candidate, task) - target))


def parameters(architecture: Architecture, task: str) -> int:
    """The number of parameters of a network on a task."""
    data = source(task).load()
    return make_layout(architecture, data.features, data.classes).size


def multiplications(architecture: Architecture, task: str) -> int:
    """Multiplications by weights for one point in the forward pass: those of its matrices, gates included."""
    data = source(task).load()
    layout = make_layout(architecture, data.features, data.classes)
    return sum(layer.rows * layer.columns for layer in (*layout.layers, *layout.gates))


def _factors(run: TrainingState) -> np.ndarray:
    """(seeds, blocks) the learned factor of every ReZero block."""
    data = run.source.load()
    return run.parameters[:, make_layout(run.architecture, data.features, data.classes).factors :]


@calculation(long=True, readings=("variant",), absolute=1)
def fits(variant: str, depth: int = 16, norm: str = "none", budget: str = "width", task: str = "spirals") -> int:
    """How many of three seeds fit at the end of a run."""
    run = Variants(depth=depth, norm=norm, budget=budget, task=task)
    return int(results.finished(run).results[f"{variant}_fits"])


@calculation(long=True, readings=("variant",), tolerance=0.7)
def loss(variant: str, depth: int = 16, norm: str = "none", budget: str = "width", task: str = "spirals") -> float:
    """Training loss in nats at the end of a run, median of three seeds."""
    run = Variants(depth=depth, norm=norm, budget=budget, task=task)
    return float(results.finished(run).results[f"{variant}_loss"])


@calculation(long=True, readings=("variant",), tolerance=0.7)
def growth(variant: str, depth: int = 32) -> float:
    """Root mean square of the stream after the last block over that after the stem, before training, median of three
    seeds; spirals, He's weights, no norm."""
    architecture = network(variant, depth, "none", "he", "width", "spirals")
    activations = perceptrons.start(architecture, Recipe(batch=BATCH), source("spirals"), (0, 1, 2)).now.activations
    return float(np.median(activations[:, -1] / activations[:, 0]))


@calculation(long=True, absolute=5)
def many_fits(variant: str, depth: int = 32, steps: int = 600, learning_rate: float = 0.003) -> int:
    """How many of 20 seeds (200 to 219, with which no setting was chosen) fit after some steps of Adam; spirals, He's
    weights, no norm."""
    architecture = network(variant, depth, "none", "he", "width", "spirals")
    recipe = Recipe("adam", learning_rate, BATCH, record_every=steps)
    run = perceptrons.start(architecture, recipe, source("spirals"), range(200, 220))
    return int((perceptrons.advance(run, steps).now.train_error <= FITS).sum())


@calculation
def size(variant: str, depth: int = 16, budget: str = "width") -> int:
    """The number of parameters of a variant on the spirals."""
    return parameters(network(variant, depth, "none", "he", budget, "spirals"), "spirals")


@calculation
def width(variant: str, depth: int = 16, budget: str = "parameters") -> int:
    """The width of a variant under a budget; for the dense one, the features that a block appends."""
    chosen = network(variant, depth, "none", "he", budget, "spirals")
    return chosen.growth if variant == "dense" else chosen.width
