"""Converts weights and points between NumPy and PyTorch; seeds, if there are several, are the first dimension."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from sims.data.datasets import Dataset

if TYPE_CHECKING:
    from torch import Tensor, nn


def tensors(arrays: Mapping[str, np.ndarray]) -> dict[str, "Tensor"]:
    """Copy arrays to tensors of the same names, shapes and precision."""
    import torch

    return {name: torch.tensor(array) for name, array in arrays.items()}


def arrays(weights: "nn.ParameterDict | Mapping[str, Tensor]") -> dict[str, np.ndarray]:
    """Copy weights to arrays of the same names, shapes and precision."""
    return {name: weight.detach().numpy().copy() for name, weight in weights.items()}


def stacked(per_seed: "Iterable[Mapping[str, Tensor]]") -> dict[str, np.ndarray]:
    """Stack the weights of all seeds, by name: (seeds, …)."""
    seeds = list(per_seed)
    return {name: np.stack([weights[name].numpy() for weights in seeds]) for name in seeds[0]}


def point_batches(data: Dataset, numbers: Iterable[np.ndarray]) -> "Iterator[tuple[Tensor, Tensor]]":
    """Yield the inputs (seeds, batch, features) and labels (seeds, batch) of training points, for each of their indices
    (seeds, batch)."""
    import torch

    inputs, labels = torch.tensor(data.train_inputs), torch.tensor(data.train_labels)
    for chosen in numbers:
        yield inputs[chosen], labels[chosen]


def first_points(data: Dataset, seeds: int, count: int) -> tuple["Tensor", "Tensor"]:
    """Inputs (seeds, count, features) and labels (seeds, count) of the first training points: views of the same points
    for each seed."""
    import torch

    inputs, labels = torch.tensor(data.train_inputs[:count]), torch.tensor(data.train_labels[:count])
    return inputs.expand(seeds, -1, -1), labels.expand(seeds, -1)


def mean_squares(streams: "Iterable[Tensor]") -> np.ndarray:
    """Mean squares (seeds, streams) of streams (seeds, points, width) over points and width, in double precision."""
    return np.stack([_mean_square(stream).numpy() for stream in streams], axis=1)


def root_mean_squares(streams: "Iterable[Tensor]") -> np.ndarray:
    """The square roots of `mean_squares`, (seeds, streams), by PyTorch: NumPy's may have another last digit."""
    return np.stack([_mean_square(stream).sqrt().numpy() for stream in streams], axis=1)


def _mean_square(stream: "Tensor") -> "Tensor":
    return stream.detach().double().square().mean(dim=(1, 2))
