"""`python -m benchmarks landscape`: slices on 41 × 41 points against the package `loss-landscapes`, side by side.

Same network, data and number of points, one thread, processor time, of rounds in which all take turns. The ceiling is
the time that torch takes for the matrix products alone, in batches of perturbed networks.
"""

import os

os.environ["OMP_NUM_THREADS"] = "1"

import time
from collections.abc import Callable

import loss_landscapes
import loss_landscapes.metrics
import torch
from torch.nn.utils import vector_to_parameters

from benchmarks._figures import in_turns, note, ratios
from sims.comparisons.twin_networks import layout_of, random_plane
from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, start
from sims.instruments.surfaces import grids
from sims.instruments.surfaces.landscapes import BLOCK, SAMPLE, of_seed
from sims.pytorch.models import networks
from sims.simulations.loss_surfaces.landscape import Landscape

ROUNDS, SIDE = 5, 41
OF_CEILING = 0.85
"""What a slice should reach of it"""
SETTINGS = {
    "width 16, 10 layers, no norm, digits": (
        Architecture(10, 16, unit="original", branch_factor="1/sqrt(blocks)"),
        "digits",
    ),
    "width 16, 18 layers, BatchNorm, spirals": (Architecture(18, 16, norm="batch", unit="original"), "spirals"),
    "width 32, 34 layers, BatchNorm, spirals": (Architecture(34, 32, norm="batch", unit="original"), "spirals"),
    "width 32, 34 layers, BatchNorm, digits": (Architecture(34, 32, norm="batch", unit="original"), "digits"),
}


def trained(architecture: Architecture, data: str) -> TrainingState:
    return of_seed(advance(start(architecture, Recipe("adam", 0.002, 128, clip=1.0), source(data), (0,)), 50))


def ours(run: TrainingState) -> Callable[[], object]:
    def draw() -> object:
        plane = random_plane(run, 0, "filter", "none")
        return plane.losses(grids.coordinates(SIDE, 1.0, 0, SIDE**2))

    return draw


def theirs(run: TrainingState) -> Callable[[], object]:
    data = run.source.load()
    model = networks.network(run.architecture, data.features, data.classes)
    vector_to_parameters(torch.tensor(run.parameters[0]), networks.ordered_parameters(model))
    points, labels = torch.tensor(data.train_inputs[:SAMPLE]), torch.tensor(data.train_labels[:SAMPLE])
    metric = loss_landscapes.metrics.Loss(torch.nn.functional.cross_entropy, points, labels)

    def draw() -> object:
        with torch.no_grad():
            return loss_landscapes.random_plane(model, metric, steps=SIDE, normalization="filter", deepcopy_model=True)

    return draw


def products(run: TrainingState) -> Callable[[], object]:
    """The matrix products of the layers for all points, and nothing else: torch's batched product, best batch size."""
    data = run.source.load()
    count = min(SAMPLE, len(data.train_labels))
    pairs = [
        (torch.randn(BLOCK, layer.rows, layer.columns), torch.randn(BLOCK, layer.columns, count))
        for layer in layout_of(run).layers
    ]
    outs = [torch.empty(BLOCK, weights.shape[1], count) for weights, _ in pairs]

    def multiply() -> object:
        for _ in range(-(-(SIDE**2) // BLOCK)):
            for (weights, inputs), out in zip(pairs, outs, strict=True):
                torch.bmm(weights, inputs, out=out)
        return outs

    return multiply


def main() -> None:
    torch.set_num_threads(1)
    for title, (architecture, data) in SETTINGS.items():
        run = trained(architecture, data)
        seconds = in_turns({"theirs": theirs(run), "ours": ours(run), "products": products(run)}, ROUNDS)
        name = f"landscape {SIDE} × {SIDE}, {title}"
        note(f"{name}: here", seconds["ours"], "s")
        note(f"{name}: the package", ratios(seconds["theirs"], seconds["ours"]), "×")
        note(f"{name}: of the ceiling", ratios(seconds["products"], seconds["ours"]), "", OF_CEILING, more=True)
    for depth in (10, 18, 34):
        simulation = Landscape(depth=depth)
        times = []
        for _ in range(ROUNDS):
            began = time.perf_counter()
            simulation.frame(simulation.start())
            times.append(1e3 * (time.perf_counter() - began))
        note(f"first coarse picture, plain and residual, {depth} layers, by the clock", times, "ms")
