"""Arena: several architectures race on one task, with the same budget, data order and seeds."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.comparisons.entrants import BATCH, ENTRANTS, FIELDS, GROWTH, WIDTH, architecture
from sims.comparisons.racer import Racer, entered
from sims.comparisons.standings import RULE, Score, places, progress, score_of
from sims.contract import usual_parameters
from sims.contract.bands import band
from sims.contract.frame import Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number
from sims.data.datasets import source
from sims.engines import dispatch
from sims.engines.perceptrons import Recipe
from sims.instruments.costs.kept_activations import kept_bytes
from sims.instruments.gradients.gradient_ratio import VANISHED, gradient_ratio, slope
from sims.instruments.training.curves import record_bands
from sims.instruments.training.divergence import divergences

CURVE = {"spirals": 50, "digits": 25}
"""Task → points of a curve over a whole race; digits get fewer because each point evaluates more examples"""

Racers = Mapping[str, Racer]


class Arena(Training):
    """A race of architectures

    Each network has a track, on which a marker with the map of its answers moves right as the network gets more
    training points right, up to the finish line; at the end of a track are the network's place and the step at which it
    finished. Below the tracks is a podium: each network that finishes gets a pillar, and networks that share a place
    share one. Further pictures show the loss over the steps, how evenly the gradient reaches the first and the last
    block, and what each network costs.
    """

    divisible = True
    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"depth": (8, 16, 32, 64), "initialization": ("default", "he")}
    restarts = (
        *("depth", "task", "field", "initialization", "learning_rate", "optimizer", "warmup", "branch_factor"),
        *("training_steps", "seeds", "seed"),
    )

    depth = param.Integer(32, bounds=(4, 64), step=4, label="Depth", doc="blocks of every entrant, each with its skip")
    initialization = usual_parameters.initialization("default", "default", "he", "xavier", precedence=1)
    task = param.Selector(
        default="spirals",
        objects={"Spirals": "spirals", "Handwritten digits": "digits"},
        label="Task",
        doc="what all networks learn",
    )
    field = param.Selector(
        default="usual",
        objects={"The usual six": "usual", "Skips": "skips", "Norms": "norms", "All ten": "all"},
        label="Networks",
        doc="which networks race",
        precedence=1,
    )
    measure = param.Selector(
        default="train",
        objects={"Training": "train", "Test": "test"},
        label="Show the loss on",
        doc="which data the curves are measured on; the race is the same",
        precedence=1,
    )
    learning_rate = usual_parameters.learning_rate(0.003, [1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1], precedence=1)
    optimizer = usual_parameters.optimizer("adam", precedence=1)
    warmup = Stops(
        default=0, objects=[0, 25, 50, 100], label="Warm-up", doc="steps in which the learning rate rises", precedence=1
    )
    branch_factor = param.Selector(
        default="1",
        objects={"1": "1", "1/√depth": "1/sqrt(blocks)", "1/depth": "1/blocks"},
        label="Branch factor",
        doc="on the branches of the residual networks without a norm",
        precedence=1,
    )
    training_steps = usual_parameters.training_steps(250, [100, 250, 500, 1000])
    seeds = usual_parameters.seeds(3)
    seed = usual_parameters.seed()

    @property
    def entrants(self) -> tuple[str, ...]:
        """The names of the networks that race."""
        return FIELDS[self.field]

    def architecture(self, name: str) -> Any:
        """The architecture of an entrant with these parameters."""
        return architecture(name, self.task, self.depth, self.initialization, self.branch_factor)

    def start(self) -> Racers:
        recipe = Recipe(
            optimizer=self.optimizer,
            learning_rate=self.learning_rate,
            batch=BATCH[self.task],
            warmup=self.warmup,
            record_every=max(1, self.training_steps // CURVE[self.task]),
        )
        seeds = tuple(range(self.seed, self.seed + self.seeds))
        data = source(self.task)
        return {name: entered(dispatch.start(self.architecture(name), recipe, data, seeds)) for name in self.entrants}

    def advance(self, state: Racers, steps: int) -> Racers:
        left = self.training_steps - next(iter(state.values())).run.step
        return {name: lane.onward(min(steps, left)) for name, lane in state.items()}

    def frame(self, state: Racers) -> Frame:
        any_run = next(iter(state.values())).run
        steps = [record.step for record in any_run.records]
        quantities = {"steps": Quantity(np.array(steps), "training step", "steps", ("record",))}
        for name, lane in state.items():
            label = f"{ENTRANTS[name].title}: "
            quantities |= record_bands(lane.run.records, f"{name}_", label)
            way = progress(np.stack([record.train_error for record in lane.run.records]))
            words = f"{label}training points right, 1 for a seed from its finish on"
            quantities |= band(way, f"{name}_progress", words, "share of right answers", "record")
            if lane.maps:
                answers = f"{label}answers over the plane, middle seed"
                axes = ("record", "row", "column")
                quantities[f"{name}_maps"] = Quantity(np.stack(lane.maps), answers, "16 class + confidence", axes)
        scores = {name: score_of(lane.run) for name, lane in state.items()}
        order = places(scores)
        batch = BATCH[self.task] or len(source(self.task).load().train_labels)
        columns: dict[str, tuple[list[Any], str, str]] = {
            "entrants": ([ENTRANTS[name].title for name in state], "entrant", "name"),
            "places": ([order[name] for name in state], "place", "place"),
            "finishers": ([len(scores[name].finished) for name in state], "seeds across the finish line", "seeds"),
            "finish": ([scores[name].step for name in state], "step of the finish, median of its seeds", "steps"),
            "finish_low": ([min(scores[name].finished, default=np.inf) for name in state], "first seed", "steps"),
            "finish_high": ([max(scores[name].finished, default=np.inf) for name in state], "last seed", "steps"),
            "health": ([slope(gradient_ratio(lane.run.now)) for lane in state.values()], "gradient, now", "kind"),
            "gradients_at_start": (
                [gradient_ratio(lane.run.records[0]) for lane in state.values()],
                "gradient of the stream, first over last, at start, median of the seeds",
                "relative",
            ),
            "gradients": (
                [gradient_ratio(lane.run.now) for lane in state.values()],
                "gradient of the stream, first over last, now, median of the seeds",
                "relative",
            ),
            "parameters": ([lane.run.parameters.shape[1] for lane in state.values()], "parameters", "numbers"),
            "kept": (
                [kept_bytes(self.architecture(name), source(self.task), batch) for name in state],
                "activations kept for the backward pass, one seed",
                "bytes",
            ),
        }
        for key, (column, label, unit) in columns.items():
            quantities[key] = Quantity(np.array(column), label, unit, ("entrant",))
        return Frame(
            quantities,
            self._results(state, scores, order),
            any_run.step,
            self.training_steps,
            tuple(
                divergence for name, lane in state.items() for divergence in divergences(lane.run, ENTRANTS[name].title)
            ),
        )

    def _results(
        self, state: Racers, scores: Mapping[str, Score], order: Mapping[str, int]
    ) -> dict[str, float | int | str]:
        first = [ENTRANTS[name].title for name in order if order[name] == 1]
        answers: dict[str, float | int | str] = {
            "winner": " and ".join(first) if any_finish(scores) else "nobody yet",
            "guessing": 1 / source(self.task).load().classes,
        }
        for name, lane in state.items():
            answers[f"{name}_place"] = order[name]
            answers[f"{name}_finishers"] = len(scores[name].finished)
            answers[f"{name}_error"] = float(np.median(lane.run.now.train_error))
            if lane.milliseconds is not None:
                answers[f"{name}_milliseconds"] = lane.milliseconds
        return answers

    def describe(self, frame: Frame) -> str:
        columns = (frame[key].tolist() for key in ("places", "finishers", "finish"))
        lead, lost = [], []
        for name, place, finishers, step in sorted(
            zip(self.entrants, *columns, strict=True), key=lambda row: row[1::2]
        ):
            label = ENTRANTS[name].title
            if finishers and place <= 3:
                lead.append(f"{place}. {label} ({finishers} of {self.seeds} at step {step:.0f})")
            elif not finishers:
                lost.append(f"{label} ({self._reason(frame, name)})")
        when = f"After {frame.step} of {frame.steps} steps" if frame.step else "Before the first step"
        ahead = f"on the podium: {'; '.join(lead)}" if lead else "no network is across the finish line"
        behind = f" Not across the finish line: {'; '.join(lost)}." if lead and lost else ""
        return f"{when} at depth {self.depth}, {ahead}.{behind}"

    def _reason(self, frame: Frame, name: str) -> str:
        """Why an entrant has not finished, from the meters."""
        ratio = frame["gradients_at_start"][self.entrants.index(name)]
        error = float(frame.results[f"{name}_error"])
        if any(f"the {ENTRANTS[name].title} network" in divergence.quantity for divergence in frame.diverged):
            return "overflowed"
        if not ratio >= VANISHED:
            return "next to no gradient reaches its first block"
        loss = frame[f"{name}_train_loss"]
        if loss[-1] > 2 * loss[0]:
            return "its loss has grown"
        return f"{error:.0%} wrong"

    def disclosure(self) -> Disclosure:
        span = "all 256 points" if self.task == "spirals" else "64 images"
        tokens = "two" if self.task == "spirals" else "eight"
        return Disclosure(
            network=f"Fully connected networks: {self.depth} one-layer blocks of width {WIDTH} (dense: {GROWTH} "
            "features each). A block begins with a ReLU; the blocks of the highway network (as published) and of the "
            f"network labeled “ReLU last” end in one instead. Transformers: {self.depth} sublayers on {tokens} tokens "
            "of width 16 per point. The depth is equal; the number of parameters is not, as the bars show. Norms have "
            "no learned gain. The memory for kept activations is counted from the arrays of this trainer. Times are "
            "processor time per step, the shortest of the run, measured as you watch and never kept.",
            data=f"{source(self.task).load().sentence}; each step uses {span}, in the same order for all networks.",
            seeds=f"{self.seeds} (from {self.seed}), the same for all networks; {self.training_steps} steps, learning "
            f"rate {number(self.learning_rate)} for all, none tuned. {RULE}.",
            cannot_show="Which architecture is better: another learning rate, initialization or task changes the "
            "order. Tiny networks on a toy task are not evidence about large models.",
        )


def any_finish(scores: Mapping[str, Score]) -> bool:
    """Whether any seed has crossed the finish line."""
    return any(score.finished for score in scores.values())
