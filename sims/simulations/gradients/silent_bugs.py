"""Silent bugs: the same network, trained with a correct backward pass and with a wrong one."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import STATISTICS, band
from sims.contract.calculation import calculation
from sims.contract.frame import Divergence, Frame, Quantity
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number
from sims.instruments.hand_derived.trained_by_hand import (
    BATCH,
    DIGITS,
    HELD_OUT,
    HIDDEN,
    TOKENS,
    WIDTH,
    Learner,
    Setup,
    advanced,
    begin,
)
from sims.kept import results

RECORDS = 30
"""Looks at the networks in a whole run"""

RATES = {"adam": 0.003, "momentum": 0.3}
"""Optimizer → learning rate at which the right gradients train fast"""

KINDS = {"right": "right gradients", "wrong": "with the bug"}
LEARNED = 0.2
"""Loss in nats below which the task counts as learned; guessing has ln 5"""

BUGS = {
    "Skip overwritten in line 1": "skip-1",
    "Skip overwritten in line 6": "skip-2",
    "Skip overwritten in both": "skips",
    "Branch not added in both": "branches",
    "Halved at every add": "average",
    "Mask forgotten": "mask",
    "Matrix not transposed": "transpose",
}

State = Mapping[str, Learner]
"""Kind and seed, as "wrong 0" → the network"""


class SilentBugs(Training):
    """One network, with right gradients and with wrong ones

    A small transformer with right gradients, and the same one with a bug in its backward pass: two boxes per block are
    its branches, attention and MLP, with arcs for their skips and a mark where the bug is. Dots carry the gradient from
    the output to the input. For each network, an arrow shows its gradient beside the true one, which is gray, and a bar
    its loss. Two curves show the loss over the training steps. A line is the median of the seeds, its band their whole
    range. The measure shows the cosine of the gradients that the network learns from with the true ones.
    """

    divisible = True
    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"bug": tuple(BUGS.values())}

    bug = param.Selector(default="skips", objects=BUGS, label="Bug", doc="the error in every block's backward pass")
    optimizer = usual_parameters.optimizer("adam", "momentum", "adam")
    arrangement = param.Selector(
        default="pre",
        objects={"Pre-norm": "pre", "Post-norm": "post"},
        label="Norm",
        doc="whether the norms come before the branches or after the sums",
        precedence=1,
    )
    depth = param.Integer(4, bounds=(1, 8), label="Blocks", doc="transformer blocks of the network", precedence=1)
    training_steps = usual_parameters.training_steps(300, [150, 300, 600])
    seeds = usual_parameters.seeds(3)
    seed = usual_parameters.seed()

    def start(self) -> State:
        return {
            f"{kind} {seed}": begin(self._setup(kind), seed)
            for kind in KINDS
            for seed in range(self.seed, self.seed + self.seeds)
        }

    def _setup(self, kind: str) -> Setup:
        bug = self.bug if kind == "wrong" else "none"
        return Setup(self.depth, bug, self.arrangement, self.optimizer, RATES[self.optimizer])

    def advance(self, state: State, steps: int) -> State:
        interval, whole = self.training_steps // RECORDS, self.training_steps
        return {name: advanced(learner, min(steps, whole - learner.step), interval) for name, learner in state.items()}

    def frame(self, state: State) -> Frame:
        any_one = next(iter(state.values()))
        quantities = {"steps": Quantity(np.array(any_one.steps), "training step", "steps", ("record",))}
        answers: dict[str, float] = {}
        lost = []
        for kind, label in KINDS.items():
            learners = [learner for name, learner in state.items() if name.startswith(kind)]
            for name, unit, values in (
                ("loss", "nats", [learner.losses for learner in learners]),
                ("cosine", "relative", [learner.cosines for learner in learners]),
            ):
                quantities |= band(np.array(values).T, f"{kind}_{name}", f"{name}, {label}", unit, "record")
            answers[f"{kind}_loss"] = float(np.median([learner.losses[-1] for learner in learners]))
            answers[f"{kind}_learned"] = sum(learner.losses[-1] < LEARNED for learner in learners)
            if not all(np.isfinite(learner.losses).all() for learner in learners):
                lost.append(_divergence(learners, label))
        answers["cosine"] = float(
            np.median([learner.cosines[-1] for name, learner in state.items() if "wrong" in name])
        )
        return Frame(quantities, answers, any_one.step, self.training_steps, tuple(lost))

    def describe(self, frame: Frame) -> str:
        right, wrong = (float(frame.results[f"{kind}_loss"]) for kind in KINDS)
        if not frame.step:
            return f"Before the first step both networks are the same, with a loss of {number(right, 2)} nats."
        if not np.isfinite([right, wrong]).all():
            return f"After {frame.step} of {frame.steps} steps a network has overflowed."
        counts = (
            f"; {int(frame.results['right_learned'])} and {int(frame.results['wrong_learned'])} of {self.seeds} seeds "
            f"are below {number(LEARNED)}"
        )
        return (
            f"After {frame.step} of {frame.steps} steps the loss is {number(right, 2)} nats with right gradients and "
            f"{number(wrong, 2)} with the bug{counts if self.seeds > 1 else ''}."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"Transformers of {self.depth} blocks, {self.arrangement.capitalize()}-norm, width {WIDTH}, two "
            f"heads, SwiGLU of {HIDDEN} units; NumPy in double precision, with the backward pass of the figure above. "
            "The bug is in every block; embedding, last norm and logits have correct gradients.",
            data=f"Sequences of {TOKENS} digits below {DIGITS}, drawn anew for every step; the answer at each "
            "position is the sum of its digit and the one before it (at the first position, twice its digit), modulo "
            f"{DIGITS}. The loss is measured on {HELD_OUT} other sequences.",
            seeds=f"{self.seeds} (from {self.seed}); both networks of a seed start with the same weights and see the "
            f"same sequences. {usual_parameters.OPTIMIZERS[self.optimizer]}, learning rate "
            f"{number(RATES[self.optimizer])}, batches of {BATCH}.",
            cannot_show="Larger networks and tasks, where a wrong gradient may do less harm, or ruin everything.",
        )


def _divergence(learners: Sequence[Learner], label: str) -> Divergence:
    steps, losses = learners[0].steps, np.array([learner.losses for learner in learners])
    first = int(np.argmax(~np.isfinite(losses).all(axis=0)))
    return Divergence(
        steps[first], f"loss ({label})", "The steps were too long for these gradients.", "Choose the other optimizer."
    )


@calculation(long=True, readings=("kind",), absolute=40)
def steps_until_learned(bug: str, kind: str = "wrong", optimizer: str = "adam") -> str:
    """Steps after which the loss was below 0.2 nats, of "right" or "wrong" gradients: lowest to highest of 3 seeds."""
    frame = results.finished(SilentBugs(bug=bug, optimizer=optimizer))
    first, last = (_first(frame, f"{kind}_loss{ending}") for ending in ("_low", "_high"))
    if first is None:
        return f"not in {frame.steps}"
    return f"{first} to {last}" if last is not None else f"{first} to more than {frame.steps}"


def _first(frame: Frame, name: str) -> int | None:
    """The first recorded step at which a loss is below `LEARNED`."""
    learned = frame["steps"][frame[name] < LEARNED]
    return int(learned[0]) if len(learned) else None


@calculation(long=True, readings=("statistic",), absolute=0.1)
def cosine(bug: str, statistic: str = "median") -> float:
    """Cosine of the wrong gradient with the true one before the first step: a statistic of 3 seeds."""
    state = SilentBugs(bug=bug).start()
    cosines = [learner.cosines[0] for name, learner in state.items() if name.startswith("wrong")]
    return STATISTICS[statistic](cosines)


@calculation
def guessing() -> float:
    """The loss of a uniform guess, in nats."""
    return float(np.log(DIGITS))
