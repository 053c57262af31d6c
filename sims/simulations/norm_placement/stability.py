"""Which placement of the norm trains: two placements side by side at every depth and every learning rate."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

import numpy as np
import param

from sims.comparisons.placements import PLACEMENTS, perceptron, transformer
from sims.contract import usual_parameters
from sims.contract.bands import STATISTICS
from sims.contract.calculation import calculation
from sims.contract.frame import Divergence, Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number, percent
from sims.data.datasets import source
from sims.engines import dispatch
from sims.engines.perceptrons import Recipe
from sims.engines.state import TrainingState
from sims.instruments.training.divergence import divergences
from sims.instruments.training.map_cell import OUTCOMES, TRAINS, code, outcome
from sims.kept import results

DEPTHS = (4, 8, 16, 32)
RATES = usual_parameters.LEARNING_RATES
TASKS = {"transformer": source("digits", points=512), "perceptron": source("spirals")}
BATCH = {"transformer": 32, "perceptron": 64}
WIDTH, HIDDEN, TOKENS, HEADS = 16, 32, 8, 2
STACK_WIDTH = 32
CURVE = 8
"""Records of a run after the first: evaluating all points costs as much as the steps between."""

LADDER = tuple(2 ** (half / 2) for half in range(8, -22, -1))
"""Learning rates from 16 down to 0.0007, each smaller by √2, for `largest_rates`"""

BESIDE = "pre"
"""The placement to which every other one is compared"""

Cells = Mapping[str, TrainingState]
"""Name of a cell → its run"""


class Stability(Training):
    """Which placement trains?

    Two maps, one below the other, share their learning rates: each has a column for each rate, a row for each depth,
    and in each cell the training error of networks with the norm in one of two places. One column and one row are
    marked; for that cell, curves show the training loss and the ratio of the gradient at the input to that at the
    output, and lines show the gradient and the size of the stream from input to output, for both placements.
    """

    divisible = True
    restarts = (
        *("placement", "network", "warmup", "clip", "optimizer", "initialization", "training_steps", "seeds", "seed"),
    )
    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"learning_rate": RATES, "depth": DEPTHS}

    placement = param.Selector(
        default="post",
        objects={placement.title: name for name, placement in PLACEMENTS.items() if name != BESIDE},
        label="Compare with Pre-LN",
        doc="the placement of the norm that is compared with Pre-LN",
    )
    learning_rate = usual_parameters.learning_rate(0.01, precedence=1)
    depth = Stops(
        default=16, objects=list(DEPTHS), label="Depth", doc="sublayers, each with one addition", precedence=1
    )
    network = param.Selector(
        default="transformer",
        objects={"Transformer on digits": "transformer", "MLP on spirals": "perceptron"},
        label="Network",
        doc="what is trained, and on what",
        precedence=1,
    )
    warmup = Stops(
        default=0,
        objects=[0, 10, 20, 40, 80, 160],
        label="Warm-up",
        doc="steps in which the learning rate rises",
        precedence=1,
    )
    clip = param.Selector(
        default=0.0,
        objects={"Off": 0.0, "At 1": 1.0},
        label="Clipping",
        doc="the longest gradient that passes unclipped",
        precedence=1,
    )
    optimizer = usual_parameters.optimizer("adam", precedence=1)
    initialization = usual_parameters.initialization("xavier", "default", "he", "xavier", precedence=1)
    training_steps = usual_parameters.training_steps(160, [40, 80, 160, 320])
    seeds = usual_parameters.seeds(3)
    seed = usual_parameters.seed()

    # -- the runs ------------------------------------------------------------------------------------------------

    @property
    def pair(self) -> tuple[str, str]:
        """The two placements."""
        return self.placement, BESIDE

    def _architecture(self, placement: str, depth: int) -> Any:
        if self.network == "perceptron":
            return perceptron(placement, depth, width=STACK_WIDTH, initialization=self.initialization)
        return transformer(
            placement,
            depth,
            width=WIDTH,
            hidden=HIDDEN,
            tokens=TOKENS,
            heads=HEADS,
            initialization=self.initialization,
        )

    def _recipe(self, rate: float) -> Recipe:
        interval = self.training_steps // CURVE
        return Recipe(self.optimizer, rate, BATCH[self.network], self.warmup, self.clip or None, record_every=interval)

    def start(self) -> Cells:
        seeds = tuple(range(self.seed, self.seed + self.seeds))
        task = TASKS[self.network]
        return {
            cell(placement, depth, rate): dispatch.start(
                self._architecture(placement, depth), self._recipe(rate), task, seeds
            )
            for placement in self.pair
            for depth in DEPTHS
            for rate in RATES
        }

    def advance(self, state: Cells, steps: int) -> Cells:
        left = self.training_steps - next(iter(state.values())).step
        return {name: dispatch.advance(run, min(steps, left)) for name, run in state.items()}

    def compute(self) -> Frame:
        """The frame after the whole run. The run holds the cells of all depths and learning rates, so these settings
        share it."""
        free = {name: self.param[name].default for name in ("depth", "learning_rate")}
        if all(getattr(self, name) == value for name, value in free.items()):
            return super().compute()
        return results.finished(Stability(**{**self.settings(), **free}))

    # -- the picture ---------------------------------------------------------------------------------------------

    def frame(self, state: Cells) -> Frame:
        any_run = next(iter(state.values()))
        steps, classes = any_run.step, TASKS[self.network].load().classes
        records = np.array([record.step for record in any_run.moments])
        map_shape = (len(self.pair), len(DEPTHS), len(RATES))
        over_time, along = (*map_shape, len(records)), (*map_shape, max(DEPTHS) + 1)
        loss, low, high, ratio = np.full((4, *over_time), np.nan)
        profiles = {name: np.full(along, np.nan) for name in PROFILES}
        errors, codes = np.full(map_shape, np.nan), np.full(map_shape, -1)
        for place, run in zip(np.ndindex(map_shape), state.values(), strict=True):
            losses = np.stack([record.train_loss for record in run.moments])
            loss[place], low[place], high[place] = np.median(losses, axis=1), losses.min(axis=1), losses.max(axis=1)
            gradients = np.stack([record.stream_gradients for record in run.moments])
            ratio[place] = _median_ratio(gradients)
            for kind in ("stream_gradients", "activations"):
                for time, record in (("start", run.records[0]), ("now", run.now)):
                    values = np.median(getattr(record, kind), axis=0)
                    profiles[f"{kind}_{time}"][place][: len(values)] = values
            if steps:
                result = outcome(run, classes)
                errors[place], codes[place] = result.error, code(result.word, steps == self.training_steps)
        axes = ("placement", "depth", "rate")
        over, across = (*axes, "record"), (*axes, "place")
        quantities = {
            "steps": Quantity(records, "training step", "steps", ("record",)),
            "placement": Quantity(
                np.array([PLACEMENTS[placement].title for placement in self.pair]), "norm", "name", axes[:1]
            ),
            "depth": Quantity(np.array(DEPTHS), "depth", "additions", axes[1:2]),
            "rate": Quantity(np.array(RATES), "learning rate", "relative", axes[2:]),
            "error": Quantity(errors, "training error, median of the seeds", "share of wrong answers", axes),
            "outcome": Quantity(codes, f"-1 open, else {', '.join(OUTCOMES)} from 0", "code", axes),
            "loss": Quantity(loss, "training loss, median of the seeds", "nats", over),
            "loss_low": Quantity(low, "training loss, lowest seed", "nats", over),
            "loss_high": Quantity(high, "training loss, highest seed", "nats", over),
            "ratio": Quantity(ratio, "gradient before the first addition over that after the last", "relative", over),
        }
        for name, label in PROFILES.items():
            quantities[name] = Quantity(profiles[name], f"{label}, median of the seeds", "relative", across)
        answers = {
            f"{key}_trains": int((grid == OUTCOMES.index(TRAINS)).sum()) for key, grid in zip(SIDES, codes, strict=True)
        }
        return Frame(
            quantities,
            {**answers, "cells": len(DEPTHS) * len(RATES)},
            steps,
            self.training_steps,
            self._divergences(state),
        )

    def _divergences(self, state: Cells) -> tuple[Divergence, ...]:
        """For each placement, the first cell of its map in which a seed diverged, and the number of such cells."""
        diverged = []
        for placement in self.pair:
            cells = [(depth, rate, state[cell(placement, depth, rate)]) for depth in DEPTHS for rate in RATES]
            lost = [entry for entry in cells if any(entry[2].overflows)]
            for depth, rate, run in lost[:1]:
                where = f"{PLACEMENTS[placement].title} (depth {depth}, learning rate {number(rate)})"
                also = f" Seeds were lost in {len(lost)} of the {len(cells)} cells of this map."
                diverged += divergences(run, where, also)
        return tuple(diverged)

    def describe(self, frame: Frame) -> str:
        where = f"At depth {self.depth} and learning rate {number(self.learning_rate)}"
        if not frame.step:
            return f"Nothing is trained yet. {where}, {' and '.join(frame['placement'].tolist())} will be compared."
        at = DEPTHS.index(self.depth), RATES.index(self.learning_rate)
        parts = []
        for side, label in enumerate(frame["placement"].tolist()):
            ratio = float(frame["ratio"][side][at][-1])
            back = f" (gradient at the input over that at the output: {number(ratio, 2)})" if np.isfinite(ratio) else ""
            parts.append(f"{label} has {percent(float(frame['error'][side][at]))} training error{back}")
        counts = [f"{frame.results[f'{key}_trains']} with {frame['placement'][side]}" for side, key in enumerate(SIDES)]
        return (
            f"{where}, after {frame.step} of {frame.steps} steps, {' and '.join(parts)}. Of {frame.results['cells']} "
            f"cells of each map, {' and '.join(counts)} train."
        )

    def disclosure(self) -> Disclosure:
        if self.network == "transformer":
            network = (
                f"Transformers of 4 to 32 sublayers (attention with {HEADS} heads and feed-forward in turn), width "
                f"{WIDTH}, {HIDDEN} hidden units, no learned gains; the {TOKENS} rows of an image are its tokens."
            )
        else:
            network = f"4 to 32 blocks of one linear layer of width {STACK_WIDTH} and a ReLU, no learned gains."
        return Disclosure(
            network=f"{PLACEMENTS[self.placement].title} and {PLACEMENTS[BESIDE].title}: {network}",
            data=TASKS[self.network].load().sentence + f"; batches of {BATCH[self.network]}.",
            seeds=f"{self.seeds} (from {self.seed}) in every cell, the same for all; numbers and lines are their "
            f"median, the band their whole range; {self.training_steps} steps. A cell counts as trained if its "
            "error at the end is below a tenth of the error that guessing gives, and as stuck if it is above nine "
            "tenths; it has diverged where most seeds overflowed.",
            cannot_show="What more steps would do, and what large models do: a placement that fails here may work "
            "with another width, task or initialization.",
        )


SIDES = ("beside", BESIDE)
"""Names of the two placements in the results"""

PROFILES = {
    "stream_gradients_start": "gradient of the stream before training",
    "stream_gradients_now": "gradient of the stream now",
    "activations_start": "root mean square of the stream before training",
    "activations_now": "root mean square of the stream now",
}
"""Quantity over the places of the stream → its label"""


def cell(placement: str, depth: int, rate: float) -> str:
    """The key of a cell's run."""
    return f"{placement} {depth} {rate:g}"


