"""Small networks, and the slow way to a slice of their loss: torch, one network at a time."""

from dataclasses import replace

import numpy as np
import torch
from torch.nn.utils import parameters_to_vector, vector_to_parameters

from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, start
from sims.engines.perceptrons.layout import Layout, make_layout
from sims.instruments.surfaces.landscapes import SAMPLE
from sims.pytorch.models import networks

RECIPE = Recipe("adam", 0.002, 128, clip=1.0, record_every=1000)
SMALL = Architecture(depth=6, width=8, unit="original", norm="batch")


def small_run(norm: str = "batch", skip: str = "additive", steps: int = 5, data: str = "spirals") -> TrainingState:
    """A run of one seed, a few steps after its start."""
    return advance(start(replace(SMALL, norm=norm, skip=skip), RECIPE, data, (3,)), steps)


def layout_of(run: TrainingState) -> Layout:
    data = run.source.load()
    return make_layout(run.architecture, data.features, data.classes)


def torch_network(run: TrainingState) -> torch.nn.Module:
    data = run.source.load()
    return networks.network(run.architecture, data.features, data.classes).double()


def torch_loss(run: TrainingState, parameters: np.ndarray, points: int | None = SAMPLE) -> float:
    """The loss at weights (P,), in double precision, by modules of torch."""
    data, model = run.source.load(), torch_network(run)
    vector_to_parameters(torch.tensor(parameters, dtype=torch.float64), networks.ordered_parameters(model))
    with torch.no_grad():
        outputs = model(torch.tensor(data.train_inputs[:points]).double())
    return float(torch.nn.functional.cross_entropy(outputs, torch.tensor(data.train_labels[:points])))


def torch_gradient(run: TrainingState, parameters: np.ndarray) -> np.ndarray:
    """The gradient of the loss at weights (P,), by torch's autograd, in double precision."""
    data, model = run.source.load(), torch_network(run)
    ordered = networks.ordered_parameters(model)
    vector_to_parameters(torch.tensor(parameters, dtype=torch.float64), ordered)
    outputs = model(torch.tensor(data.train_inputs).double())
    loss = torch.nn.functional.cross_entropy(outputs, torch.tensor(data.train_labels))
    return parameters_to_vector(torch.autograd.grad(loss, ordered)).numpy()
