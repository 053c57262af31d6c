"""Networks that differ only in how their branches start: Pre-LN residual perceptrons with two layers per block."""

from collections.abc import Sequence

import numpy as np

from sims.data.datasets import Source
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, start_from
from sims.engines.perceptrons.initialization import initial_parameters
from sims.engines.perceptrons.layout import Layout, make_layout

STARTS = {
    "usual": "He",
    "zero": "zero last layers",
    "small": "small last layers",
    "multiplied": "multiplied for good",
    "gpt2": "GPT-2's scheme",
}
"""Name → label of the start in a legend."""

SPREAD = 0.02 * 768**0.5
"""Standard deviation of GPT-2's initial weights times the root of the width of its smallest model."""


def architecture(start: str, blocks: int, width: int) -> Architecture:
    """Return the network for a start. Only "multiplied" has a different forward pass."""
    return Architecture(
        depth=2 * blocks + 2,
        width=width,
        unit="two-layer",
        norm="pre-layer",
        final_norm=True,
        initialization="zero-last" if start == "zero" else "he",
        branch_factor="1/sqrt(blocks)" if start == "multiplied" else "1",
    )


def parameters(start: str, blocks: int, layout: Layout, network: Architecture, seed: int) -> np.ndarray:
    """Return the initial parameter vector (float64).

    "small" takes the weights of "usual" and divides the last layer of every branch by √blocks. "gpt2" draws all weights
    from a normal distribution and divides the same layers. Its standard deviation of 0.02 belongs to a width of 768;
    for narrower layers it is larger here, so that units have inputs of the same size (Radford et al. 2019, section 2.3;
    nanoGPT).
    """
    vector = initial_parameters(network, layout, seed)
    if start == "gpt2":
        random = np.random.default_rng((seed, 0))
        for layer in layout.layers:
            weights = layer.weights(vector)
            weights[:] = random.normal(0, SPREAD * network.width**-0.5, weights.shape)
    if start in ("small", "gpt2"):
        # Layer 0 is the stem and the last one the head; each block has two, so its last has an even index.
        for layer in layout.layers[2:-1:2]:
            layer.weights(vector)[:] *= blocks**-0.5
    return vector


def begin(start: str, blocks: int, width: int, recipe: Recipe, source: Source, seeds: Sequence[int]) -> TrainingState:
    """Return the run before its first step."""
    network, data = architecture(start, blocks, width), source.load()
    layout = make_layout(network, data.features, data.classes)
    vectors = np.stack([parameters(start, blocks, layout, network, seed) for seed in seeds])
    return start_from(vectors.astype(np.float32), network, recipe, source, tuple(seeds))
