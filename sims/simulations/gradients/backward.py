"""A transformer block as a plan of ten lines, stepped through forward and back, with bugs to find."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Simulation
from sims.contract.wording import number
from sims.instruments.hand_derived.block_bugs import WRONG, plan_with
from sims.instruments.hand_derived.block_plan import PLANS, Line, code
from sims.instruments.hand_derived.examined_block import (
    HIDDEN,
    SHAPES,
    TOKENS,
    WIDTH,
    Stack,
    differences,
    errors,
    moved,
    passed,
    route_errors,
    tensor_names,
)
from sims.instruments.hand_derived.plan_file import plan_file

LINES = 10
MOMENTS = 2 * LINES

AGREES = {"double": 1e-6, "single": 0.1}
"""Precision → relative error against finite differences up to which a gradient counts as right"""

BUGS = {
    "No bug": "none",
    "Skip overwritten in line 1": "skip-1",
    "Skip overwritten in line 6": "skip-2",
    "Skip overwritten in both": "skips",
    "Branch not added in both": "branches",
    "Halved at every add": "average",
    "Mask forgotten": "mask",
    "Matrix not transposed": "transpose",
}

ROUTES = ("x skip", "x branch", "r skip", "r branch")
"""Routes by which a gradient of x and of r arrives, in the order of the quantity "route_errors"."""

AXES = {1: ("feature",), 2: ("token", "feature"), 3: ("head", "token", "token looked at")}


class Backward(Simulation):
    """A transformer block, line by line

    A block is drawn as one stream with two branches, in ten numbered lines: attention with four of them and a plus
    sign, the feed-forward part with four and another plus sign. The tensors are small heat maps on the wires. In the
    backward pass, their gradients take their places, each marked as right or wrong according to finite differences. One
    line is lit; below are its code and the tensors that it reads and writes. The measures show the error of every
    gradient, and which gradients change when a weight is edited.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "moment": tuple(range(1, MOMENTS + 1)),
        "bug": ("none", "skip-2", "skips"),
    }

    moment = param.Integer(
        15,
        bounds=(1, MOMENTS),
        label="Step",
        doc="1 to 10 are the lines forward, 11 to 20 the same backward",
    )
    bug = param.Selector(default="none", objects=BUGS, label="Bug", doc="the error in every block's backward pass")
    arrangement = param.Selector(
        default="pre",
        objects={"Pre-norm": "pre", "Post-norm": "post"},
        label="Norm",
        doc="whether the norms come before the branches or after the sums",
        precedence=1,
    )
    depth = Stops(default=1, objects=[1, 2, 4, 8], label="Blocks", doc="the first one is shown", precedence=1)
    precision = param.Selector(
        default="double",
        objects={"Double": "double", "Single": "single"},
        label="Precision",
        doc="of all numbers, including the finite differences",
        precedence=1,
    )
    edited = param.Selector(
        default="down",
        objects={name: name for name in SHAPES},
        label="Edit a weight",
        doc="whose first entry is changed, in the first block",
        precedence=1,
    )
    change = param.Number(
        0.0, bounds=(-2, 2), step=0.05, label="Change it by", doc="what is added to that entry", precedence=1
    )
    seed = param.Integer(0, bounds=(0, 9_999), label="Seed", doc="start of the random numbers", precedence=1)

    @property
    def stack(self) -> Stack:
        """The blocks and weights to examine."""
        return Stack(self.arrangement, self.depth, self.precision, self.edited, self.change, self.seed)

    def compute(self) -> Frame:
        stack = self.stack
        pass_ = passed(stack, self.bug)
        tensors, weights = differences(stack)
        quantities = {
            f"t.{name}": _quantity(var, f"tensor {name}", "relative") for name, var in vars(pass_.tensors).items()
        }
        for name, tensor in tensors.items():
            quantities[f"d.{name}"] = _quantity(getattr(pass_.gradients, name), f"gradient of {name}", "loss")
            quantities[f"check.{name}"] = _quantity(tensor, f"finite differences of {name}", "loss")
        for name, route in pass_.routes.items():
            quantities[f"route.{name}"] = _quantity(route, f"gradient of {name.replace(' ', ' by its ')}", "loss")
        for name, weight in weights.items():
            axes = ("entry",) if weight.ndim == 1 else (f"row of {name}", f"column of {name}")
            hand = getattr(pass_.weight_gradients, name)
            quantities[f"dw.{name}"] = Quantity(hand, f"gradient of weight {name}", "loss", axes)
            quantities[f"check.w.{name}"] = Quantity(weight, f"finite differences of weight {name}", "loss", axes)
        away = errors(stack, pass_)
        shifts = moved(pass_, passed(replace(stack, change=0.0), self.bug), self.arrangement)
        for name, values, label in (("errors", away, "relative error"), ("moved", shifts, "moved by the edit")):
            quantities[name] = Quantity(np.array(list(values.values())), label, "relative", ("gradient",))
        routes = np.array(list(route_errors(stack, pass_).values()))
        quantities["route_errors"] = Quantity(routes, "relative error of a route", "relative", ("route",))
        wrong = [name for name, error in away.items() if error > AGREES[self.precision]]
        answers: dict[str, float] = {
            "gradients": len(away),
            "wrong": len(wrong),
            "wrong_weights": sum(name.startswith("w.") for name in wrong),
            "worst_error": max(away.values()),
            "still": sum(shift == 0 for shift in shifts.values()),
            "additions": 2 * self.depth,
        }
        return Frame(quantities, answers)

    def names(self) -> list[str]:
        """The gradients in the order of the quantities "errors" and "moved"."""
        return [*tensor_names(self.arrangement), *(f"w.{name}" for name in SHAPES)]

    def faults(self, frame: Frame) -> Mapping[str, float]:
        """Relative error of every gradient, named as in `names`, and of every route: "x skip", "x branch", …"""
        away = dict(zip(self.names(), frame["errors"].tolist(), strict=True))
        return away | dict(zip(ROUTES, frame["route_errors"].tolist(), strict=True))

    def lines(self) -> Sequence[Line]:
        """The ten lines with their backward functions, the bug included."""
        return plan_with(self.arrangement, self.bug)

    def code(self, moment: int) -> list[str]:
        """The code that runs at a moment, 1 to 20."""
        plan = self.lines()
        return code(plan[moment - 1].forward if moment <= LINES else plan[MOMENTS - moment].backward)

    def wrong_lines(self) -> set[int]:
        """Numbers of the lines whose backward function has the bug."""
        return set(WRONG[self.arrangement].get(self.bug, ()))

    def describe(self, frame: Frame) -> str:
        line = self.moment if self.moment <= LINES else MOMENTS + 1 - self.moment
        name = PLANS[self.arrangement][line - 1].name
        words = f"Line {line} of {LINES}, {name}, {'forward' if self.moment <= LINES else 'backward'}."
        wrong, whole = int(frame.results["wrong"]), int(frame.results["gradients"])
        worst = number(float(frame.results["worst_error"]), 2)
        if not wrong:
            return f"{words} All {whole} gradients agree with finite differences, to a relative error of {worst}."
        return (
            f"{words} {wrong} of {whole} gradients are wrong, {int(frame.results['wrong_weights'])} of them of "
            f"weights; the largest relative error is {worst}."
        )

    def listing(self) -> str:
        return plan_file(self.arrangement)

    def disclosure(self) -> Disclosure:
        blocks = "One block" if self.depth == 1 else f"The first of {self.depth} blocks"
        return Disclosure(
            network=f"{blocks} with {TOKENS} tokens, width {WIDTH}, two heads with a causal mask, rotated queries and "
            f"keys, and a SwiGLU of {HIDDEN} units, in {self.precision} precision; NumPy, with a backward pass "
            "written by hand. Nothing is trained.",
            data="Random numbers for the input and for the gradient that arrives at the end, in place of a loss.",
            seeds=f"Seed {self.seed}. A gradient is right if it agrees with central differences to a relative error of "
            f"{number(AGREES[self.precision])}.",
            cannot_show="What training does with a wrong gradient, and mistakes that show only on some inputs.",
        )


