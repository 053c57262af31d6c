"""A browser makes the data of the tasks in the plane as Python does, to the last bit."""

import json
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sims.data.datasets import Dataset, Source, source
from sims.data.input_features import FUNCTIONS, Featured, featured
from sims.data.plane_tasks import NOISES, SPREADS, plane_task
from sims.engines.wasm.starting import ziggurat
from sims.simulations.design_choices.explorer import RING

FEATURES = ("x1", "product", "sine_x1", "sine_x2", "x2_squared")
"""Fed to the digits, whose points reach farther than those of other tasks"""


def sources() -> list[Source]:
    """Every task of the explorer with every noise and choice of features, and random tasks from other seeds."""
    tasks = [plane_task(task, noise, "") for task in SPREADS for noise in NOISES.values()]
    own = [source("own", points=points) for points in (RING, "a0000b9999", "d5050a0102c9900a0102b0000")]
    others = [source(task, seed=seed, points=100 + seed) for task in SPREADS for seed in (1, 7, 12345)]
    fed = [
        Featured(task.name, task.arguments, chosen)
        for task in (plane_task("spirals", "0.4", ""), own[0])
        for count in range(1, 1 + len(FUNCTIONS))
        for chosen in combinations(FUNCTIONS, count)
    ]
    return [*tasks, *own, *others, *fed]


def as_data(task: Source) -> dict[str, Any]:
    data: dict[str, Any] = {"name": task.name, "arguments": dict(task.arguments)}
    return data | ({"features": task.features} if isinstance(task, Featured) else {})


def written(data: Dataset) -> dict[str, Any]:
    parts = {
        part: {"inputs": inputs.T.reshape(-1).tolist(), "labels": labels.tolist()}
        for part, inputs, labels in (
            ("train", data.train_inputs, data.train_labels),
            ("test", data.test_inputs, data.test_labels),
        )
    }
    return {"count": data.features, "classes": data.classes, **parts}


@pytest.fixture(scope="module")
def singles() -> np.ndarray:
    """Numbers of single precision of many sizes, down to those with an exponential of zero."""
    random = np.random.default_rng(0)
    return np.concatenate([random.uniform(-12, 12, 5000), -(10 ** random.uniform(-8, 2.1, 5000))]).astype(np.float32)


@pytest.fixture(scope="module")
def digits() -> Dataset:
    return source("digits_plane").load()


@pytest.fixture(scope="module")
def twin(singles: np.ndarray, digits: Dataset) -> dict[str, Any]:
    request = {
        "ziggurat": ziggurat(),
        "sources": [as_data(task) for task in sources()],
        "plane": written(digits),
        "features": FEATURES,
        "singles": singles.tolist(),
    }
    command = [Path(sys.executable).with_name("node"), Path(__file__).with_name("datasets.js")]
    done = subprocess.run(command, input=json.dumps(request), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_every_task_has_the_same_points(twin: dict[str, Any]) -> None:
    for task, data in zip(sources(), twin["made"], strict=True):
        assert data == written(task.load()), task


def test_functions_of_the_digits_are_the_same(twin: dict[str, Any], digits: Dataset) -> None:
    assert twin["fed"] == written(featured(digits, FEATURES))


def test_single_precision_is_rounded_as_numpy_rounds(twin: dict[str, Any], singles: np.ndarray) -> None:
    """NumPy does the same steps on all processors with fused products and vectors of eight numbers."""
    assert np.array_equal(np.array(twin["sines"], np.float32), np.sin(singles))
    assert np.array_equal(np.array(twin["exponentials"], np.float32), np.exp(singles))
