"""One small block, with every number on its wires, forward and backward."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Simulation
from sims.contract.wording import number, vector
from sims.instruments.hand_derived.one_block import Block, Pass, cosine, ratio, run

MOMENTS = (
    "the input is on the left",
    "each weight multiplies, and the products of a row add up",
    "the last operation of the branch has acted",
    "the branch arrives, and the output is complete",
    "the gradient of a loss arrives at the output",
    "the plus sign copies it, once for the skip and once for the branch",
    "the branch's copy has passed the last operation, and every weight knows its gradient",
    "the two routes meet again: the gradient of the input is complete",
)
"""What has happened when the numbers have reached each place."""

PLAIN_MOMENT = "there is no plus sign, and all of it goes into the branch"
"""The text in place of the copying, for a block without a skip."""

TURN = 72
"""Points on a circle."""

EDITABLE = {
    "x1": (0.5, "x₁", "first number of the input"),
    "x2": (-0.3, "x₂", "second number of the input"),
    "w11": (0.1, "W₁₁", "weight from x₁ to the first sum"),
    "w12": (-0.2, "W₁₂", "weight from x₂ to the first sum"),
    "w21": (0.3, "W₂₁", "weight from x₁ to the second sum"),
    "w22": (0.1, "W₂₂", "weight from x₂ to the second sum"),
    "g1": (1.0, "∂L/∂y₁", "gradient that arrives at the first output"),
    "g2": (0.5, "∂L/∂y₂", "gradient that arrives at the second output"),
}
"""Name → default, label and doc of the numbers that a reader may set."""


def _number(name: str) -> param.Number:
    default, label, doc = EDITABLE[name]
    return param.Number(default, bounds=(-2, 2), step=0.05, label=label, doc=doc, precedence=1)


class Dataflow(Simulation):
    """One block, number by number

    A circuit has two numbers at each place: the input on the left, four weights, the last operation of the branch, and
    the output on the right; with a skip, the input also runs around the branch to a plus sign. Dots travel from the
    input to the output, and back again as gradients. The measures show the same vectors as arrows, and the ellipse that
    the block makes of a small circle of inputs.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "strength": (0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0),
        "ending": ("linear", "relu"),
        "wiring": ("plain", "residual"),
        "moment": tuple(range(len(MOMENTS))),
    }

    moment = param.Integer(
        3, bounds=(0, len(MOMENTS) - 1), label="Follow the numbers", doc="how far they have come: 3 is the output"
    )
    wiring = param.Selector(
        default="residual",
        objects={"Plain": "plain", "Residual": "residual"},
        label="Block",
        doc="whether the input is added to the branch",
        precedence=1,
    )
    ending = param.Selector(
        default="linear",
        objects={"Linear": "linear", "ReLU": "relu"},
        label="End of the branch",
        doc="the last operation before the plus sign",
        precedence=1,
    )
    strength = param.Number(1.0, bounds=(0, 4), step=0.05, label="Factor", doc="on the output of the branch")
    x1 = _number("x1")
    x2 = _number("x2")
    w11 = _number("w11")
    w12 = _number("w12")
    w21 = _number("w21")
    w22 = _number("w22")
    g1 = _number("g1")
    g2 = _number("g2")

    def compute(self) -> Frame:
        x, back = np.array([self.x1, self.x2]), np.array([self.g1, self.g2])
        chosen, plain, residual = (self.run(x, back, wiring) for wiring in (self.wiring, "plain", "residual"))
        branch = plain.jacobian
        circle = np.stack([np.cos(_angles()), np.sin(_angles())])
        of_two, of_matrix, of_circle = ("row",), ("row", "column"), ("coordinate", "point")
        quantities = {
            "input": Quantity(x, "input", "relative", of_two),
            "weights": Quantity(self._weights(), "weights", "relative", of_matrix),
            "products": Quantity(chosen.products, "weight times input", "relative", of_matrix),
            "sums": Quantity(chosen.sums, "sums", "relative", of_two),
            "ended": Quantity(chosen.ended, "after the last operation", "relative", of_two),
            "branch": Quantity(chosen.branch, "branch", "relative", of_two),
            "output": Quantity(chosen.output, "output", "relative", of_two),
            "plain_output": Quantity(plain.output, "output without the skip", "relative", of_two),
            "residual_output": Quantity(residual.output, "output with the skip", "relative", of_two),
            "output_gradient": Quantity(back, "gradient of the output", "loss", of_two),
            "ended_gradient": Quantity(chosen.ended_gradient, "gradient after the last operation", "loss", of_two),
            "sums_gradient": Quantity(chosen.sums_gradient, "gradient of the sums", "loss", of_two),
            "weights_gradient": Quantity(chosen.weights_gradient, "gradient of the weights", "loss", of_matrix),
            "input_gradient": Quantity(chosen.input_gradient, "gradient of the input", "loss", of_two),
            "circle": Quantity(circle, "small circle of inputs", "relative", of_circle),
            "plain_circle": Quantity(branch @ circle, "the circle without the skip", "relative", of_circle),
            "residual_circle": Quantity(residual.jacobian @ circle, "the circle with the skip", "relative", of_circle),
        }
        stretch, squeeze = np.linalg.svd(chosen.jacobian, compute_uv=False)
        norm = float(np.linalg.norm(branch, 2))
        answers = {
            "input_norm": float(np.linalg.norm(x)),
            "output_norm": float(np.linalg.norm(chosen.output)),
            "cosine": cosine(x, chosen.output),
            "plain_cosine": cosine(x, plain.output),
            "residual_cosine": cosine(x, residual.output),
            "share": ratio(float(np.linalg.norm(chosen.branch)), float(np.linalg.norm(x))),
            "stretch": float(stretch),
            "squeeze": float(squeeze),
            "branch_jacobian": norm,
            "floor": max(0.0, 1 - norm),
            "input_gradient": float(np.linalg.norm(chosen.input_gradient)),
        }
        return Frame(quantities, answers)

    def run(self, x: np.ndarray, back: np.ndarray, wiring: str) -> Pass:
        """All numbers of the block with these weights, plain or residual."""
        return run(Block(self._weights(), wiring == "residual", self.ending, self.strength), x, back)

    def _weights(self) -> np.ndarray:
        return np.array([[self.w11, self.w12], [self.w21, self.w22]])

    def describe(self, frame: Frame) -> str:
        happened = PLAIN_MOMENT if self.moment == 5 and self.wiring == "plain" else MOMENTS[self.moment]
        words = f"Moment {self.moment} of {len(MOMENTS) - 1}: {happened}."
        if self.moment < 3:
            return f"{words} The input is {vector(frame['input'], '.3g')}."
        if self.moment < 7:
            return (
                f"{words} The {self.wiring} block turns {vector(frame['input'], '.3g')} into "
                f"{vector(frame['output'], '.3g')}; the branch is {number(float(frame.results['share']))} times as "
                f"long as the input, and the cosine of input and output is {number(float(frame.results['cosine']))}."
            )
        return (
            f"{words} The gradient {vector(frame['output_gradient'], '.3g')} at the output becomes "
            f"{vector(frame['input_gradient'], '.3g')} at the input of the {self.wiring} block."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network="One block with two inputs, four weights and no bias, in double precision; nothing is trained.",
            data="The two numbers of the input, and the gradient that arrives at the output; you choose all of them.",
            seeds="None: nothing here is random.",
            cannot_show="What training would do to the weights, and what happens when many blocks follow each other.",
        )


def _angles() -> np.ndarray:
    return np.linspace(0, 2 * np.pi, TURN + 1)
