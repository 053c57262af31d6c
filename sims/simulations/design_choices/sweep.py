"""Sweep: every entrant tries every learning rate, then races at its best one, on seeds not used for the choice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import param

from sims.comparisons.entrants import ENTRANTS, FIELDS, architecture
from sims.comparisons.standings import RULE, Score, places, score_of
from sims.contract import usual_parameters
from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number
from sims.data.datasets import source
from sims.engines import dispatch
from sims.engines.perceptrons import Recipe
from sims.engines.state import TrainingState
from sims.kept import results

RATES = (3e-4, 1e-3, 3e-3, 0.01, 0.03)
STEPS = 250
EVERY = 5
"""Steps between two checks of who has finished, in the sweep and in the final"""

FRESH = 1000
"""Offset between the seeds of the sweep and those of the final."""


@dataclass(frozen=True)
class Heats:
    """The runs of the sweep, by entrant and rate, and those of the final once the sweep is over."""

    tried: Mapping[tuple[str, float], TrainingState]
    final: Mapping[str, TrainingState]

    @property
    def step(self) -> int:
        """Steps taken, of twice as many as a race has: first those of the sweep, then those of the final."""
        first, *_ = self.tried.values()
        last = next(iter(self.final.values())).step if self.final else 0
        return int(first.step + last)


class Sweep(Training):
    """Every network at its own learning rate

    A table has a row for each network and a column for each learning rate. The lane of a cell is filled up to the step
    of its finish, and full where no seed finishes; below it are the number of seeds that finished and that step. The
    best cell of a row is framed. The last column is a race on fresh seeds, each network at the best rate of its row.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"depth": (8, 32)}

    depth = param.Integer(32, bounds=(4, 64), step=4, label="Depth", doc="blocks of every entrant, each with its skip")
    initialization = usual_parameters.initialization("default", "default", "he", "xavier")
    field = param.Selector(
        default="usual",
        objects={"The usual six": "usual", "Skips": "skips", "Norms": "norms"},
        label="Networks",
        doc="which networks race",
        precedence=1,
    )
    seeds = usual_parameters.seeds(3)
    seed = usual_parameters.seed()

    @property
    def entrants(self) -> tuple[str, ...]:
        """The names of the networks that race."""
        return FIELDS[self.field]

    def _begin(self, name: str, rate: float, first_seed: int) -> TrainingState:
        chosen = architecture(name, "spirals", self.depth, self.initialization, "1")
        recipe = Recipe("adam", rate, None, record_every=EVERY)
        return dispatch.start(chosen, recipe, source("spirals"), range(first_seed, first_seed + self.seeds))

    def start(self) -> Heats:
        return Heats({(name, rate): self._begin(name, rate, self.seed) for name in self.entrants for rate in RATES}, {})

    def advance(self, state: Heats, steps: int) -> Heats:
        tried, final = state.tried, state.final
        in_sweep = min(steps, STEPS - next(iter(tried.values())).step)
        if in_sweep > 0:
            tried = {cell: dispatch.advance(run, in_sweep) for cell, run in tried.items()}
        left = steps - in_sweep
        now = Heats(tried, final)
        if now.step == STEPS and left > 0:
            best = chosen(scores(tried), self.entrants)
            final = {name: self._begin(name, best[name], self.seed + FRESH) for name in self.entrants}
        if final and left > 0:
            done = next(iter(final.values())).step
            final = {name: dispatch.advance(run, min(left, STEPS - done)) for name, run in final.items()}
        return replace(now, final=final)

    def frame(self, state: Heats) -> Frame:
        score_table = scores(state.tried)
        best = chosen(score_table, self.entrants)
        shape = (len(self.entrants), len(RATES))
        table = {key: np.empty(shape) for key in ("finishers", "finish", "loss")}
        for row, name in enumerate(self.entrants):
            for column, rate in enumerate(RATES):
                score = score_table[name, rate]
                table["finishers"][row, column] = len(score.finished)
                table["finish"][row, column] = score.step
                table["loss"][row, column] = score.loss
        swept = int(next(iter(state.tried.values())).step) == STEPS
        own = np.array([RATES.index(best[name]) if swept else -1 for name in self.entrants])
        quantities = {
            "rates": Quantity(np.array(RATES), "learning rate", "relative", ("rate",)),
            "finishers": Quantity(table["finishers"], "seeds across the finish line", "seeds", ("entrant", "rate")),
            "finish": Quantity(table["finish"], "step of the finish, median", "steps", ("entrant", "rate")),
            "loss": Quantity(table["loss"], "training loss now, median", "nats", ("entrant", "rate")),
            "entrants": Quantity(np.array([ENTRANTS[n].title for n in self.entrants]), "entrant", "name", ("entrant",)),
            "own": Quantity(own, "column of its own rate, -1 before it is known", "column", ("entrant",)),
        }
        last = {name: score_of(run) for name, run in state.final.items()}
        order = places(last)
        for key, label, unit, of in (
            ("final_finishers", "seeds across in the final", "seeds", lambda of_race: len(of_race.finished)),
            ("final_finish", "step of the finish in the final, median", "steps", lambda of_race: of_race.step),
        ):
            values = [of(last[name]) if name in last else np.nan for name in self.entrants]
            quantities[key] = Quantity(np.array(values, float), label, unit, ("entrant",))
        ranks = np.array([order.get(name, 0) for name in self.entrants])
        quantities["places"] = Quantity(ranks, "place in the final, 0 before it", "place", ("entrant",))
        answers: dict[str, Any] = {f"{name}_rate": best[name] for name in self.entrants if swept}
        answers |= {f"{name}_finishers": len(score.finished) for name, score in last.items()}
        return Frame(quantities, answers, state.step, 2 * STEPS)

    def describe(self, frame: Frame) -> str:
        if not frame.step:
            return f"No network has run yet: {len(self.entrants)} networks will try {len(RATES)} learning rates each."
        if frame.step < STEPS or frame["own"][0] < 0:
            counts = frame["finishers"].sum(axis=0).astype(int).tolist()
            across = ", ".join(f"{n} at {number(rate)}" for n, rate in zip(counts, RATES, strict=True))
            return f"Sweep, step {frame.step} of {STEPS}: seeds of all networks that have finished: {across}."
        own = [f"{label} {number(RATES[at])}" for label, at in zip(frame["entrants"], frame["own"], strict=True)]
        text = f"Each network's own rate: {'; '.join(own)}."
        if frame.step == STEPS:
            return text
        whole = [
            str(label) for label, n in zip(frame["entrants"], frame["final_finishers"], strict=True) if n == self.seeds
        ]
        when = f"step {frame.step - STEPS} of {STEPS} of the final"
        return f"{text} At {when}, every seed has finished for: {'; '.join(whole) or 'no network'}."

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"The networks of the race, with {self.depth} blocks each.",
            data=source("spirals").load().sentence + "; each step uses all 256 points.",
            seeds=f"{self.seeds} (from {self.seed}) for the sweep, {self.seeds} others (from {self.seed + FRESH}) for "
            f"the final; Adam, {STEPS} steps each. {RULE}; the same rule chooses the rate.",
            cannot_show="Other optimizers, schedules or budgets, and rates between the columns. Tuning one thing for "
            "each network is fairer than tuning nothing, but it is still no verdict on an architecture.",
        )