def _quantity(values: np.ndarray, label: str, unit: str) -> Quantity:
    width = values.shape[-1]
    axes = tuple(f"{axis} of {width}" if axis == "feature" else axis for axis in AXES[values.ndim])
    return Quantity(values, label, unit, axes)


@calculation
def error(gradient: str, bug: str = "none", arrangement: str = "pre", depth: int = 1) -> float:
    """Relative error of a gradient of the first block, such as "x" or "w.q", against finite differences."""
    stack = Stack(arrangement, depth)
    return errors(stack, passed(stack, bug))[gradient]


@calculation
def wrong(bug: str, arrangement: str = "pre", depth: int = 1, weights: bool = False) -> int:
    """How many gradients of the first block disagree with finite differences; with `weights`, only those of weights."""
    stack = Stack(arrangement, depth)
    relative_errors = errors(stack, passed(stack, bug))
    return sum(gap > AGREES["double"] for name, gap in relative_errors.items() if name.startswith("w.") or not weights)


@calculation
def gradients(weights: bool = False, arrangement: str = "pre") -> int:
    """How many gradients of a block are checked; with `weights`, only those of weights."""
    return len(SHAPES) + (0 if weights else len(tensor_names(arrangement)))


@calculation
def worst_error(bug: str = "none", arrangement: str = "pre", depth: int = 1, precision: str = "double") -> float:
    """The largest relative error among all gradients of the first block."""
    stack = Stack(arrangement, depth, precision)
    return max(errors(stack, passed(stack, bug)).values())


@calculation
def cosine(bug: str, depth: int = 1, arrangement: str = "pre") -> float:
    """The cosine of the angle between the gradient of x with a bug and the true one."""
    stack = Stack(arrangement, depth)
    actual, expected = (passed(stack, kind).gradients.x.ravel() for kind in (bug, "none"))
    return float(actual @ expected / (np.linalg.norm(actual) * np.linalg.norm(expected)))


@calculation
def still(edited: str, change: float = 1.0) -> str:
    """The gradients of a block that do not change when the first entry of a weight is edited, as text."""
    stack = Stack(edited=edited, change=change)
    shifts = moved(passed(stack), passed(replace(stack, change=0.0)), "pre")
    return ", ".join(name.replace("w.", "weight ") for name, shift in shifts.items() if shift == 0) or "none"
