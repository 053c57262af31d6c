"""What readers repeat is what chapter 0 shows, and reaches every kernel."""

import json

import numpy as np
import pytest

from sims.engines.wasm.proof import EVERY, SEEDS, STEPS, first_state, proof
from sims.engines.wasm.recording import ENGINES
from sims.kept import results
from sims.simulations.depth.degradation import Degradation


def test_the_network_is_that_of_chapter_0() -> None:
    shown, ours = Degradation().start()["plain"], first_state()
    assert (ours.architecture, ours.recipe, ours.source) == (shown.architecture, shown.recipe, shown.source)
    assert ours.seeds == shown.seeds == tuple(SEEDS)
    assert np.array_equal(ours.parameters, shown.parameters)
    assert Degradation().training_steps == STEPS
    assert ours.recipe.record_every == EVERY


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return proof()


def test_its_run_ends_where_the_kept_one_does(files: dict[str, bytes]) -> None:
    kept = results.at_once(Degradation())
    assert kept is not None
    run = json.loads(files["proof.json"])["run"]
    assert run["error"] == kept.results["plain_training_error"]
    assert run["orders"]["shape"] == [STEPS // EVERY, len(SEEDS), EVERY, 128]


def test_every_kernel_is_called_once(files: dict[str, bytes]) -> None:
    steps = json.loads(files["proof.json"])["steps"]
    assert [(step["engine"], step["kernel"]) for step in steps] == [
        (engine, kernel)
        for engine in ("perceptrons", "transformers", "language", "weighted_stack")
        for kernel in ENGINES[engine]
    ]
    assert len(files["proof.bin"]) < 4_000_000
