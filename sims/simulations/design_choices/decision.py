"""The decision chart: answers to questions lead to a recipe, and a network like it is trained for a few steps."""

import numpy as np
import param

from sims.builder.advice import KINDS, LIMITS, PLACES, TROUBLES, Advice, advice
from sims.builder.block_file import block_file
from sims.builder.design import Design
from sims.contract import usual_parameters
from sims.contract.bands import band
from sims.contract.frame import Frame, Quantity
from sims.contract.parameters import Stops, to_text
from sims.contract.simulation import Disclosure, NextLink, Training
from sims.contract.wording import number
from sims.data.datasets import source
from sims.engines.perceptrons import Recipe, TrainingState, advance, start, start_from
from sims.engines.perceptrons.layout import make_layout
from sims.instruments.training.divergence import divergences

STEPS = 30
"""Steps of the run: enough to see that the network learns, and about two seconds for the deepest."""


class Decision(Training):
    """Which recipe for your network?

    A tree of questions runs from top to bottom, one row for each, with a box for every answer and a line through those
    chosen; it ends in the recipe and a drawing of its block, whose branch leaves the skip and joins it at a plus sign.
    Further pictures show the size of the stream along the depth as a line, and for every block the gradient of its
    weights as a bar, in a network of that kind at that depth.
    """

    listing_repeats = False
    restarts = ("kind", "blocks", "place", "trouble", "seeds")

    kind = param.Selector(
        default="transformer",
        objects={words: name for name, words in KINDS.items()},
        label="You build",
        doc="which kind of network",
        precedence=1,
    )
    blocks = Stops(
        default=12,
        objects=[2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 300],
        label="Blocks",
        doc="how many blocks it will have",
        precedence=1,
    )
    place = param.Selector(
        default="branch",
        objects={words: name for name, words in PLACES.items()},
        label="The norm is",
        doc="where a transformer's norm has to be",
        precedence=1,
    )
    trouble = param.Selector(
        default="nothing",
        objects={words: name for name, words in TROUBLES.items()},
        label="What else?",
        doc="what else has to be solved",
        precedence=1,
    )
    seeds = usual_parameters.seeds(2)

    @property
    def advice(self) -> Advice:
        """The recipe to which the answers lead."""
        return advice(self.kind, self.blocks, self.place, self.trouble)

    def start(self) -> TrainingState:
        plan = self.advice
        recipe = Recipe("adam", 1e-3, 64, warmup=10, record_every=STEPS)
        run = start(plan.standin, recipe, source("teacher"), tuple(range(self.seeds)))
        return run if plan.shrinks == 1 else shrunk(run, plan)

    def advance(self, state: TrainingState, steps: int) -> TrainingState:
        return advance(state, min(steps, STEPS - state.step))

    def frame(self, state: TrainingState) -> Frame:
        plan = self.advice
        gradients = state.now.weight_gradients[:, 1:-1]
        per_block = np.sqrt((gradients**2).reshape(len(state.seeds), -1, 2).sum(axis=2))
        batch = state.losses.mean(axis=1) if len(state.losses) else np.array([])
        quantities = {
            "questions": Quantity(np.array([step.question for step in plan.steps]), "question", "text", ("step",)),
            "answers": Quantity(np.array([step.answer for step in plan.steps]), "answer", "text", ("step",)),
            "reasons": Quantity(np.array([step.because for step in plan.steps]), "because", "text", ("step",)),
            "losses": Quantity(batch, "loss of each batch, mean of the seeds", "nats", ("training step",)),
            "gradients": Quantity(
                np.median(per_block, axis=0), "gradient of each block's weights, median", "loss per weight", ("block",)
            ),
            **band(state.now.activations.T, "stream", "root mean square of the stream", "relative", "place"),
        }
        results: dict[str, float | str] = {
            "recipe": plan.title,
            "formula": plan.formula,
            "additions": state.architecture.blocks,
            "largest_stream": float(np.max(state.now.activations)),
        }
        return Frame(quantities, results, state.step, STEPS, divergences(state, "stand-in"))

    def describe(self, frame: Frame) -> str:
        plan = self.advice
        reasons = " ".join(step.because for step in plan.steps)
        losses = frame["losses"]
        ran = (
            f" In {frame.step} steps its loss went from {losses[0]:.2f} to {losses[-1]:.2f}." if len(losses) > 1 else ""
        )
        return (
            f"{plan.title}: {plan.formula}. {reasons} In a small network with {frame.results['additions']} additions "
            f"the stream's root mean square reaches {number(float(frame.results['largest_stream']))}.{ran}"
        )

    def next_link(self) -> NextLink:
        recipe = self.advice.recipe
        if recipe is None:
            settings = {"skip": "rezero", "norm": "none", "depth": "32"}
            return NextLink("Train ReZero in the explorer", "explorer", "explorer", settings)
        choices = {"family": recipe.family, "start": recipe.start, "blocks": recipe.blocks, "width": recipe.width}
        settings = {name: to_text(value) for name, value in choices.items() if value != getattr(Design, name)}
        return NextLink(f"Build it: {recipe.kind.label}, with every shape and its code", "recipes", "recipes", settings)

    def listing(self) -> str:
        recipe = self.advice.recipe
        return "" if recipe is None else block_file(recipe)

    def disclosure(self) -> Disclosure:
        plan = self.advice
        limits = ", ".join(f"{depth.name} with {depth.blocks} blocks" for depth in LIMITS.values())
        return Disclosure(
            network="The advice is a table of our own, with reasons. For transformers it changes beyond the deepest "
            f"released models that we cite: {limits}. Whatever you build, the run uses a stand-in: a residual "
            f"perceptron with the recipe's order of norm and sum, {plan.standin.blocks} blocks of two layers of width "
            "32. The last layers of its branches start as in the recipe, relative to He's weights. For Peri-LN it has "
            "norms after both layers.",
            data=source("teacher").load().sentence + ".",
            seeds=f"{self.seeds}; {STEPS} steps of Adam at 0.001 with a warm-up of 10; the line is the median, the "
            "band the whole range.",
            cannot_show="Whether the recipe is the best for your data. It shows that nothing explodes or vanishes at "
            "this depth, and that the loss begins to fall.",
        )


def shrunk(run: TrainingState, recommended: Advice) -> TrainingState:
    """The same run from weights whose last layers (for DeepNorm: both layers) of each branch are multiplied."""
    data = run.source.load()
    layout = make_layout(run.architecture, data.features, data.classes)
    parameters = run.parameters.copy()
    inside = layout.layers[1:-1] if run.architecture.norm == "post-layer" else layout.layers[2:-1:2]
    for layer in inside:
        layer.weights(parameters)[:] *= recommended.shrinks
    return start_from(parameters, run.architecture, run.recipe, run.source, run.seeds)
