"""Points pass through a trained residual network, block by block."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.frame import Frame, Quantity
from sims.contract.recipe_words import steps_taken
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import percent
from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, start
from sims.instruments.stacks.streams import margin, streams
from sims.instruments.training.divergence import divergences

BLOCKS, WIDTH = 8, 16
RATE, BATCH, STEPS = 0.003, 64, 600
SHOWN = 100
"""Points that are drawn, half of them of each class."""


class Passage(Training):
    """Points on their way through a trained network

    Points of two classes, as circles and triangles, are drawn at their places in a network's residual stream after a
    block, each block to its own scale. Farther right are points that the head of the network would more surely take for
    one class if it read the stream there, and farther left those that it would take for the other; upward is the
    remaining direction in which the streams differ most. A thin line shows how the block has moved each point.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"block": range(BLOCKS + 1)}
    restarts = ("seed",)

    block = param.Integer(BLOCKS, bounds=(0, BLOCKS), label="Blocks passed", doc="the place whose stream is shown")
    seed = usual_parameters.seed()
    # Shows only one slider, and the button for a new seed.
    seed.precedence = -1

    def start(self) -> TrainingState:
        architecture = Architecture(2 * BLOCKS + 2, WIDTH, unit="two-layer", initialization="default")
        recipe = Recipe("adam", RATE, BATCH, record_every=STEPS // 4)
        return start(architecture, recipe, source("spirals"), (self.seed,))

    def advance(self, state: TrainingState, steps: int) -> TrainingState:
        return advance(state, min(steps, STEPS - state.step))

    def frame(self, state: TrainingState) -> Frame:
        data = state.source.load()
        stream = streams(state, data.train_inputs)
        across, upward = seen_by_the_head(stream, *margin(state))
        wrong = ((across > 0) != data.train_labels).mean(axis=1)
        axes = ("block", "point")
        return Frame(
            {
                "across": Quantity(across[:, :SHOWN], "the head's second answer less its first", "nats", axes),
                "upward": Quantity(upward[:, :SHOWN], "direction of most difference besides", "of the stream", axes),
                "classes": Quantity(data.train_labels[:SHOWN], "class of the point", "number", ("point",)),
                "errors": Quantity(wrong, "training error of the head after every block", "share", ("block",)),
            },
            {"training_error": float(wrong[-1]), "blocks": BLOCKS, "points": len(data.train_labels)},
            state.step,
            STEPS,
            tuple(divergences(state, "network")),
        )

    def describe(self, frame: Frame) -> str:
        when = f"After {frame.step} of {frame.steps} steps" if frame.step else "Before the first step"
        wrong = f"{percent(float(frame['errors'][self.block]))} of the {frame.results['points']} training points wrong"
        if self.block == BLOCKS:
            return f"{when}, the head, which reads the stream after all {BLOCKS} blocks, gets {wrong}."
        where = f"after block {self.block} of {BLOCKS}" if self.block else "before the first block"
        return f"{when}, the head would get {wrong} if it read the stream {where}."

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"A residual multilayer perceptron: {BLOCKS} blocks of two layers on a stream of {WIDTH} numbers, "
            "ReLU, no norm, PyTorch's default initial weights.",
            data=source("spirals").load().sentence + f"; {SHOWN} of the training points are drawn.",
            seeds=f"One ({self.seed}); another seed would show other directions; "
            f"{steps_taken(STEPS, 'adam', RATE, BATCH)}.",
            cannot_show=f"All {WIDTH} numbers of the stream: two directions are drawn, and points that coincide "
            "here may be apart in the others.",
        )


def seen_by_the_head(stream: np.ndarray, weights: np.ndarray, bias: float) -> tuple[np.ndarray, np.ndarray]:
    """Project streams (places, points, width) on two axes: across and upward, (places, points) each.

    Across is the output of a head with these `weights` (width,) and `bias`. Upward is the direction, at right angles to
    the weights, in which the points vary most after the blocks, each block counting alike. The results are not finite
    if a stream is not.
    """
    if not np.isfinite(stream).all():
        return np.full(stream.shape[:2], np.nan), np.full(stream.shape[:2], np.nan)
    across = stream @ weights + bias
    rest = stream - np.multiply.outer(stream @ weights, weights) / (weights @ weights)
    rest = rest - rest.mean(axis=1, keepdims=True)
    sizes = np.sqrt((rest**2).mean(axis=(1, 2), keepdims=True))
    alike = np.divide(rest, sizes, out=np.zeros_like(rest), where=sizes > 0).reshape(-1, rest.shape[-1])
    direction = np.linalg.eigh(alike.T @ alike)[1][:, -1]
    return across, rest @ (direction * np.sign(direction[np.argmax(np.abs(direction))]))
