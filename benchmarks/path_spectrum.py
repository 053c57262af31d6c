"""The split of a gradient by path length: our recursion against a list of all paths, and against matrix polynomials."""

import itertools
import time
from collections.abc import Callable

import numpy as np

from sims.engines.perceptrons import Architecture, Recipe, start
from sims.instruments.opened_blocks import OpenedBlocks, opened
from sims.instruments.path_spectrum import by_length

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
    for taken in itertools.product([False, True], repeat=blocks.count):
        gradient = blocks.gradient
        for block in reversed(range(blocks.count)):
            gradient = blocks.branch_back(block, gradient) if taken[block] else gradient
        parts[sum(taken)] += gradient
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


def seconds(*calls: Callable[[], object]) -> list[float]:
    """The least time of each, measured in turns, so that what else the machine does meets all of them."""
    least = [float("inf")] * len(calls)
    for _ in range(ROUNDS):
        for at, call in enumerate(calls):
            began = time.perf_counter()
            call()
            least[at] = min(least[at], time.perf_counter() - began)
    return least


def main() -> None:
    """Print times and ratios."""
    for blocks in (4, 8, 10):
        opened_blocks = network(blocks)
        ours, listed = seconds(lambda b=opened_blocks: by_length(b), lambda b=opened_blocks: all_paths(b))
        error = np.abs(by_length(opened_blocks) - all_paths(opened_blocks)).max()
        print(
            f"  {blocks:3d} blocks: {1e3 * ours:8.2f} ms, a list of {2**blocks:,} paths {1e3 * listed:8.1f} ms: "
            f"{listed / ours:6.0f} times; largest difference {error:.0e}"
        )
    for blocks in (16, 32, 64, 110):
        opened_blocks = network(blocks)
        ours, dense = seconds(lambda b=opened_blocks: by_length(b), lambda b=opened_blocks: matrix_polynomial(b))
        error = np.abs(by_length(opened_blocks) - matrix_polynomial(opened_blocks)).max()
        print(
            f"  {blocks:3d} blocks: {1e3 * ours:8.2f} ms, polynomials of matrices {1e3 * dense:8.1f} ms: "
            f"{dense / ours:6.0f} times; largest difference {error:.0e}"
        )
