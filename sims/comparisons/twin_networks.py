"""A plain and a residual network with the same initial weights, the same data and the same order of batches."""

from typing import Literal

import numpy as np

from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, start
from sims.engines.perceptrons.architecture import Norm
from sims.engines.perceptrons.engine import outputs
from sims.engines.perceptrons.layout import Layout, make_layout
from sims.instruments.surfaces.curvature import Network
from sims.instruments.surfaces.directions import Kind, directions
from sims.instruments.surfaces.landscapes import SAMPLE, Plane, of_seed

NAMES = ("plain", "residual")

Statistics = Literal["none", "batch", "frozen", "layer"]
"""A norm; "frozen" is batch norm that keeps its statistics while a slice of the loss surface is computed."""

NORM_WORDS = {
    "none": "no norm",
    "batch": "BatchNorm with the statistics of the batch",
    "frozen": "BatchNorm with frozen statistics",
    "layer": "LayerNorm",
}


def architecture(name: str, depth: int, norm: Statistics, width: int = 32) -> Architecture:
    """Return a network with blocks of two layers as in He et al., with or without their skip.

    Without a norm, the branches of the residual network are multiplied by 1/√blocks, because its stream would explode.
    """
    kinds: dict[str, Norm] = {"none": "none", "batch": "batch", "frozen": "batch", "layer": "layer"}
    residual = name == "residual"
    return Architecture(
        depth=depth,
        width=width,
        skip="additive" if residual else "none",
        norm=kinds[norm],
        unit="original",
        branch_factor="1/sqrt(blocks)" if residual and norm == "none" else "1",
    )


def twins(
    depth: int, norm: Statistics, data: str, seed: int, recipe: Recipe, width: int = 32
) -> dict[str, TrainingState]:
    """Return both networks before their first step."""
    return {name: start(architecture(name, depth, norm, width), recipe, source(data), (seed,)) for name in NAMES}


def layout_of(run: TrainingState) -> Layout:
    """Return the layout of a run's parameter vector."""
    data = run.source.load()
    return make_layout(run.architecture, data.features, outputs(run.recipe, data))


def random_plane(run: TrainingState, seed: int, kind: Kind, norm: Statistics) -> Plane:
    """Return the plane through the weights of a run of one seed, along two random directions."""
    weights = run.parameters[0].astype(np.float64)
    basis = np.vstack([weights, directions(weights, layout_of(run), seed, kind)])
    return Plane(of_seed(run), basis, norm == "frozen")


def exact(run: TrainingState, norm: Statistics) -> Network:
    """Return the network whose loss is that of a slice, for exact derivatives."""
    data = run.source.load()
    inputs, labels = data.train_inputs[:SAMPLE].T, data.train_labels[:SAMPLE]
    network = Network(run.architecture, inputs, labels, data.classes)
    if norm == "frozen":
        network.freeze(run.parameters[0].astype(np.float64))
    return network
