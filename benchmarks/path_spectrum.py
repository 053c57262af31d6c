"""The split of a gradient by path length: our recursion against a list of all paths, and against matrix polynomials."""

import itertools
from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks._figures import in_turns, note, ratios
from sims.engines.perceptrons import Architecture, Recipe, start
from sims.instruments.gradients.opened_blocks import OpenedBlocks, opened
from sims.instruments.gradients.path_spectrum import by_length

POINTS = 16
ROUNDS = 5


def network(blocks: int) -> OpenedBlocks:
    """A residual network of that many blocks of width 32 on the digits, opened at 16 points."""
    architecture = Architecture(
        2 * blocks + 2, 32, unit="two-layer", initialization="he", branch_factor="1/sqrt(blocks)"
    )
    state = start(architecture, Recipe(), "digits", (0,))
    data = state.source.load()
    return opened(state, 0, data.test_inputs[:POINTS], data.test_labels[:POINTS])


def all_paths(blocks: OpenedBlocks) -> np.ndarray:
    """Every path walked by itself: 2^L walks."""
    parts = np.zeros((blocks.count + 1, *blocks.gradient.shape))
    for path in itertools.product([False, True], repeat=blocks.count):
        gradient = blocks.gradient
        for block in reversed(range(blocks.count)):
            gradient = blocks.branch_back(block, gradient) if path[block] else gradient
        parts[sum(path)] += gradient
    return parts


def matrix_polynomial(blocks: OpenedBlocks) -> np.ndarray:
    """The polynomial of Jacobians itself, a matrix per length and point, applied to the gradient at the end."""
    points, width = blocks.gradient.shape
    jacobians = [blocks.jacobian(block) - np.eye(width) for block in range(blocks.count)]
    products = np.zeros((blocks.count + 1, points, width, width))
    products[0] = np.eye(width)
    for done, jacobian in enumerate(jacobians):
        products[1 : done + 2] += jacobian @ products[: done + 1]
    return np.einsum("no,knoi->kni", blocks.gradient, products)


def main() -> None:
    """How many times as long as the recursion the other ways take, and how far they are from it."""
    ways: dict[str, tuple[Callable[[OpenedBlocks], np.ndarray], tuple[int, ...]]] = {
        "a list of all paths": (all_paths, (4, 8, 10)),
        "polynomials of matrices": (matrix_polynomial, (16, 32, 64, 110)),
    }
    for way, (other, sizes) in ways.items():
        for count in sizes:
            blocks = network(count)
            error = np.abs(by_length(blocks) - other(blocks)).max()
            seconds = in_turns({"ours": partial(by_length, blocks), "theirs": partial(other, blocks)}, ROUNDS)
            note(f"split by path length, {count} blocks: here", [1e3 * x for x in seconds["ours"]], "ms")
            note(f"split by path length, {count} blocks: {way}", ratios(seconds["theirs"], seconds["ours"]), "×")
            print(f"    largest difference {error:.0e}")
