"""Datasets: small, fixed, and the same in every process."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from sims.contract.own_points import parse
from sims.contract.wording import number

FOLDER = Path(__file__).parent / "files"


@dataclass(frozen=True)
class Dataset:
    """Points with labels, split into a training and a test part.

    Inputs are float32 arrays (points, features); labels are int64 arrays (points,) with values below `classes`. All are
    read-only. `sentence` describes the data in one sentence.
    """

    train_inputs: np.ndarray
    train_labels: np.ndarray
    test_inputs: np.ndarray
    test_labels: np.ndarray
    classes: int
    sentence: str

    def __post_init__(self) -> None:
        for name, kind in (("inputs", np.float32), ("labels", np.int64)):
            for part in ("train", "test"):
                array = np.ascontiguousarray(getattr(self, f"{part}_{name}"), kind)
                array.setflags(write=False)
                object.__setattr__(self, f"{part}_{name}", array)

    @property
    def features(self) -> int:
        return int(self.train_inputs.shape[1])


@dataclass(frozen=True)
class Source:
    """The name and arguments of a dataset: small enough to travel with a state, enough to make the dataset again."""

    name: str
    arguments: tuple[tuple[str, float | str], ...] = ()

    def load(self) -> Dataset:
        """Return the dataset. Raises ValueError for an unknown name, or if the data is too little to learn from."""
        return _load(self)


def source(name: str, **arguments: float | str) -> Source:
    """For example `source("spirals", turns=2)`."""
    return Source(name, tuple(sorted(arguments.items())))


@lru_cache(maxsize=64)
def _load(source: Source) -> Dataset:
    if source.name not in MAKERS:
        raise ValueError(f"there is no dataset named {source.name!r}; there are {', '.join(MAKERS)}")
    return MAKERS[source.name](**dict(source.arguments))


def digit_images() -> tuple[np.ndarray, np.ndarray]:
    """Pixels (1797, 8, 8) from 0 to 16 and labels (1797,) of the digits; `files/digits.txt` says whose they are."""
    with np.load(FOLDER / "digits.npz") as file:
        return file["pixels"].astype(np.float64), file["labels"].astype(np.int64)


def digits(points: int = 1438) -> Dataset:
    """The 8 x 8 handwritten digits, shifted and scaled together to mean 0 and variance 1 over the training part.

    With fewer `points`, it has only the first ones of the training part, and a quarter as many of the test part.
    """
    pixels, labels = digit_images()
    test = np.arange(len(labels)) % 5 == 4
    inputs = pixels.reshape(len(pixels), 64)
    inputs = (inputs - inputs[~test].mean()) / inputs[~test].std()
    images = "1,797 real images of handwritten digits, 8 × 8 pixels each"
    sentence, rest = f"{images}, of which every fifth is held out for testing", int(test.sum())
    if points < (~test).sum():
        rest = points // 4
        sentence = f"{number(points)} of {images}, and {rest} others held out for testing"
    return Dataset(
        inputs[~test][:points], labels[~test][:points], inputs[test][:rest], labels[test][:rest], 10, sentence
    )


def digits_plane() -> Dataset:
    """The handwritten digits in their first two principal components, each scaled to variance 1."""
    whole = digits()
    center = whole.train_inputs.mean(axis=0)
    _, spread, axes = np.linalg.svd(whole.train_inputs.astype(np.float64) - center, full_matrices=False)
    # The sign of a principal component is arbitrary: fix it, so that every machine gets the same data.
    axes = axes[:2] * np.sign(axes[:2].sum(axis=1, keepdims=True)) / spread[:2, None] * len(whole.train_inputs) ** 0.5
    return Dataset(
        (whole.train_inputs - center) @ axes.T,
        whole.train_labels,
        (whole.test_inputs - center) @ axes.T,
        whole.test_labels,
        10,
        "1,797 real images of handwritten digits, each reduced to two numbers (the first two principal components)",
    )


def teacher(points: int = 1024, features: int = 32, hidden: int = 64, seed: int = 0) -> Dataset:
    """Normally distributed points, labeled by which of a random network's ten outputs is the largest.

    The teacher is x → W₂ tanh(W₁ x) with `hidden` units and normal weights of variance 1/fan-in; every output is
    shifted and scaled to mean 0 and variance 1 over all points, so that no class is rare. As many points are held out.
    """
    random = np.random.default_rng(seed)
    inputs = random.normal(size=(2 * points, features))
    inside = np.tanh(inputs @ random.normal(size=(features, hidden)) / features**0.5)
    outputs = inside @ random.normal(size=(hidden, 10)) / hidden**0.5
    labels = ((outputs - outputs.mean(axis=0)) / outputs.std(axis=0)).argmax(axis=1)
    sentence = (
        f"{number(points)} random points with {features} features, sorted into 10 classes by a random network, "
        f"and {number(points)} more held out for testing"
    )
    return Dataset(inputs[:points], labels[:points], inputs[points:], labels[points:], 10, sentence)


def spirals(points: int = 256, turns: float = 1.5, noise: float = 0.02, seed: int = 0) -> Dataset:
    """Two spiral arms, evenly filled, within a radius of 1.5; `noise` is the standard deviation in those units."""
    random = np.random.default_rng(seed)

    def draw() -> tuple[np.ndarray, np.ndarray]:
        labels = np.arange(points) % 2
        along = np.sqrt(random.uniform(0, 1, points))
        angle = along * turns * 2 * np.pi + labels * np.pi
        inputs = 1.5 * along[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        return inputs + random.normal(0, noise, inputs.shape), labels

    sentence = f"{points} points on two interleaved spiral arms of {turns:g} turns, and {points} more for testing"
    return _plane(draw, sentence)


def playground_points() -> tuple[np.ndarray, np.ndarray]:
    """Points (500, 2) and labels (500,) of TensorFlow Playground's spiral without noise, one arm after the other.

    With i from 0 to 249: r = 5 i/250, t = 1.75 · i/250 · 2π (+ π for the second arm), x = r sin t, y = r cos t
    (its `dataset.ts`, `classifySpiralData`).
    """
    i = np.arange(250)
    radius = i / 250 * 5
    angle = 1.75 * i / 250 * 2 * np.pi + np.array([[0], [np.pi]])
    points = np.stack([radius * np.sin(angle), radius * np.cos(angle)], axis=-1)
    return points.reshape(500, 2), np.repeat([1, 0], 250)


def playground() -> Dataset:
    """TensorFlow Playground's spiral without noise; every second point of each arm is held out for testing."""
    points, labels = playground_points()
    sentence = (
        "TensorFlow Playground's spiral without noise: 250 points on two arms, and the 250 between them for testing"
    )
    return Dataset(points[::2], labels[::2], points[1::2], labels[1::2], 2, sentence)


