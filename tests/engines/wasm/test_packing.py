"""Recorded calls as JSON and bytes: what is small, zero, shared or scratch takes no room."""

import hashlib
import json

import numpy as np

from sims.data.datasets import source
from sims.engines import perceptrons
from sims.engines.recipe import Recipe
from sims.engines.wasm.packing import Packer, digest, packed
from sims.engines.wasm.recording import recorded


def test_arrays_take_the_room_they_need() -> None:
    packer, numbers = Packer(), np.array([1.5, -2.0], np.float32)
    assert packer.entry("rates", numbers) == {"type": "float32", "shape": [2], "at": 0}
    assert packer.entry("again", numbers.copy())["at"] == 0
    assert packer.entry("order", np.array([[3, 65_535]])) == {"type": "int64", "shape": [1, 2], "small": True, "at": 8}
    assert packer.entry("table", np.array([-1, 3]))["at"] == 16
    assert "at" not in packer.entry("first", np.zeros(1000, np.float32))
    assert packer.entry("signs", np.array([-0.0]))["at"] == 32
    assert packer.entry("workspace.inputs", np.ones((2, 3), np.float32)) == {
        "type": "float32",
        "shape": [2, 3],
        "scratch": True,
    }
    data = packer.data()
    assert len(data) == 40
    assert np.frombuffer(data, np.uint16, 2, 8).tolist() == [3, 65_535]


def test_a_call_says_what_native_code_wrote() -> None:
    source_of = source("digits", points=16)
    with recorded() as calls:
        state = perceptrons.start(perceptrons.Architecture(4), Recipe(batch=None, clip=None), source_of, [1])
        perceptrons.predict(state, source_of.load().test_inputs)
    assert [call.kernel for call in calls] == ["run", "evaluate", "evaluate", "answer"]
    call = packed(calls[0], Packer())
    assert call["arguments"]["clip"] == "Infinity"
    assert call["wrote"]["parameters"] == digest(state.parameters)
    assert call["wrote"]["parameters"] == hashlib.sha256(state.parameters.tobytes()).hexdigest()
    assert {name for name in call["wrote"] if name.startswith("workspace")} == {"workspace.least", "workspace.labels"}
    shared = packed(calls[3], Packer())["arguments"]["workspace.mean"]
    assert shared["same"] == "training_workspace.mean"
    json.dumps(call, allow_nan=False)


def test_kernels_can_be_recorded_without_running() -> None:
    with recorded(runs=False) as calls:
        perceptrons.start(perceptrons.Architecture(4), Recipe(), source("digits", points=16), [0])
    assert not calls[0].after["losses"].size
    assert not calls[0].after["stream_gradients"].any()
