"""Where the norm goes, decided by training: five placements, any depth, any learning rate, and a map of both."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import param

from sims.comparisons.placements import PLACEMENTS, perceptron, transformer
from sims.contract import usual_parameters
from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Honesty, Training
from sims.contract.wording import number
from sims.data.datasets import source
from sims.engines.either import begin, onward
from sims.engines.perceptrons import Recipe
from sims.engines.state import TrainingState
from sims.instruments.curves import TRAINING, record_bands, record_medians
from sims.instruments.divergence import divergences
from sims.instruments.map_cell import OUTCOMES, Outcome, code, outcome, remember, remembered
from sims.kept import results

DEPTHS = (4, 8, 12, 16, 24, 32, 48, 64)
MAP_DEPTHS = (4, 8, 16, 32)
RATES = usual_parameters.LEARNING_RATES
TASKS = {"transformer": source("digits", points=512), "perceptron": source("spirals")}
BATCH = {"transformer": 32, "perceptron": 64}
WIDTH, HIDDEN, TOKENS, HEADS = 16, 32, 8, 2
STACK_WIDTH = 32
CURVE = 16
"""Records of a run after the first."""

PIECE = 10
"""Training steps of one seed that make up one step of the map."""


@dataclass(frozen=True)
class Laboratory:
    """The run that is looked at, and the map as far as it has been filled."""

    run: TrainingState
    cells: tuple[Outcome, ...] = ()
    pieces: int = 0
    """Steps of the map that were taken, in all cells"""
    trained: TrainingState | None = None
    """The run of the cell under way; None where it has not begun, or is known already"""


class Stability(Training):
    """Which placement trains?

    A curve shows the loss of a transformer, or of a fully connected stack, with the norm where it was put. Two colored
    grids, training step across and depth upwards, show the gradient of the stream and of the weights; lines show the
    size of the stream. A map with a cell for each learning rate and depth then says which of them train.
    """

    restarts = (
        *("placement", "network", "depth", "learning_rate", "warmup", "clip", "optimizer", "initialization"),
        *("training_steps", "seeds", "seed", "with_map"),
    )

    placement = param.Selector(
        default="post",
        objects={label: name for name, (label, _norm, _final) in PLACEMENTS.items()},
        label="Norm",
        doc="where the norm stands",
    )
    network = param.Selector(
        default="transformer",
        objects={"Transformer on digits": "transformer", "MLP on spirals": "perceptron"},
        label="Network",
        doc="what is trained, and on what",
    )
    depth = Stops(
        default=16, objects=list(DEPTHS), label="Depth", doc="additions on the stream: sublayers, or blocks of the MLP"
    )
    learning_rate = usual_parameters.learning_rate(0.01)
    warmup = Stops(
        default=0, objects=[0, 10, 20, 40, 80, 160], label="Warm-up", doc="steps in which the learning rate rises"
    )
    clip = param.Selector(
        default=0.0, objects={"Off": 0.0, "At 1": 1.0}, label="Clipping", doc="the longest gradient that is let through"
    )
    optimizer = usual_parameters.optimizer("adam")
    initialization = usual_parameters.initialization("xavier", "default", "he", "xavier", precedence=1)
    training_steps = usual_parameters.training_steps(160, [80, 160, 320, 640])
    seeds = usual_parameters.seeds(3)
    seed = usual_parameters.seed()
    with_map = param.Boolean(True, label="Fill the map", doc="go on with the map when the run has ended", precedence=1)

    # -- the run and the map -------------------------------------------------------------------------------------

    def _architecture(self, depth: int) -> Any:
        if self.network == "perceptron":
            return perceptron(self.placement, depth, width=STACK_WIDTH, initialization=self.initialization)
        return transformer(
            self.placement,
            depth,
            width=WIDTH,
            hidden=HIDDEN,
            tokens=TOKENS,
            heads=HEADS,
            initialization=self.initialization,
        )

    def _recipe(self, rate: float, record_every: int) -> Recipe:
        return Recipe(
            self.optimizer, rate, BATCH[self.network], self.warmup, self.clip or None, record_every=record_every
        )

    def start(self) -> Laboratory:
        seeds = tuple(range(self.seed, self.seed + self.seeds))
        recipe = self._recipe(self.learning_rate, self.training_steps // CURVE)
        return Laboratory(begin(self._architecture(self.depth), recipe, TASKS[self.network], seeds))

    @property
    def places(self) -> list[tuple[int, float]]:
        """Depth and learning rate of every cell, in the order in which they are trained: shallow first."""
        return [(depth, rate) for depth in MAP_DEPTHS for rate in RATES] if self.with_map else []

    @property
    def pieces_per_cell(self) -> int:
        return self.training_steps // PIECE

    def advance(self, state: Laboratory, steps: int) -> Laboratory:
        of_run = min(steps, self.training_steps - state.run.step)
        if of_run:
            state = replace(state, run=onward(state.run, of_run))
        of_map = min(steps - of_run, self.pieces_per_cell * len(self.places) - state.pieces)
        for _ in range(of_map):
            state = self._next_piece(state)
        return state

    def _next_piece(self, state: Laboratory) -> Laboratory:
        index, piece = divmod(state.pieces, self.pieces_per_cell)
        depth, rate = self.places[index]
        key = (self._architecture(depth), self._recipe(rate, self.training_steps), self.seed, self.training_steps)
        found, run = remembered(key), state.trained
        last = piece + 1 == self.pieces_per_cell
        if found is None:
            if run is None:
                task = TASKS[self.network]
                run = onward(begin(key[0], key[1], task, (self.seed,)), piece * PIECE)
            run = onward(run, PIECE)
            if last:
                found = outcome(run, run.source.load().classes)
                remember(key, found)
        cells = (*state.cells, found) if last and found is not None else state.cells
        return replace(state, cells=cells, pieces=state.pieces + 1, trained=None if last else run)

    # -- the picture ---------------------------------------------------------------------------------------------

    def frame(self, state: Laboratory) -> Frame:
        run = state.run
        steps = np.array([record.step for record in run.moments])
        quantities = {"steps": Quantity(steps, "training step", "steps", ("record",))}
        quantities |= record_bands(run.moments, curves=TRAINING)
        for kind, words, place in (
            ("stream_gradients", "gradient of the stream", "place"),
            ("weight_gradients", "gradient of the weights", "layer"),
            ("activations", "root mean square of the stream", "place"),
        ):
            quantities[kind] = Quantity(
                record_medians(run.moments, kind), f"{words}, median of the seeds", "relative", ("record", place)
            )
        errors, codes = np.full((len(MAP_DEPTHS), len(RATES)), np.nan), np.full((len(MAP_DEPTHS), len(RATES)), -1)
        for (depth, rate), cell in zip(self.places, state.cells, strict=False):
            at = MAP_DEPTHS.index(depth), RATES.index(rate)
            errors[at], codes[at] = cell.error, code(cell.word)
        axes = ("map depth", "map learning rate")
        quantities["map_error"] = Quantity(errors, "training error, one seed", "share of wrong answers", axes)
        quantities["map_outcome"] = Quantity(codes, f"-1 not yet, else {', '.join(OUTCOMES)} from 0", "code", axes)
        with np.errstate(divide="ignore", invalid="ignore"):
            gradients = [np.median(each.stream_gradients[:, 0] / each.stream_gradients[:, -1]) for each in run.moments]
        lost = sum(overflow is not None for overflow in run.overflows)
        answers: dict[str, float | int | str] = {
            "loss": float(np.median(run.now.train_loss)),
            "training_error": float(np.median(run.now.train_error)),
            "lost": lost,
            "ratio_at_start": float(gradients[0]),
            "ratio": float(gradients[-1]),
            "run_step": run.step,
            "cells": len(state.cells),
            "all_cells": len(self.places),
        }
        return Frame(
            quantities,
            answers,
            run.step + state.pieces,
            self.training_steps + self.pieces_per_cell * len(self.places),
            divergences(run, PLACEMENTS[self.placement][0]),
        )

    def describe(self, frame: Frame) -> str:
        step, label = int(frame.results["run_step"]), PLACEMENTS[self.placement][0]
        when = f"After {step} of {self.training_steps} steps" if step else "Before the first step"
        error, lost = float(frame.results["training_error"]), int(frame.results["lost"])
        gone = f"; {lost} of {self.seeds} seeds left the finite numbers" if lost else ""
        ratio = float(frame.results["ratio"])
        back = (
            f" The gradient behind the first addition is {number(ratio, 2)} times that behind the last."
            if (np.isfinite(ratio))
            else ""
        )
        done = int(frame.results["cells"])
        of_map = f" Of {done} cells of the map, {int((frame['map_outcome'] == 0).sum())} train." if done else ""
        return (
            f"{when} at depth {self.depth} and learning rate {number(self.learning_rate)}, the {label} network has "
            f"{error:.0%} training error{gone}.{back}{of_map}"
        )

    def honesty(self) -> Honesty:
        if self.network == "transformer":
            network = (
                f"A transformer of {self.depth} sublayers (attention with {HEADS} heads and feed-forward in turn), "
                f"width {WIDTH}, {HIDDEN} hidden units, no learned gains; the {TOKENS} rows of an image are its tokens."
            )
        else:
            network = f"{self.depth} blocks of one linear layer of width {STACK_WIDTH} and a ReLU, no learned gains."
        return Honesty(
            network=f"{PLACEMENTS[self.placement][0]}: {network}",
            data=TASKS[self.network].load().sentence + f"; {BATCH[self.network]} of them make a step.",
            seeds=f"{self.seeds} (from {self.seed}); line and colors are their median, the band their whole range; "
            f"{self.training_steps} steps. The map trains one seed per cell. A cell trains if less than a tenth of a "
            "guesser's errors is left, and is stuck above nine tenths.",
            cannot_show="What more steps would do, and what large models do: a placement that fails here may work at "
            "another width, task or initialization.",
        )


@calculation(long=True, readings=("what",), tolerance=0.25, absolute=0.15)
def trained(
    placement: str,
    depth: int = 16,
    learning_rate: float = 0.01,
    warmup: int = 0,
    network: str = "transformer",
    what: str = "training_error",
    clip: float = 0.0,
) -> float:
    """A result of a default run without the map, median of 3 seeds; "training_error" is 0 to 1."""
    simulation = Stability(
        placement=placement,
        depth=depth,
        learning_rate=learning_rate,
        warmup=warmup,
        network=network,
        clip=clip,
        with_map=False,
    )
    return float(results.finished(simulation).results[what])