def rings(points: int = 256, noise: float = 0.08, seed: int = 0) -> Dataset:
    """A disk inside a ring."""
    random = np.random.default_rng(seed)

    def draw() -> tuple[np.ndarray, np.ndarray]:
        labels = np.arange(points) % 2
        radius = np.where(labels == 0, np.sqrt(random.uniform(0, 0.36, points)), random.uniform(0.9, 1.3, points))
        angle = random.uniform(0, 2 * np.pi, points)
        inputs = radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        return inputs + random.normal(0, noise, inputs.shape), labels

    return _plane(draw, f"{points} points of a disk and of the ring around it, and {points} more for testing")


def xor(points: int = 256, noise: float = 0.05, seed: int = 0) -> Dataset:
    """Four quadrants, opposite ones of one class."""
    random = np.random.default_rng(seed)

    def draw() -> tuple[np.ndarray, np.ndarray]:
        inputs = random.uniform(-1.2, 1.2, (points, 2))
        labels = (inputs[:, 0] * inputs[:, 1] > 0).astype(np.int64)
        return inputs + np.sign(inputs) * 0.1 + random.normal(0, noise, inputs.shape), labels

    return _plane(draw, f"{points} points in four quadrants, opposite ones of one class, and {points} more for testing")


def moons(points: int = 256, noise: float = 0.1, seed: int = 0) -> Dataset:
    """Two half circles that reach into each other."""
    random = np.random.default_rng(seed)

    def draw() -> tuple[np.ndarray, np.ndarray]:
        labels = np.arange(points) % 2
        angle = random.uniform(0, np.pi, points)
        side = 1 - 2 * labels
        inputs = np.stack([side * np.cos(angle) + labels - 0.5, side * np.sin(angle) + labels / 2 - 0.25], axis=1)
        return inputs + random.normal(0, noise, inputs.shape), labels

    return _plane(
        draw, f"{points} points on two half circles that reach into each other, and {points} more for testing"
    )


def blobs(points: int = 256, classes: int = 4, spread: float = 0.3, seed: int = 0) -> Dataset:
    """Round clouds with their centers evenly on the unit circle."""
    random = np.random.default_rng(seed)

    def draw() -> tuple[np.ndarray, np.ndarray]:
        labels = np.arange(points) % classes
        angle = 2 * np.pi * labels / classes
        return np.stack([np.cos(angle), np.sin(angle)], axis=1) + random.normal(0, spread, (points, 2)), labels

    return _plane(draw, f"{points} points in {classes} round clouds, and {points} more for testing", classes)


def own(points: str) -> Dataset:
    """The reader's own points, in the form of `sims.contract.own_points`; nothing is held out for testing.

    Raises ValueError if they have fewer than two classes.
    """
    inputs, labels = parse(points)
    if len(set(labels.tolist())) < 2:
        raise ValueError("there is nothing to learn until the map has points of two classes")
    sentence = f"{len(labels)} points that you have drawn, and none held out for testing"
    return Dataset(inputs, labels, inputs, labels, int(labels.max()) + 1, sentence)


def _plane(draw: Callable[[], tuple[np.ndarray, np.ndarray]], sentence: str, classes: int = 2) -> Dataset:
    """Make a dataset from two draws: the first for training, the second for testing."""
    return Dataset(*draw(), *draw(), classes=classes, sentence=sentence)


MAKERS: dict[str, Callable[..., Dataset]] = {
    "digits": digits,
    "digits_plane": digits_plane,
    "teacher": teacher,
    "spirals": spirals,
    "playground": playground,
    "rings": rings,
    "xor": xor,
    "moons": moons,
    "blobs": blobs,
    "own": own,
}
