"""Corrections: the same input on its way through a plain and a residual stack, block by block."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Simulation
from sims.contract.wording import exact_or, number
from sims.data.datasets import digit_images
from sims.instruments.hand_derived.one_block import Block, cosine

NETWORKS = {"plain": False, "residual": True}
"""Name on the page → whether there is a skip around every block."""

SIDE = 8
"""Pixels along an edge of an image."""


class Corrections(Simulation):
    """A chain of corrections

    There are two pictures, one of a residual stack and one of a plain one. Each shows a handwritten digit as gray
    pixels, large, and below it what the stack makes of it after every block, with a bar and a number for the cosine
    with the input; next to the digit are the cosine and the length at the end. The measures show the steps of a vector
    of two numbers as arrows, and the length and direction of the digit as two curves.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "depth": (2, 4, 8, 12),
        "strength": (0.0, 0.1, 0.25, 0.5, 1.0, 2.0),
        "ending": ("linear", "relu"),
    }

    depth = param.Integer(8, bounds=(1, 12), label="Blocks", doc="blocks one after another")
    strength = param.Number(0.25, bounds=(0, 2), step=0.05, label="Strength", doc="factor on every branch")
    ending = param.Selector(
        default="linear",
        objects={"Linear": "linear", "ReLU": "relu"},
        label="End of the branch",
        doc="the last operation of every branch",
        precedence=1,
    )
    digit = param.Integer(3, bounds=(0, 9), label="Digit", doc="which handwritten digit goes in", precedence=1)
    x1 = param.Number(0.8, bounds=(-2, 2), step=0.05, label="x₁", doc="first number of the arrows' input", precedence=1)
    x2 = param.Number(0.4, bounds=(-2, 2), step=0.05, label="x₂", doc="second number of the input", precedence=1)
    seed = usual_parameters.seed()

    def compute(self) -> Frame:
        image = _image(self.digit)
        quantities: dict[str, Quantity] = {}
        answers: dict[str, float | int | str] = {"depth": self.depth, "strength": self.strength}
        for name, skip in NETWORKS.items():
            images, walk = (self._streams(x, skip) for x in (image, np.array([self.x1, self.x2])))
            norms = np.linalg.norm(images, axis=1) / np.linalg.norm(image)
            cosines = np.array([cosine(image, output) for output in images])
            quantities |= {
                f"{name}_images": Quantity(
                    images.reshape(-1, SIDE, SIDE),
                    f"{name}: the digit after every block",
                    "relative",
                    ("block", "row", "column"),
                ),
                f"{name}_walk": Quantity(walk, f"{name}: two numbers", "relative", ("block", "coordinate")),
                f"{name}_norms": Quantity(norms, f"{name}: length against the input's", "relative", ("block",)),
                f"{name}_cosines": Quantity(cosines, f"{name}: cosine with the input", "relative", ("block",)),
            }
            answers |= {f"{name}_norm": float(norms[-1]), f"{name}_cosine": float(cosines[-1])}
        residual = quantities["residual_images"].values.reshape(self.depth + 1, -1)
        answers["lowest_increment"] = float(np.diff(residual, axis=0).min())
        return Frame(quantities, answers)

    def _streams(self, x: np.ndarray, skip: bool) -> np.ndarray:
        """The input and the stream after every block, (depth + 1, width)."""
        random = np.random.default_rng((self.seed, len(x)))
        streams = [x]
        for _ in range(self.depth):
            weights = random.normal(0, len(x) ** -0.5, (len(x), len(x)))
            streams.append(apply(Block(weights, skip, self.ending, self.strength), streams[-1]))
        return np.array(streams)

    def describe(self, frame: Frame) -> str:
        sentences = [
            f"the {name} stack has made the digit's vector {exact_or(float(frame.results[f'{name}_norm']))} times as "
            f"long, and its cosine with what went in is {float(frame.results[f'{name}_cosine']):.2f}"
            for name in NETWORKS
        ]
        blocks = f"{self.depth} block{'' if self.depth == 1 else 's'}"
        words = f"After {blocks} of strength {number(self.strength, 6)}, {'; '.join(sentences)}."
        return words.replace(" -", " −")

    def disclosure(self) -> Disclosure:
        last = " and a ReLU" if self.ending == "relu" else ""
        return Disclosure(
            network=f"{self.depth} blocks; each branch is one random matrix with entries of variance 1/width{last}, "
            f"times {number(self.strength, 6)}. Both stacks have the same matrices; nothing is trained.",
            data="A real handwritten digit of 8 × 8 pixels, its mean subtracted; for the arrows, two numbers that "
            "you choose.",
            seeds=f"One ({self.seed}); try another to see what depends on it.",
            cannot_show="What trained blocks write. The blocks here are random and show only how a chain treats its "
            "input.",
        )


def apply(block: Block, x: np.ndarray) -> np.ndarray:
    """The output of a block for an input (width,)."""
    sums = block.weights @ x
    branch: np.ndarray = block.strength * (np.maximum(sums, 0) if block.ending == "relu" else sums)
    return x + branch if block.skip else branch


@cache
def _image(digit: int) -> np.ndarray:
    """The first image of that digit in the data, with mean 0 and mean square 1: (64,)."""
    pixels, labels = digit_images()
    flat = pixels[np.flatnonzero(labels == digit)[0]].reshape(-1)
    flat = flat - flat.mean()
    scaled: np.ndarray = flat / flat.std()
    return scaled
