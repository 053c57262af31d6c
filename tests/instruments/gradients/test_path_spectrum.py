"""The split of a real gradient by path length against brute force and against torch's autograd."""

import itertools

import numpy as np
import pytest

from sims.engines.perceptrons import Architecture, Recipe, advance, start
from sims.instruments.gradients.opened_blocks import OpenedBlocks, opened
from sims.instruments.gradients.path_spectrum import (
    by_length,
    energy_by_length,
    length_within,
    mean_length,
    shares,
    sizes,
)

BLOCKS = 8


@pytest.fixture(scope="module", params=["none", "pre-layer"])
def blocks(request: pytest.FixtureRequest) -> OpenedBlocks:
    """A trained network with its kinks and, in one case, with norms."""
    architecture = Architecture(
        2 * BLOCKS + 2, 8, norm=request.param, unit="two-layer", initialization="he", final_norm=request.param != "none"
    )
    state = advance(start(architecture, Recipe("adam", 0.003, 32, clip=1.0), "digits", (1,)), 20)
    data = state.source.load()
    return opened(state, 0, data.test_inputs[:3], data.test_labels[:3])


@pytest.fixture(scope="module")
def listed(blocks: OpenedBlocks) -> dict[tuple[bool, ...], np.ndarray]:
    """The gradient along every single path, each walked by itself."""
    gradients = {}
    for path in itertools.product([False, True], repeat=BLOCKS):
        gradient = blocks.gradient
        for block in reversed(range(BLOCKS)):
            gradient = blocks.branch_back(block, gradient) if path[block] else gradient
        gradients[path] = gradient
    return gradients


def test_b_13_the_recursion_is_the_sum_over_all_paths(
    blocks: OpenedBlocks, listed: dict[tuple[bool, ...], np.ndarray]
) -> None:
    expected = np.zeros((BLOCKS + 1, *blocks.gradient.shape))
    for path, gradient in listed.items():
        expected[sum(path)] += gradient
    actual = by_length(blocks)
    for part, other in zip(actual, expected, strict=True):
        assert np.linalg.norm(part - other) <= 1e-13 * np.linalg.norm(other)


def test_the_energy_is_the_sum_over_all_paths(blocks: OpenedBlocks, listed: dict[tuple[bool, ...], np.ndarray]) -> None:
    expected = np.zeros((BLOCKS + 1, len(blocks.gradient)))
    for path, gradient in listed.items():
        expected[sum(path)] += (gradient**2).sum(axis=1)
    assert energy_by_length(blocks) == pytest.approx(expected, rel=1e-12)


def test_all_parts_together_are_the_gradient_of_backpropagation(blocks: OpenedBlocks) -> None:
    gradient = blocks.gradient
    for block in reversed(range(BLOCKS)):
        gradient = blocks.block_back(block, gradient)
    assert by_length(blocks).sum(axis=0) == pytest.approx(gradient, rel=1e-12)


def test_shares_add_up_to_one(blocks: OpenedBlocks) -> None:
    parts = by_length(blocks)
    assert shares(parts).sum() == pytest.approx(1, abs=1e-12)
    assert sizes(parts).sum() >= 1
    assert (shares(parts) <= sizes(parts) * 3).all()


def test_readings_of_a_distribution() -> None:
    weights = np.array([1.0, 2.0, 1.0, 0.0])
    assert mean_length(weights) == 1
    assert length_within(weights, 0.7) == 1
    assert length_within(weights, 0.8) == 2
    assert length_within(weights, 0.1) == 0
