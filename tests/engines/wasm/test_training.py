"""A page trains as the server does, from the seed on: the same draws, and the same bits in every number of a run."""

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, start
from sims.engines.state import Record
from sims.engines.wasm.packing import digest
from sims.engines.wasm.starting import starting
from tests.engines.wasm.modules import modules

HERE = Path(__file__).parent
FIELDS = ("depth", "width", "skip", "norm", "unit", "initialization", "final_norm")
MEASURES = sorted(
    ("train_loss", "train_error", "test_loss", "test_error", "weight_gradients", "stream_gradients", "activations")
)


def in_node(folder: Path, task: dict[str, Any]) -> dict[str, Any]:
    node = Path(sys.executable).with_name("node")
    command = [node, HERE / "train.js", folder]
    answer = subprocess.run(command, input=json.dumps(task), capture_output=True, text=True, check=True)
    return dict(json.loads(answer.stdout))


def test_the_generator_draws_what_numpy_draws(tmp_path: Path) -> None:
    for name, content in starting().items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "description.json").write_text("{}")
    # One case draws so many normal numbers that the tail of the ziggurat comes up some ten times.
    entropies = [(seed, *rest) for seed in (0, 3, 9999, 2**32 - 1) for rest in ((), (0,), (1, 7), (3, 5, 9, 2, 2**31))]
    cases = [
        {"entropy": entropy, "normal": 60_000 if entropy == (0,) else 500, "uniform": 20, "permutation": length}
        for length, entropy in enumerate(entropies, 1000)
    ]
    expected = []
    for case in cases:
        random = np.random.default_rng(case["entropy"])
        length = case["permutation"]
        order = random.permutation(length)
        normal, uniform = random.normal(0, 1, case["normal"]), random.uniform(-0.3, 0.7, case["uniform"])
        orders = np.concatenate([order, random.permutation(length + 1)]).astype(np.int32)
        expected.append([digest(normal), digest(uniform), digest(orders)])
    assert in_node(tmp_path, {"draws": cases})["drawn"] == expected


def test_runs_from_the_seed_give_the_same_bits() -> None:
    cases: list[tuple[Architecture, Recipe, str, list[int], list[int]]] = []
    for skip in ("none", "additive"):
        for norm in ("none", "batch", "layer"):
            for unit in ("original", "pre-activation"):
                final, initialization = unit == "original", "he" if norm == "none" else "default"
                network = Architecture(6, 12, skip, norm, unit, initialization=initialization, final_norm=final)  # type: ignore[arg-type]
                recipe = Recipe("adam", 0.002, 128, record_every=3)
                cases.append((network, recipe, "teacher", [0, 5], [4, 1, 5]))
    deep = Architecture(20, 16, "additive", unit="original", initialization="xavier")
    cases += [
        (deep, Recipe("sgd", 0.05, 64, record_every=2), "digits", [7], [3]),
        # One seed of a run that diverges stops, and the others go on.
        (deep, Recipe("sgd", 4e5, 64, record_every=2), "digits", [0, 1, 2], [1, 2, 3]),
        (deep, Recipe("momentum", 0.02, 4096, record_every=4), "teacher", [2, 3], [2, 2]),
    ]
    runs = [
        {
            "architecture": {name: getattr(network, name) for name in FIELDS},
            "recipe": asdict(recipe),
            "data": data,
            "seeds": seeds,
            "chunks": chunks,
        }
        for network, recipe, data, seeds, chunks in cases
    ]
    for case, got in zip(cases, in_node(modules(), {"runs": runs})["trained"], strict=True):
        network, recipe, data, seeds, chunks = case
        assert got == digests(advance(start(network, recipe, source(data), seeds), sum(chunks))), network


def digests(state: TrainingState) -> dict[str, Any]:
    return {
        "parameters": digest(state.parameters),
        "first": digest(state.first_moment),
        "second": digest(state.second_moment),
        "records": [_record(record) for record in (*state.records, state.now)],
        "overflows": [overflow and [overflow.step, overflow.quantity] for overflow in state.overflows],
    }


def _record(record: Record) -> list[Any]:
    return [record.step, *(digest(np.asarray(getattr(record, name), np.float64)) for name in MEASURES)]
