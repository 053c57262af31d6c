"""What training makes of lanes and of the mixes between them, in a small language model."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import band, reading
from sims.contract.calculation import calculation
from sims.contract.frame import Divergence, Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number
from sims.instruments.replication.lane_run import LANES, LOOKED_AT, LaneSetup
from sims.instruments.replication.lane_writes import WrittenRun, advance_written, begin_written
from sims.instruments.replication.trained_designs import BATCH, BLOCKS, CONTEXT, HEADS, WIDTH
from sims.kept import results

LOOKS = 10
"""Looks at the models in a whole run, besides the one before it"""

FORMS = {"hyper-connections": "free mixes", "mhc": "doubly stochastic mixes"}
"""Wiring of `sims.pytorch.models.residual_wirings` → the name of its mixes"""

Runs = dict[str, WrittenRun]


class TrainedLanes(Training):
    """Four lanes in a trained language model

    Two small language models with four lanes learn side by side, one with free mixes, one with doubly stochastic ones.
    Two tables have a row for every lane and a column for every branch: a drop of dye goes into the first lane before
    the first branch, or into what one branch writes. The fuller a cell, the more dye its lane has; a second color marks
    negative amounts. Below the tables, lines show how alike the lanes are at every branch, as a mean cosine. The
    measures are the stretch of all mixes so far, how alike the lanes are after the last branch, over the steps, and the
    losses.
    """

    divisible = True
    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"lanes_start": ("copies", "apart"), "rounds": (0, 20)}

    lanes_start = param.Selector(
        default="copies",
        objects={"copies of one another": "copies", "different from one another": "apart"},
        label="Lanes start as",
        doc="what the lanes hold before the first branch",
    )
    restarts = ("lanes_start", "rounds", "learning_rate", "training_steps", "seeds", "seed")

    rounds = Stops(
        default=20,
        objects=[0, 1, 2, 3, 5, 10, 20, 30],
        label="Rounds of Sinkhorn–Knopp",
        doc="how often the columns and rows of the second model's mixes are divided by their sums",
        precedence=1,
    )
    writer = param.Integer(
        0,
        bounds=(0, 2 * BLOCKS),
        label="Dye in the write of branch",
        doc="the branch whose output is dyed; with 0, the first lane is dyed before the first branch",
    )
    learning_rate = usual_parameters.learning_rate(0.008, [0.002, 0.004, 0.008, 0.016], precedence=1)
    training_steps = usual_parameters.training_steps(500, [100, 200, 500])
    seeds = usual_parameters.seeds(3)
    seed = usual_parameters.seed()

    def start(self) -> Runs:
        seeds = tuple(range(self.seed, self.seed + self.seeds))
        own = (self.rounds, self.lanes_start == "apart", self.learning_rate, self.training_steps, seeds)
        return {form: begin_written(LaneSetup(form, *own)) for form in FORMS}

    def advance(self, state: Runs, steps: int) -> Runs:
        interval = self.training_steps // LOOKS
        left = self.training_steps - next(iter(state.values())).run.step
        return {form: advance_written(written, min(steps, left), interval) for form, written in state.items()}

    def frame(self, state: Runs) -> Frame:
        any_run = next(iter(state.values())).run
        steps = np.array([look.step for look in any_run.looks])
        quantities = {"steps": Quantity(steps, "training step", "steps", ("look",))}
        answers: dict[str, float] = {}
        for form, written in state.items():
            run = written.run
            label, name, now = FORMS[form], SHORT[form], run.looks[-1]
            losses = np.stack([look.losses for look in run.looks])
            quantities |= band(losses, f"{name}_loss", f"{label}: held-out loss", "nats per symbol", "look")
            likeness = np.stack([look.alike[:, -1] for look in run.looks])
            quantities |= band(likeness, f"{name}_last", f"{label}: cosine of two lanes at the top", "relative", "look")
            for what, words in _BY_PLACE.items():
                quantities |= band(getattr(now, what).T, f"{name}_{what}", f"{label}: {words}", "relative", "place")
            dyes, uneven = f"{label}: dye in each lane, first seed", f"{label}: a sum of a row or column, minus 1"
            sources = np.concatenate([now.dye[:1], written.dye[0]])
            quantities[f"{name}_dyes"] = Quantity(sources, dyes, "relative", ("source", "place", "lane"))
            quantities |= band(now.uneven[None], f"{name}_uneven", uneven, "relative", "whole")
            results = {"loss": now.losses, "alike": now.alike[:, -1], "stretch": now.stretch[:, -1]}
            answers |= {f"{name}_{what}": float(np.median(values)) for what, values in results.items()}
            answers |= {f"{name}_kept": float(now.dye[0, -1, 0]), f"{name}_uneven": float(np.median(now.uneven))}
        return self.reread(Frame(quantities, answers, any_run.step, self.training_steps, tuple(_lost(state))))

    def reread(self, frame: Frame) -> Frame:
        shown = {
            f"{name}_dye": Quantity(
                frame[f"{name}_dyes"][self.writer], f"{FORMS[form]}: dye as shown", "relative", ("place", "lane")
            )
            for form, name in SHORT.items()
        }
        return replace(frame, quantities={**frame.quantities, **shown})

    def describe(self, frame: Frame) -> str:
        looked = int(frame["steps"][-1])
        if not looked:
            return f"All lanes start as {_BEGINNING[self.lanes_start]}; nothing has been learned yet."
        parts = [f"After {looked} of {frame.steps} steps."]
        for form, name in SHORT.items():
            got = {what: number(float(frame.results[f"{name}_{what}"]), 3) for what in _TOLD}
            parts.append(
                f"{FORMS[form].capitalize()}: two lanes at the top have a cosine of {got['alike']}, all mixes together "
                f"stretch {got['stretch']} times, and {got['kept']} of a drop in lane 1 stays (loss {got['loss']})."
            )
        if self.writer:
            ends = {
                name: ", ".join(number(float(share), 2) for share in frame[f"{name}_dye"][-1])
                for name in SHORT.values()
            }
            parts.append(
                f"Of one unit that branch {self.writer} writes, lanes 1 to {LANES} have {ends['free']} at the top with "
                f"free mixes, and {ends['doubly']} with doubly stochastic ones."
            )
        return " ".join(parts)

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"Causal transformers in PyTorch: {BLOCKS} blocks, {WIDTH} wide, {HEADS} heads. At the start, a "
            f"branch reads one of the {LANES} lanes, in turn, and mixes are the identity, or nearly. Lanes start as "
            f"{_BEGINNING[self.lanes_start]}. Adam at up to {number(self.learning_rate)}, batches of {BATCH} pieces "
            f"of {CONTEXT} symbols.",
            data=f"This site's own words, symbol by symbol; everything is measured on {LOOKED_AT} pieces of "
            "held-out lines.",
            seeds=f"{self.seeds} (from {self.seed}), the same pieces and weights of branches for both models; numbers "
            "are their median, a band is their whole range. The dye is that of the first seed.",
            cannot_show="Large models, long training runs, or more than twelve branches. Once it is put in, the "
            "dye follows only the mixes, not what branches read and write.",
        )


_BEGINNING = {
    "copies": "copies of one another",
    "apart": "different vectors with the same mean: each number is 1 + √3 times as large in two lanes, and 1 − √3 "
    "times in the others",
}
"""Start of the lanes → how it is said"""

SHORT = {"hyper-connections": "free", "mhc": "doubly"}
"""Wiring → how names of quantities begin"""

_TOLD = ("loss", "alike", "stretch", "kept")
"""What the sentence tells of each model"""

_BY_PLACE = {
    "alike": "cosine of two lanes",
    "fullest": "share of the largest lane",
    "stretch": "largest singular value of all mixes so far",
    "sums": "largest row sum of all mixes so far",
}
"""What a look measures at every place → its words"""


def _lost(state: Runs) -> list[Divergence]:
    """For each model, the first look at which a loss was not finite."""
    lost = []
    for form, written in state.items():
        steps = [look.step for look in written.run.looks if not np.isfinite(look.losses).all()]
        if steps:
            cause = "Its lanes left the range of single precision."
            lost.append(Divergence(steps[0], f"loss with {FORMS[form]}", cause, "Try a lower learning rate."))
    return lost


@calculation(long=True, readings=("place",), absolute=0.1)
def alike(place: int) -> float:
    """The mean cosine of two doubly stochastic lanes after so many branches, at the end of a default run: median of 3
    seeds."""
    return reading(results.finished(TrainedLanes()), "doubly_alike", "median", place)
