"""A browser that watches a network train sees the maps that the server sees, byte for byte."""

import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from sims.contract.parameters import to_text
from sims.data.input_features import in_plane
from sims.instruments.networks.unit_maps import unit_maps
from sims.instruments.networks.watched_run import WatchedRun, reach
from sims.simulations.design_choices.explorer import RING, Explorer, Refused
from tests.engines.wasm.modules import modules

CHUNKS = (3, 5, 9, 1)
"""Steps from picture to picture; a run of 200 steps has a record every five"""

CASES: tuple[dict[str, Any], ...] = (
    {},
    {"skip": "none", "compare": "additive", "activation": "tanh", "initialization": "xavier"},
    {"skip": "highway", "unit": "one-layer", "task": "moons", "warmup": 10, "clip": 0.1},
    {"skip": "rezero", "task": "blobs", "noise": "0.4", "optimizer": "momentum"},
    {"skip": "dense", "norm": "batch", "task": "xor"},
    {"unit": "original", "norm": "batch", "compare": "no-norm", "seeds": 2},
    {"unit": "two-layer", "norm": "post-layer", "final_norm": True, "branch_factor": "1/sqrt(blocks)"},
    {"task": "own", "points": RING, "feed_sine_x1": True, "feed_x1": False, "batch": 8},
    {"task": "digits_plane", "seed": 3},
    {"task": "digits_plane", "feed_product": True, "feed_sine_x2": True, "norm": "none"},
    {"task": "rings", "feed_x1_squared": True, "feed_x2_squared": True, "initialization": "looks-linear"},
    {"optimizer": "sgd", "learning_rate": 1.0, "norm": "none", "depth": 26, "initialization": "default", "seeds": 3},
)


def simulation(settings: dict[str, Any]) -> Explorer:
    return Explorer(**{"depth": 8, "width": 12, "training_steps": 200} | settings)


def watched(settings: dict[str, Any]) -> list[dict[str, Any]]:
    explorer = simulation(settings)
    state = explorer.start()
    for steps in CHUNKS:
        state = explorer.advance(state, steps)
    assert not isinstance(state, Refused)
    return [as_data(network) for network in state]


def as_data(network: WatchedRun) -> dict[str, Any]:
    run = network.run
    data = in_plane(run.source).load()
    return {
        "maps": digest(np.stack(network.maps_of_moments())),
        "units": digest(unit_maps(run, reach(run.source))),
        "points": data.train_inputs.reshape(-1).tolist(),
        "classes": data.train_labels.tolist(),
        "loss": run.now.train_loss.tolist(),
        "error": run.now.test_error.tolist(),
        "overflows": [overflow and vars(overflow) for overflow in run.overflows],
    }


def digest(array: np.ndarray) -> str:
    return sha256(array.tobytes()).hexdigest()


def test_maps_of_a_run_are_the_same() -> None:
    texts = [{name: to_text(value) for name, value in simulation(settings).settings().items()} for settings in CASES]
    command = [Path(sys.executable).with_name("node"), Path(__file__).with_name("watched.js"), modules()]
    request = json.dumps({"cases": texts, "chunks": CHUNKS})
    done = subprocess.run(command, input=request, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for settings, twin in zip(CASES, json.loads(done.stdout), strict=True):
        ours = watched(settings)
        for network in twin:
            for measure in ("loss", "error"):
                network[measure] = [float(value.replace("Infinity", "inf")) for value in network[measure]]
        assert repr(twin) == repr(ours), settings
