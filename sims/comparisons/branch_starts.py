"""Networks that differ only in how their branches begin: Pre-LN residual perceptrons with two layers to a block."""

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
"""Name → how its branches begin, in the words of a legend."""

SPREAD = 0.02 * 768**0.5
"""Standard deviation of GPT-2's initial weights times the root of the width of its smallest model."""


def architecture(start: str, blocks: int, width: int) -> Architecture:
    """The network of that start. "multiplied" is the only one whose forward pass is another."""
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
    """The initial parameter vector (float64).

    "small" takes the weights of "usual" and divides the last layer of every branch by √blocks. "gpt2" draws all weights
    from a normal distribution and divides the same layers; its spread of 0.02 belongs to a width of 768 and is widened
    here so that a unit of a narrower layer gets as much (Radford et al. 2019, section 2.3; nanoGPT).
    """
    vector = initial_parameters(network, layout, seed)
    if start == "gpt2":
        random = np.random.default_rng((seed, 0))
        for layer in layout.layers:
            weights = layer.weights(vector)
            weights[:] = random.normal(0, SPREAD * network.width**-0.5, weights.shape)
    if start in ("small", "gpt2"):
        for layer in layout.layers[2:-1:2]:
            layer.weights(vector)[:] *= blocks**-0.5
    return vector


def begin(start: str, blocks: int, width: int, recipe: Recipe, source: Source, seeds: Sequence[int]) -> TrainingState:
    """The run before its first step."""
    network, data = architecture(start, blocks, width), source.load()
    layout = make_layout(network, data.features, data.classes)
    vectors = np.stack([parameters(start, blocks, layout, network, seed) for seed in seeds])
    return start_from(vectors.astype(np.float32), network, recipe, source, tuple(seeds))
