"""Reversible stacks: how exactly they recover their input, and how much memory that saves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import band
from sims.contract.calculation import Number, calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import blocks, number
from sims.data.datasets import digits
from sims.instruments.costs.reconstruction import POINTS, WIDTH, Reconstruction, held, reconstruct, there_and_back

DEPTHS = (1, 2, 4, 8, 16, 32, 64)
PRECISIONS = ("bfloat16", "float16", "float32", "float64")
"""PyTorch's names, from the fewest digits to the most; the first two have 16 bits"""

DIGIT = 14
"""Place of the image, a five, among the test images"""

STAGES = {"out": "after the last block", "back": "computed back"}
"""Where the image is shown, besides the input"""

HOLDERS: Mapping[str, str] = {"ordinary": "ordinary autograd", "reversible": "reversible"}


@dataclass(frozen=True)
class Measured:
    """The results so far, ordered by depth, then by precision, then by seed."""

    passes: tuple[Reconstruction, ...] = ()
    bytes_held: tuple[tuple[int, int], ...] = ()
    """One entry for each depth and precision: it depends on nothing else"""
    images: tuple[np.ndarray, ...] = ()
    """For each depth and precision, with the first seed: what `there_and_back` has made of the image"""


class Reversible(Training):
    """Run it backward: the input recovered from the output

    On the left, an image of a digit goes into a reversible stack; beside it is what comes out, below it the image that
    is computed back from there, and the difference of the two, magnified. On the right is a table of such images, with
    a row for each precision, from 64 bits to 16, and a column for each number of blocks; below each image is the median
    error, and a cross marks what overflowed. The measures are lines of this error and of that of the gradients of the
    weights, and bars: what ordinary backpropagation holds doubles when the number of blocks does, and what the
    reversible stack holds stays the same.
    """

    verb: ClassVar[str] = "Measure"
    """Label of the start button: nothing is trained"""

    restarts = ("strength", "seeds", "seed")
    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"strength": (0.1, 0.25, 0.5, 1.0)}

    strength = Stops(
        default=0.25,
        objects=[0.1, 0.25, 0.5, 1.0],
        label="Strength of the branches",
        doc="root mean square of what a branch adds, over that of its input; a library's default gives about 0.24",
    )
    depth = Stops(
        default=16, objects=list(DEPTHS), label="Blocks", doc="the depth that the sentence below is about", precedence=1
    )
    precision = param.Selector(
        default="float32",
        objects=list(PRECISIONS),
        label="Precision",
        doc="the kind of number that the sentence is about, and whose bytes are shown",
    )
    seeds = usual_parameters.seeds(3)
    seed = usual_parameters.seed()

    def start(self) -> Measured:
        return Measured()

    @property
    def _plan(self) -> list[tuple[int, str, int]]:
        """Depth, precision and seed of every step."""
        seeds = range(self.seed, self.seed + self.seeds)
        return [(depth, precision, seed) for depth in DEPTHS for precision in PRECISIONS for seed in seeds]

    def advance(self, state: Measured, steps: int) -> Measured:
        passes, bytes_held, images = [*state.passes], [*state.bytes_held], [*state.images]
        for depth, precision, seed in self._plan[len(passes) :][:steps]:
            passes.append(reconstruct(precision, depth, self.strength, seed))
            if seed == self.seed:
                bytes_held.append(held(precision, depth))
                images.append(there_and_back(precision, depth, self.strength, seed, _digit()))
        return Measured(tuple(passes), tuple(bytes_held), tuple(images))

    def frame(self, state: Measured) -> Frame:
        shape = (len(DEPTHS), len(PRECISIONS), self.seeds)
        errors, gradients = np.full((2, int(np.prod(shape))), np.nan)
        errors[: len(state.passes)] = [pass_.error for pass_ in state.passes]
        gradients[: len(state.passes)] = [pass_.gradient_error for pass_ in state.passes]
        kilobytes = np.full((shape[0] * shape[1], 2), np.nan)
        kilobytes[: len(state.bytes_held)] = np.reshape(state.bytes_held, (-1, 2)) / 1e3
        pictured = np.full((len(STAGES), shape[0] * shape[1], WIDTH), np.nan)
        for at, image in enumerate(state.images):
            pictured[:, at] = image
        is_measured = np.arange(errors.size).reshape(shape)[:, :, -1] < len(state.passes)
        quantities = {
            "depth": Quantity(np.array(DEPTHS), "blocks", "blocks", ("depth",)),
            "digit": Quantity(_digit(), "pixels of the image", "relative", ("pixel",)),
        }
        for at, name in enumerate(PRECISIONS):
            quantities[f"{name}_known"] = Quantity(
                is_measured[:, at], f"{name}: whether it is measured", "", ("depth",)
            )
            for key, values, words in (
                ("error", errors, "reconstructed minus given input"),
                ("gradient", gradients, "gradient by reconstruction minus by autograd"),
            ):
                of_one = np.where(is_measured[:, at, None], values.reshape(shape)[:, at], np.nan)
                quantities |= band(of_one, f"{name}_{key}", f"{name}: {words}", "relative", "depth")
            for side, (holder, words) in enumerate(HOLDERS.items()):
                of_one = kilobytes.reshape(*shape[:2], 2)[:, at, side]
                quantities[f"{name}_{holder}"] = Quantity(of_one, f"{name}: held by {words}", "kB", ("depth",))
            for (stage, words), images in zip(STAGES.items(), pictured, strict=True):
                of_one = images.reshape(*shape[:2], WIDTH)[:, at]
                quantities[f"{name}_{stage}"] = Quantity(
                    of_one, f"{name}: the image {words}", "relative", ("depth", "pixel")
                )
        frame = Frame(quantities, {}, len(state.passes), errors.size)
        return replace(frame, results=self._results(frame))

    def reread(self, frame: Frame) -> Frame:
        return replace(frame, results=self._results(frame))

    def _results(self, frame: Frame) -> dict[str, float]:
        at = DEPTHS.index(self.depth)
        answers = {f"{name}_error": float(frame[f"{name}_error"][at]) for name in PRECISIONS}
        answers["gradient_error"] = float(frame[f"{self.precision}_gradient"][at])
        for holder in HOLDERS:
            answers[holder] = float(frame[f"{self.precision}_{holder}"][at])
        return answers | {"depth": self.depth}

    def describe(self, frame: Frame) -> str:
        at, name = DEPTHS.index(self.depth), self.precision
        if not frame[f"{name}_known"][at]:
            return f"Nothing is measured yet for a stack of {blocks(self.depth)} in {name}."
        error, off = (float(frame[f"{name}_{key}"][at]) for key in ("error", "gradient"))
        ordinary, reversible = (float(frame[f"{name}_{holder}"][at]) for holder in HOLDERS)
        outcome = (
            f"recovers its input with an error of {number(error, 2)} times the input"
            if np.isfinite(error)
            else "does not recover its input, since its numbers became too large for this precision"
        )
        gradients = f", and its gradients are off by {number(off, 2)} of their size" if np.isfinite(off) else ""
        return (
            f"With branches of strength {number(self.strength)}, a stack of {blocks(self.depth)} in "
            f"{name} {outcome}{gradients}. It holds {number(reversible)} kB for the backward pass, where ordinary "
            f"autograd holds {number(ordinary)} kB."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"Reversible blocks in PyTorch: two halves of {WIDTH // 2} numbers, each changed by a branch "
            f"of the other half (Linear–ReLU–Linear without biases, strength {number(self.strength)}); the same "
            "weights rounded to each precision. Peak bytes are counted by autograd's hooks.",
            data=f"{POINTS} random streams of {WIDTH} numbers; the gradient is that of a sum of the outputs with "
            f"random weights. The image is a real digit of {WIDTH} pixels: its upper half changes the lower one and "
            "vice versa. What comes out is drawn at the input's size.",
            seeds=f"{self.seeds} (from {self.seed}); errors are of the streams: lines and the numbers below images are "
            "their medians, bands their whole range. The image goes through the first seed's stacks.",
            cannot_show="Trained weights; mixed precision, in which sums are kept in 32 bits; other processors, whose "
            "rounding differs; parameters, and memory that is used only within one operation.",
        )


def _digit() -> np.ndarray:
    """The image as a stream: (WIDTH,) numbers with a variance of about 1."""
    return np.asarray(digits().test_inputs[DIGIT], float)


@calculation
def forward(part: int, x1: float = 1.0, x2: float = 2.0) -> Number:
    """y₁ = x₁ + F(x₂) or y₂ = x₂ + G(y₁), as `part` is 1 or 2, with F(u) = u/2 and G(u) = u²."""
    y1 = x1 + 0.5 * x2
    return (y1, x2 + y1**2)[part - 1]


@calculation
def back(part: int, x1: float = 1.0, x2: float = 2.0) -> Number:
    """The inputs recovered from the outputs of `forward`: x₂ = y₂ − G(y₁), then x₁ = y₁ − F(x₂); `part` 1 or 2."""
    y1, y2 = float(forward(1, x1, x2)), float(forward(2, x1, x2))
    second = y2 - y1**2
    return (y1 - 0.5 * second, second)[part - 1]
