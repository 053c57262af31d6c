"""Input features of a point in the plane: those functions of its two coordinates that TensorFlow Playground offers.

Playground's square extends to 6 in every direction and offers sin x (its `state.ts`, `INPUTS`). Ours extends to 2, so
the same waves are sin 3x.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from sims.data.datasets import Dataset, Source

FUNCTIONS = {
    "x1": lambda x: x[:, 0],
    "x2": lambda x: x[:, 1],
    "x1_squared": lambda x: x[:, 0] ** 2,
    "x2_squared": lambda x: x[:, 1] ** 2,
    "product": lambda x: x[:, 0] * x[:, 1],
    "sine_x1": lambda x: np.sin(3 * x[:, 0]),
    "sine_x2": lambda x: np.sin(3 * x[:, 1]),
}

LABELS = {
    "x1": "x₁",
    "x2": "x₂",
    "x1_squared": "x₁²",
    "x2_squared": "x₂²",
    "product": "x₁x₂",
    "sine_x1": "sin 3x₁",
    "sine_x2": "sin 3x₂",
}
"""Name of a function → how it is written"""

COORDINATES = ("x1", "x2")
"""The features that are the point itself"""


def computed(points: np.ndarray, features: Sequence[str]) -> np.ndarray:
    """Return the values (n, features) of these functions at points (n, 2)."""
    return np.stack([FUNCTIONS[name](points) for name in features], axis=1)


def featured(data: Dataset, features: Sequence[str]) -> Dataset:
    """Return the same dataset, with these functions of the points' coordinates as the network's inputs."""
    return replace(
        data, train_inputs=computed(data.train_inputs, features), test_inputs=computed(data.test_inputs, features)
    )


@dataclass(frozen=True)
class Featured(Source):
    """A task in the plane whose networks receive `features` as inputs."""

    features: tuple[str, ...] = ()

    def load(self) -> Dataset:
        """Return the dataset with these inputs. Raises ValueError as the task itself does, and if there are none."""
        return _load(self)

    @property
    def plane(self) -> Source:
        """The task itself."""
        return Source(self.name, self.arguments)


@lru_cache(maxsize=64)
def _load(source: Featured) -> Dataset:
    if not source.features:
        raise ValueError("nothing is fed to the networks until at least one function of the coordinates is chosen")
    return featured(source.plane.load(), source.features)


def with_features(task: Source, features: Sequence[str]) -> Source:
    """Return the task with these functions as inputs; the task itself if they are the coordinates."""
    return task if tuple(features) == COORDINATES else Featured(task.name, task.arguments, tuple(features))


def in_plane(source: Source) -> Source:
    """Return the same task with the coordinates of the points as inputs."""
    return source.plane if isinstance(source, Featured) else source


def as_fed(source: Source, points: np.ndarray) -> np.ndarray:
    """Return the inputs that points (n, 2) of the plane give to a network that learns from this source."""
    return computed(points, source.features) if isinstance(source, Featured) else points