def _median_ratio(gradients: np.ndarray) -> np.ndarray:
    """First place over last for gradients (records, seeds, places), median of the seeds: (records,)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios: np.ndarray = np.median(gradients[..., 0] / gradients[..., -1], axis=1)
    return ratios


@calculation(long=True, readings=("depth", "learning_rate", "what"), tolerance=0.25, absolute=0.15)
def trained(
    placement: str,
    depth: int = 16,
    learning_rate: float = 0.01,
    warmup: int = 0,
    network: str = "transformer",
    what: str = "training_error",
    clip: float = 0.0,
) -> float:
    """A result of one cell after a default run, median of 3 seeds: "training_error", 0 to 1; "ratio" and
    "ratio_at_start", the gradient before the first addition over that after the last."""
    pair = placement if placement != BESIDE else Stability.param.placement.default
    frame = results.finished(Stability(placement=pair, warmup=warmup, network=network, clip=clip))
    at = int(placement == BESIDE), DEPTHS.index(depth), RATES.index(learning_rate)
    if what == "training_error":
        return float(frame["error"][at])
    return float(frame["ratio"][at][{"ratio_at_start": 0, "ratio": -1}[what]])


@calculation(long=True, readings=("statistic",), tolerance=0.5)
def largest_rate(placement: str, optimizer: str, warmup: int = 0, statistic: str = "median") -> float:
    """The largest learning rate at which a transformer of 16 sums still learns (see `largest_rates`); over 5 seeds."""
    return STATISTICS[statistic](largest_rates(placement, optimizer, warmup).tolist())


@cache
def largest_rates(
    placement: str, optimizer: str, warmup: int = 0, depth: int = 16, seeds: int = 5, seed: int = 0
) -> np.ndarray:
    """For each seed, the largest rate of `LADDER` with which fewer than half of the training points of a transformer
    are wrong after 160 steps, (seeds,); NaN if there is none."""
    simulation = Stability(optimizer=optimizer, warmup=warmup)
    largest = np.full(seeds, np.nan)
    for rate in LADDER:
        run = _untrained(simulation, placement, depth, rate, seeds, seed)
        run = dispatch.advance(run, simulation.training_steps)
        lost = np.array([overflow is not None for overflow in run.overflows])
        learns = ~lost & (run.now.train_error < 0.5)
        largest[np.isnan(largest) & learns] = rate
        if not np.isnan(largest).any():
            break
    return largest


@calculation(long=True, tolerance=0.5)
def rate_gap(optimizer: str) -> float:
    """The median of `largest_rate` for Pre-LN over that for Post-LN, without warm-up."""
    pre, post = (np.median(largest_rates(placement, optimizer)) for placement in ("pre", "post"))
    return float(pre / post)


@calculation(long=True, tolerance=0.5)
def warmup_gain(optimizer: str) -> float:
    """The median of `largest_rate` for Post-LN with a warm-up over 80 steps over that without."""
    with_warmup, without = (np.median(largest_rates("post", optimizer, steps)) for steps in (80, 0))
    return float(with_warmup / without)


@calculation(long=True, readings=("statistic",))
def first_gradient(placement: str, statistic: str = "median") -> float:
    """Norm of the gradient of all weight matrices of a transformer of 16 sums before its first step; over 5 seeds."""
    return STATISTICS[statistic](first_gradients(placement).tolist())


def first_gradients(placement: str, depth: int = 16, seeds: int = 5, seed: int = 0) -> np.ndarray:
    """Norm of the gradient of all weight matrices of a transformer before its first step, (seeds,)."""
    simulation = Stability()
    run = _untrained(simulation, placement, depth, simulation.learning_rate, seeds, seed)
    norms: np.ndarray = np.linalg.norm(run.records[0].weight_gradients, axis=1)
    return norms


def _untrained(simulation: Stability, placement: str, depth: int, rate: float, seeds: int, seed: int) -> TrainingState:
    architecture, recipe = simulation._architecture(placement, depth), simulation._recipe(rate)
    return dispatch.start(architecture, recipe, TASKS[simulation.network], tuple(range(seed, seed + seeds)))
