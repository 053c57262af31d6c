"""Arena: several architectures race on one task, with the same budget, order of data and seeds."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import param

from sims import training, transformers, usual_parameters
from sims.bands import band
from sims.base import Honesty, Training
from sims.data import source
from sims.divergence import divergences
from sims.entrants import ENTRANTS, FIELDS, GROWTH, WIDTH, architecture
from sims.failures import LEVEL, VANISHED
from sims.frame import Frame, Quantity
from sims.kept_activations import kept_bytes
from sims.parameters import Stops
from sims.standings import RULE, Score, places, score
from sims.training import Recipe
from sims.transformers import Transformer

BATCH = {"spirals": None, "digits": 64}
"""Task → points per step; None: all"""

CURVE = {"spirals": 50, "digits": 25}
"""Task → points of a curve over a whole race; digits have more examples to look at for each"""


@dataclass(frozen=True)
class Lane:
    """One entrant's run, a state of `sims.training` or `sims.transformers`, and what its steps took."""

    run: Any
    seconds: tuple[float, ...] = ()
    """Of each chunk: seconds per step of one seed. Measured, so it differs from run to run; nothing depends on it."""


Lanes = Mapping[str, Lane]


class Arena(Training):
    """A race of architectures

    Curves of the training loss, one for each network, fall or stay up over the same steps; below them stand the order
    at the finish, how evenly the gradient reaches the first and the last block, and what each network costs.
    """

    divisible = True
    restarts = (
        *("depth", "task", "field", "initialization", "learning_rate", "optimizer", "warmup", "branch_factor"),
        *("training_steps", "seeds", "seed"),
    )

    depth = param.Integer(32, bounds=(4, 64), step=4, label="Depth", doc="blocks of every entrant, each with its skip")
    initialization = usual_parameters.initialization("default", "default", "he", "xavier")
    task = param.Selector(
        default="spirals", objects={"Spirals": "spirals", "Handwritten digits": "digits"},
        label="Task", doc="what everybody learns",
    )  # fmt: skip
    field = param.Selector(
        default="usual",
        objects={"The usual six": "usual", "Skips": "skips", "Norms": "norms", "Everybody": "all"},
        label="Entrants", doc="who races",
    )  # fmt: skip
    measure = param.Selector(
        default="train", objects={"Training": "train", "Test": "test"},
        label="Show the loss on", doc="which data the curves are measured on; the race is the same", precedence=1,
    )  # fmt: skip
    learning_rate = usual_parameters.learning_rate(0.003, [1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1], precedence=1)
    optimizer = usual_parameters.optimizer("adam", precedence=1)
    warmup = Stops(
        default=0, objects=[0, 25, 50, 100], label="Warm-up", doc="steps in which the learning rate rises", precedence=1
    )
    branch_factor = param.Selector(
        default="1", objects={"1": "1", "1/√depth": "1/sqrt(blocks)", "1/depth": "1/blocks"},
        label="Branch factor", doc="in front of the branches of the residual entrant without a norm", precedence=1,
    )  # fmt: skip
    training_steps = usual_parameters.training_steps(250, [100, 250, 500, 1000])
    seeds = usual_parameters.seeds(3, precedence=None)
    seed = usual_parameters.seed()

    @property
    def entrants(self) -> tuple[str, ...]:
        """Who races."""
        return FIELDS[self.field]

    def architecture(self, name: str) -> Any:
        """What an entrant is, for these parameters."""
        return architecture(name, self.task, self.depth, self.initialization, self.branch_factor)

    def start(self) -> Lanes:
        recipe = Recipe(
            optimizer=self.optimizer,
            learning_rate=self.learning_rate,
            batch=BATCH[self.task],
            warmup=self.warmup,
            record_every=max(1, self.training_steps // CURVE[self.task]),
        )
        seeds = tuple(range(self.seed, self.seed + self.seeds))
        data = source(self.task)
        lanes = {}
        for name in self.entrants:
            chosen = self.architecture(name)
            begin = transformers.start if isinstance(chosen, Transformer) else training.start
            lanes[name] = Lane(begin(chosen, recipe, data, seeds))
        return lanes

    def advance(self, state: Lanes, steps: int) -> Lanes:
        left = self.training_steps - next(iter(state.values())).run.step
        return {name: self._advance(lane, min(steps, left)) for name, lane in state.items()}

    def _advance(self, lane: Lane, steps: int) -> Lane:
        if steps < 1:
            return lane
        onward = transformers.advance if isinstance(lane.run, transformers.State) else training.advance
        began = time.perf_counter()
        run = onward(lane.run, steps)
        taken = (time.perf_counter() - began) / steps / len(run.seeds)
        if any(run.overflows):
            return replace(lane, run=run)
        return Lane(run, (*lane.seconds, taken))

    def frame(self, state: Lanes) -> Frame:
        any_run = next(iter(state.values())).run
        steps = [record.step for record in any_run.records]
        quantities = {"steps": Quantity(np.array(steps), "training step", "steps", ("record",))}
        for name, lane in state.items():
            for part, words in (("train", "training"), ("test", "test")):
                for measure, unit in (("loss", "nats"), ("error", "share of wrong answers")):
                    values = np.stack([getattr(record, f"{part}_{measure}") for record in lane.run.records])
                    label = f"{ENTRANTS[name].label}: {words} {measure}"
                    quantities |= band(values, f"{name}_{part}_{measure}", label, unit, "record")
        scores = standings(state)
        order = places(scores)
        batch = BATCH[self.task] or len(source(self.task).load().train_labels)
        columns: dict[str, tuple[list[Any], str, str]] = {
            "entrants": ([ENTRANTS[name].label for name in state], "entrant", "name"),
            "places": ([order[name] for name in state], "place", "place"),
            "finishers": ([len(scores[name].finished) for name in state], "seeds across the finish line", "seeds"),
            "finish": ([scores[name].step for name in state], "step of the finish, median of its seeds", "steps"),
            "finish_low": ([min(scores[name].finished, default=np.inf) for name in state], "first seed", "steps"),
            "finish_high": ([max(scores[name].finished, default=np.inf) for name in state], "last seed", "steps"),
            "health": ([health(gradient_ratio(lane.run.now)) for lane in state.values()], "gradient, now", "kind"),
            "gradients_at_start": (
                [gradient_ratio(lane.run.records[0]) for lane in state.values()],
                "gradient of the stream, first over last, at start, median of the seeds", "relative",
            ),
            "gradients": (
                [gradient_ratio(lane.run.now) for lane in state.values()],
                "gradient of the stream, first over last, now, median of the seeds", "relative",
            ),
            "parameters": ([lane.run.parameters.shape[1] for lane in state.values()], "parameters", "numbers"),
            "kept": (
                [kept_bytes(self.architecture(name), source(self.task), batch) for name in state],
                "activations kept for the backward pass, one seed", "bytes",
            ),
        }  # fmt: skip
        for key, (column, label, unit) in columns.items():
            quantities[key] = Quantity(np.array(column), label, unit, ("entrant",))
        return Frame(
            quantities, self._results(state, scores, order), any_run.step, self.training_steps,
            tuple(each for name, lane in state.items() for each in divergences(lane.run, ENTRANTS[name].label)),
        )  # fmt: skip

    def _results(
        self, state: Lanes, scores: Mapping[str, Score], order: Mapping[str, int]
    ) -> dict[str, float | int | str]:  # fmt: skip
        first = [ENTRANTS[name].label for name in order if order[name] == 1]
        found: dict[str, float | int | str] = {"winner": " and ".join(first) if any_finish(scores) else "nobody yet"}
        for name, lane in state.items():
            found[f"{name}_place"] = order[name]
            found[f"{name}_finishers"] = len(scores[name].finished)
            found[f"{name}_error"] = float(np.median(lane.run.now.train_error))
            if lane.seconds:
                found[f"{name}_milliseconds"] = 1000 * float(np.median(lane.seconds))
        return found

    def describe(self, frame: Frame) -> str:
        columns = (frame[key].tolist() for key in ("places", "finishers", "finish"))
        lead, lost = [], []
        for name, place, finishers, step in sorted(
            zip(self.entrants, *columns, strict=True), key=lambda row: row[1::2]
        ):
            label = ENTRANTS[name].label
            if finishers and place <= 3:
                lead.append(f"{place}. {label} ({finishers} of {self.seeds} at step {step:.0f})")
            elif not finishers:
                lost.append(f"{label} ({self._reason(frame, name)})")
        when = f"After {frame.step} of {frame.steps} steps" if frame.step else "Before the first step"
        ahead = f"on the podium: {'; '.join(lead)}" if lead else "nobody is across the finish line"
        behind = f" Not across: {'; '.join(lost)}." if lead and lost else ""
        return f"{when} at depth {self.depth}, {ahead}.{behind}"

    def _reason(self, frame: Frame, name: str) -> str:
        """Why an entrant is not across, from the meters."""
        ratio = frame["gradients_at_start"][self.entrants.index(name)]
        error = float(frame.results[f"{name}_error"])
        if any(f"the {ENTRANTS[name].label} network" in each.quantity for each in frame.diverged):
            return "left the finite numbers"
        if not ratio >= VANISHED:
            return "next to no gradient reaches its first block"
        loss = frame[f"{name}_train_loss"]
        if loss[-1] > 2 * loss[0]:
            return "its loss has grown"
        return f"{error:.0%} wrong"

    def honesty(self) -> Honesty:
        span = "all 256 points" if self.task == "spirals" else "64 images"
        tokens = "two" if self.task == "spirals" else "eight"
        return Honesty(
            network=f"Fully connected entrants: {self.depth} one-layer blocks of width {WIDTH} with ReLU (dense: "
            f"{GROWTH} features per block); transformers: {self.depth} sublayers on {tokens} tokens of width 16 per "
            "point. Equal depth, not equal parameters: the bars tell the difference. Norms have no learned gain. Kept "
            "activations are counted in the arrays of this trainer; times are measured as you watch.",
            data=f"{source(self.task).load().sentence}; {span} make a step, in the same order for everybody.",
            seeds=f"{self.seeds} (from {self.seed}), the same for all entrants; {self.training_steps} steps, learning "
            f"rate {self.learning_rate:g} for all, none tuned. {RULE}.",
            cannot_show="Which architecture is better: another learning rate, start or task turns the order around. "
            "Tiny networks on a toy task are no evidence about large models.",
        )


def standings(state: Lanes) -> dict[str, Score]:
    """The score of every entrant."""
    found = {}
    for name, lane in state.items():
        records = lane.run.records
        losses = np.array(lane.run.now.train_loss)
        losses[[overflow is not None for overflow in lane.run.overflows]] = np.inf
        found[name] = score([each.step for each in records], np.stack([each.train_error for each in records]), losses)
    return found


def any_finish(scores: Mapping[str, Score]) -> bool:
    """Whether any seed has crossed the finish line."""
    return any(each.finished for each in scores.values())


def gradient_ratio(record: training.Record) -> float:
    """∂L/∂h in front of the first block over that behind the last, median over the seeds; NaN where 0 stands below."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.median(record.stream_gradients[:, 0] / record.stream_gradients[:, -1]))


def health(ratio: float) -> str:
    """ "level" where the first block gets a gradient within a factor of ten of the last one's; else "fading" on its way
    back, "growing", or "zero"."""
    if ratio == 0:
        return "zero"
    if LEVEL[0] <= ratio <= LEVEL[1]:
        return "level"
    return "fading" if ratio < LEVEL[0] else "growing"