def scores(runs: Mapping[tuple[str, float], TrainingState]) -> dict[tuple[str, float], Score]:
    """The score of every cell."""
    return {cell: score_of(run) for cell, run in runs.items()}


def chosen(found: Mapping[tuple[str, float], Score], entrants: tuple[str, ...]) -> dict[str, float]:
    """Each entrant's best rate by the rule of the race; the lower one of two equally good."""
    return {name: min(RATES, key=lambda rate: found[name, rate].key) for name in entrants}


@calculation(long=True, readings=("entrant",))
def own_rate(entrant: str, depth: int = 32) -> float:
    """The learning rate that an entrant chooses in the sweep."""
    return float(results.finished(Sweep(depth=depth)).results[f"{entrant}_rate"])


@calculation(long=True, readings=("entrant",))
def finishers(entrant: str, depth: int = 32) -> int:
    """How many of three fresh seeds finish at the entrant's own rate."""
    return int(results.finished(Sweep(depth=depth)).results[f"{entrant}_finishers"])


@calculation(long=True, absolute=1)
def winner(depth: int = 32) -> str:
    """The entrants in the first place of the final, as a list in words."""
    frame = results.finished(Sweep(depth=depth))
    rows = zip(frame["places"].tolist(), frame["final_finish"].tolist(), frame["entrants"].tolist(), strict=True)
    return "; ".join(label for place, _step, label in sorted(rows) if place == 1)
