"""Connectivity: what every layer of a small network reads, and the gradient that it sends back to each source."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number, percent
from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, evaluated, start, usual_unit
from sims.engines.perceptrons.layout import make_layout
from sims.instruments.networks import removed_blocks
from sims.instruments.networks.edges import Edge, circuit
from sims.instruments.training.divergence import divergences

WIDTH = 8
STEPS = 300
SKIPS = {"plain": "none", "add": "additive", "concatenate": "dense", "gate": "highway"}
ROUTES = ("branch", "skip", "carry", "gate")

READS = {
    "plain": "the output of the block before it, and nothing else",
    "add": "one sum, to which the stem and all earlier branches have added",
    "concatenate": "the outputs of the stem and of every earlier block, side by side",
    "gate": "one mixture, in which every gate has kept some of the old and let in some of the new",
}


class Connectivity(Training):
    """What each layer reads, and what it sends back

    Boxes are placed on a road of ribbons that leads from the stem to the head. A ribbon's width is the number of
    features that flow in it, and its color is where they come from; ribbons merge where they are added, lie side by
    side where they are concatenated, and pass a valve where a gate mixes them. Lines run back along them, as thick as
    the gradient is strong; bars show the gradient that reaches each place, route by route. Below each box is its number
    of parameters.
    """

    restarts = ("join", "blocks", "growth", "gate_bias", "seed")
    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"join": tuple(SKIPS), "blocks": tuple(range(2, 13))}

    join = param.Selector(
        default="concatenate",
        objects={"Plain": "plain", "Add": "add", "Concatenate": "concatenate", "Gate": "gate"},
        label="Way to join",
        doc="how a block's output is joined with its input",
    )
    blocks = param.Integer(6, bounds=(2, 12), label="Blocks", doc="number of blocks between stem and head")
    growth = param.Integer(
        4, bounds=(2, 32), label="Growth (concatenate)", doc="features that a dense block appends", precedence=1
    )
    gate_bias = param.Number(
        -2.0,
        bounds=(-4.0, 2.0),
        step=0.5,
        label="Gate bias (gate)",
        doc="the gates' bias before training",
        precedence=1,
    )
    look = param.Integer(
        0, bounds=(0, 12), label="Block to look at (0: none)", doc="a block whose inputs are highlighted", precedence=1
    )
    off = param.Integer(
        0, bounds=(0, 12), label="Block switched off (0: none)", doc="a block that outputs its input", precedence=1
    )
    seed = usual_parameters.seed()

    def start(self) -> TrainingState:
        skip: Any = SKIPS[self.join]
        architecture = Architecture(
            self.blocks + 2,
            WIDTH,
            skip=skip,
            unit=usual_unit(skip),
            growth=self.growth,
            gate_bias=self.gate_bias,
            initialization="he",
        )
        return start(architecture, Recipe("adam", 0.01, 64, record_every=STEPS), source("spirals"), (self.seed,))

    def advance(self, state: TrainingState, steps: int) -> TrainingState:
        return advance(state, min(steps, STEPS - state.step))

    def frame(self, state: TrainingState) -> Frame:
        data = state.source.load()
        wiring, layout = circuit(state), make_layout(state.architecture, data.features, data.classes)
        edges = wiring.edges
        blocks = layout.layers[1:-1]
        gates = layout.gates or [None] * self.blocks
        sizes = [
            layer.end - layer.weight + (gate.end - gate.weight if gate else 0)
            for layer, gate in zip(blocks, gates, strict=True)
        ]
        without = removed_blocks.errors_without(state, [[block] for block in range(self.blocks)])[:, 0]
        quantities = {
            "place": Quantity(
                np.arange(self.blocks + 1), "place of the stream, 0 after the stem", "number", ("place",)
            ),
            "stream": Quantity(wiring.stream, "norm of the gradient that reaches it", "relative", ("place",)),
            "source": Quantity(np.array([edge.source for edge in edges]), "edge: from", "block", ("edge",)),
            "target": Quantity(np.array([edge.target for edge in edges]), "edge: into", "block", ("edge",)),
            "route": Quantity(np.array([edge.route for edge in edges]), "edge: route", "name", ("edge",)),
            "features": Quantity(np.array([edge.features for edge in edges]), "edge: features", "numbers", ("edge",)),
            "gradient": Quantity(
                np.array([edge.gradient for edge in edges]),
                "edge: norm of the gradient that comes back",
                "relative",
                ("edge",),
            ),
            "reads": Quantity(np.array([layer.columns for layer in blocks]), "features read", "numbers", ("block",)),
            "makes": Quantity(np.array([layer.rows for layer in blocks]), "features made", "numbers", ("block",)),
            "parameters": Quantity(np.array(sizes), "parameters of the block, gate included", "numbers", ("block",)),
            "error_without": Quantity(
                without, "training error with the block switched off", "share of wrong answers", ("block",)
            ),
        }
        for route in ROUTES:
            label = f"gradient that comes to the place along the {route} of the next block"
            quantities[f"by_{route}"] = Quantity(self._along(route, edges), label, "relative", ("place",))
        if len(wiring.openings):
            quantities["openings"] = Quantity(wiring.openings, "mean opening of the gate", "share", ("block",))
        answers: dict[str, float | int] = {
            "parameters": layout.size,
            "loss": wiring.loss,
            "error": float(evaluated(state).now.train_error[0]),
            "ratio": float(wiring.stream[0] / wiring.stream[-1]) if wiring.stream[-1] else float("nan"),
        }
        return Frame(quantities, answers, state.step, STEPS, divergences(state, self.join))

    def _along(self, route: str, edges: Sequence[Edge]) -> np.ndarray:
        """The norm of the gradient that arrives at each place along a route, (blocks + 1,); NaN without such a
        route."""
        norms = np.full(self.blocks + 1, np.nan)
        for place in range(self.blocks):
            sent = [edge.gradient for edge in edges if edge.target == place + 1 and edge.route == route]
            if sent:
                norms[place] = np.linalg.norm(sent)
        return norms

    @property
    def _off(self) -> int:
        """The block that is switched off, counted from 0; the last one if there are fewer."""
        return min(self.off, self.blocks) - 1

    def describe(self, frame: Frame) -> str:
        results: Mapping[str, Any] = frame.results
        first, last = frame["reads"][[0, -1]]
        widths = f"{first} features" if first == last else f"{first} features in the first and {last} in the last"
        when = f"After {frame.step} of {STEPS} steps" if frame.step else "Before training"
        text = (
            f"Each of {self.blocks} blocks reads {READS[self.join]}: {widths}. {number(results['parameters'])} "
            f"parameters in all. {when}, the gradient before the first block is {number(results['ratio'], 2)} times "
            f"that after the last; {percent(results['error'])} of the training points are misclassified"
        )
        if self.off:
            text += f", and {percent(frame['error_without'][self._off])} with block {self._off + 1} switched off"
        return text + "."

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"A multilayer perceptron with {self.blocks} one-layer blocks of width {WIDTH}, no norm, He "
            "weights. A block begins with a ReLU; a block with a gate ends in a ReLU, as published. Trained for "
            f"up to {STEPS} steps of Adam at 0.01.",
            data=source("spirals").load().sentence + ".",
            seeds=f"One, number {self.seed}; gradients are those of the mean loss over all training points.",
            cannot_show="How the routes add up: the gradient in the stream is a sum of vectors, one for each route, "
            "and their lengths add up to more than the length of the sum.",
        )
