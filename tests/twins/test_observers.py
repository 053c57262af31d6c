"""What observers measure of networks that train in a browser has the bits of Python's measurements."""

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sims.data.datasets import source
from sims.engines.perceptrons import advance
from sims.instruments.networks.likeness import COMPARED, likeness_by_layer, mean_cosine
from sims.simulations.depth.failures import Failures
from sims.simulations.design_choices.arena import Arena
from tests.engines.wasm.modules import modules
from tests.tiers import spread
from tests.twins.runs import plain

STEPS = 4
KINDS: tuple[dict[str, Any], ...] = (
    {"initialization": "he"},
    {"initialization": "orthogonal", "activation": "tanh"},
    {"initialization": "looks-linear", "skip": "additive", "norm": "pre-layer"},
    {"initialization": "default", "norm": "batch"},
)


def in_node(request: dict[str, Any]) -> dict[str, Any]:
    command = [Path(sys.executable).with_name("node"), Path(__file__).with_name("observe.js"), modules()]
    done = subprocess.run(command, input=json.dumps(request), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


@pytest.fixture(scope="module")
def random_values() -> list[np.ndarray]:
    """Values (layers, units, points) of many shapes and sizes, many of them zero as after a ReLU."""
    random = np.random.default_rng(0)
    every = []
    for _ in range(60):
        shape = random.integers(1, 5), random.choice([1, 3, 8, 32, 48]), random.choice([2, 5, 8, 64])
        values = random.normal(size=shape) * 10.0 ** random.integers(-20, 15)
        if random.random() < 0.6:
            values = np.maximum(values, 0)
        if random.random() < 0.3:
            values[0, 0, 0] = random.choice([np.nan, np.inf])
        every.append(values.astype(np.float32))
    return every


@pytest.fixture(scope="module")
def twin(random_values: list[np.ndarray]) -> dict[str, Any]:
    runs = []
    for kind in KINDS:
        state = simulation(kind).untrained()
        network = {
            "architecture": vars(state.architecture),
            "recipe": vars(state.recipe),
            "data": "teacher",
            "seeds": state.seeds,
        }
        runs.append({"settings": {}, "networks": {"network": network}, "steps": STEPS})
    cosines = [{"values": plain(values.ravel()), "shape": values.shape} for values in random_values]
    return in_node({"cosines": cosines, "figure": "failures", "runs": runs})


def simulation(kind: dict[str, Any]) -> Failures:
    return Failures(depth=12, seeds=2, **kind)


RACES: tuple[dict[str, Any], ...] = (
    # A race in which most finish, so that their maps stay as they are.
    {"field": "norms", "depth": 4, "training_steps": 250, "learning_rate": 0.01},
    {"field": "all", "depth": 4, "training_steps": 100, "seeds": 3},
    {"task": "digits", "field": "norms", "depth": 4, "training_steps": 100, "seeds": 2},
)
RACED = 81


def test_racers_have_the_same_maps() -> None:
    finished = False
    for settings in spread(RACES, 2):
        arena = Arena(**settings)
        start = arena.start()
        networks = {
            name: {
                "architecture": vars(lane.run.architecture),
                "recipe": vars(lane.run.recipe),
                "data": "digits" if arena.task == "digits" else {"name": "spirals"},
                "seeds": lane.run.seeds,
            }
            for name, lane in start.items()
        }
        run = {"settings": {}, "networks": networks, "steps": RACED}
        (observed,) = in_node({"cosines": [], "figure": "arena", "runs": [run]})["observed"]
        for (first, later), before, after in zip(
            observed, start.values(), arena.advance(start, RACED).values(), strict=True
        ):
            assert first["maps"] == np.array(before.maps, np.uint8).ravel().tolist()
            assert later["maps"] == np.array(after.maps, np.uint8).ravel().tolist()
            finished |= any(one is other for one, other in pairwise(after.maps))
    assert finished


def test_mean_cosines_are_added_in_the_same_order(random_values: list[np.ndarray], twin: dict[str, Any]) -> None:
    assert twin["means"] == [plain(mean_cosine(values)) for values in random_values]


def test_networks_make_inputs_as_alike(twin: dict[str, Any]) -> None:
    points = source("teacher").load().test_inputs[:COMPARED]
    for kind, ((first, later),) in zip(KINDS, twin["observed"], strict=True):
        start = simulation(kind).untrained()
        before, after = (likeness_by_layer(run, points).ravel().tolist() for run in (start, advance(start, STEPS)))
        assert first == {"start": before, "now": before}
        assert later == {"start": before, "now": after}
