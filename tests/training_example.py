"""A small training whose settings make it slow, break it, hang it or kill its worker; workers import it from here."""

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import param

from sims.contract.frame import Divergence, Frame, Quantity
from sims.contract.simulation import Disclosure, State, Training

LARGE = 10_000
"""Walkers whose numbers travel in a file."""


class TrainingExample(Training):
    """A random walk of six numbers.

    Every step adds noise drawn for that step, so that its numbers do not depend on how the steps are cut into chunks.
    """

    seed = param.Integer(0, bounds=(0, 1000), doc="seed of the walk")
    length = param.Integer(40, bounds=(1, 1_000_000), doc="steps of the run")
    step_seconds = param.Number(0.0, bounds=(0, 10), doc="time a step keeps its worker busy")
    start_seconds = param.Number(0.0, bounds=(0, 10), doc="time the start keeps its worker busy")
    trouble: Any = param.Selector(
        default="none", objects=["none", "raise", "kill", "hang", "diverge"], doc="what goes wrong"
    )
    trouble_at = param.Integer(3, bounds=(0, 1_000_000), doc="the step at which it does")
    sign = param.String("", doc="a file that is made when the run starts")
    gate = param.String("", doc="a file; the run waits at `trouble_at`, where it makes `<file>.reached`, for the file")
    kill_once = param.String("", doc="a file; where it does not exist yet, it is made and the worker is killed")

    def start(self) -> State:
        if self.sign:
            Path(self.sign).touch()
        time.sleep(self.start_seconds)
        self._meet(0)
        return 0, np.zeros(6)

    def advance(self, state: State, steps: int) -> State:
        before, walk = state[0], state[1].copy()
        after = min(before + steps, self.last)
        for step in range(before + 1, after + 1):
            time.sleep(self.step_seconds)
            self._meet(step)
            walk += np.random.default_rng((self.seed, step)).normal(size=len(walk))
        return after, walk

    @property
    def last(self) -> int:
        return min(self.length, self.trouble_at) if self.trouble == "diverge" else self.length

    def _meet(self, step: int) -> None:
        if step != self.trouble_at:
            return
        if self.gate:
            Path(f"{self.gate}.reached").touch()
            while not Path(self.gate).exists():
                time.sleep(0.005)
        if self.trouble == "raise":
            raise ArithmeticError("the walk has lost its way")
        if self.trouble == "hang":
            time.sleep(3600)
        if self.trouble == "kill" or (self.kill_once and not Path(self.kill_once).exists()):
            if self.kill_once:
                Path(self.kill_once).touch()
            os.kill(os.getpid(), signal.SIGKILL)

    def frame(self, state: State) -> Frame:
        step, walk = state
        has_diverged = self.trouble == "diverge" and step == self.last
        return Frame(
            {"walk": Quantity(walk, "walk", axes=("walker",))},
            results={"worker": os.getpid(), "seed": self.seed, "preloaded": int("sims.chunks.preload" in sys.modules)},
            step=step,
            steps=self.length,
            diverged=(Divergence(step, "walk", "It was told to.", "Tell it otherwise."),) if has_diverged else (),
        )

    def describe(self, frame: Frame) -> str:
        return f"After {frame.step} steps the first walker is at {frame['walk'][0]:.3g}."

    def disclosure(self) -> Disclosure:
        return Disclosure("none", "none", "one", "anything but a walk")


class PartedExample(TrainingExample):
    """Two random walks that know nothing of each other.

    The second one is the walk of the next seed, and only the first one meets with trouble. Each leaves a line in a
    file for every time it is taken further.
    """

    divisible = True
    diary = param.String("", doc="a file that gets a line for every advance of a part")

    def start(self) -> State:
        return {"first": (0, np.zeros(6)), "second": (0, np.zeros(LARGE))}

    def advance(self, state: State, steps: int) -> State:
        return {name: self._onward(name, part, steps) for name, part in state.items()}

    def _onward(self, name: str, part: State, steps: int) -> State:
        if self.diary:
            with Path(self.diary).open("a") as diary:
                diary.write(f"{name} {part[0]} {os.getpid()}\n")
        if name == "first":
            return super().advance(part, steps)
        return TrainingExample(seed=self.seed + 1, length=self.length).advance(part, steps)

    def frame(self, state: State) -> Frame:
        (step, first), (_, second) = state["first"], state["second"]
        walks = np.concatenate([first, second])
        return Frame({"walk": Quantity(walks, "walk", axes=("walker",))}, step=step, steps=self.length)
