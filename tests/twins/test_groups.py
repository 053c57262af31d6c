"""Networks that begin in a special way, or are measured during their run, are the same in a browser, to the last
bit except for sums of many numbers and products of matrices."""

import json
import math
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sims.contract.parameters import to_text
from sims.contract.simulation import Training
from sims.engines.state import Record
from sims.engines.wasm.packing import digest
from sims.simulations.depth import plus_signs
from sims.simulations.depth.insert_identity import InsertIdentity
from sims.simulations.depth.plus_signs import PlusSigns
from sims.simulations.depth.rezero import Rezero
from sims.simulations.design_choices.init import Init
from sims.simulations.wiring.variants import Variants
from tests.engines.wasm.modules import modules
from tests.tiers import spread
from tests.twins import observed
from tests.twins.runs import plain

REZERO = ({"mirrored": True, "seeds": 2, "seed": 3}, {"seeds": 1})
INIT: tuple[dict[str, Any], ...] = (
    {"blocks": 4, "width": 32},
    {"blocks": 8, "width": 8, "seed": 5, "data": "digits"},
    {"blocks": 2, "width": 24, "optimizer": "sgd", "seeds": 2},
)
VARIANTS: tuple[dict[str, Any], ...] = (
    {"depth": 4, "seeds": 2},
    {"depth": 6, "norm": "pre-layer", "seed": 7},
    {"depth": 4, "budget": "parameters", "task": "digits", "initialization": "default", "seed": 1},
    {"depth": 32, "learning_rate": 0.03, "initialization": "xavier", "seed": 2},
)
SUMS = "gates"
"""A measure whose last digit depends on NumPy's order of additions"""

CHUNKS = (3, 7, 12)


@dataclass(frozen=True)
class Case:
    """A run of a figure, and what is measured besides its records."""

    simulation: Training
    runs: Any
    """State → its runs by the twin's names"""
    measures: Any
    """The simulation and its state → network → what an observer measures of it"""


CASES = [
    *(
        Case(simulation, lambda state: {"deep": state.deep}, observed.insert_identity)
        for simulation in (
            InsertIdentity(training_steps=200, inserted=8, seeds=2),
            InsertIdentity(training_steps=200, inserted=3, seeds=1, weights="random", seed=4),
            InsertIdentity(training_steps=200, inserted=0, seeds=1, data="digits"),
        )
    ),
    *(
        Case(
            Rezero(blocks=12, training_steps=200, **settings),
            lambda state: {"rezero": state.rezero, "zero": state.zero},
            observed.rezero,
        )
        for settings in REZERO
    ),
    *(
        Case(Init(**{"training_steps": 60, "seeds": 1} | settings), lambda state: state.of, observed.init)
        for settings in INIT
    ),
    *(
        Case(
            Variants(**{"training_steps": 300, "seeds": 1} | settings),
            lambda state: {name: lane.run for name, lane in state.items()},
            observed.variants,
        )
        for settings in VARIANTS
    ),
]


def trained(simulations: Iterable[Training]) -> list[list[dict[str, Any]]]:
    """What a browser knows of the networks of each simulation after each chunk of steps."""
    command = [Path(sys.executable).with_name("node"), Path(__file__).with_name("groups.js"), modules()]
    request = [
        {
            "figure": type(simulation).__module__.rpartition(".")[2],
            "settings": {name: to_text(value) for name, value in simulation.settings().items()},
            "chunks": CHUNKS,
        }
        for simulation in simulations
    ]
    done = subprocess.run(command, input=json.dumps(request), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def test_groups_of_networks_are_the_same() -> None:
    cases = spread(CASES, 2)
    for case, outcome in zip(cases, trained(case.simulation for case in cases), strict=True):
        state = case.simulation.start()
        records: dict[str, list[Any]] = {}
        for steps, networks in zip((0, *CHUNKS), outcome, strict=True):
            state = case.simulation.advance(state, steps)
            measures = case.measures(case.simulation, state)
            runs = case.runs(state)
            assert networks.keys() == runs.keys()
            for name, run in runs.items():
                network = networks[name]
                assert network["parameters"] == digest(run.parameters), (case, name, run.step)
                records.setdefault(name, []).extend(network["records"])
                assert [numbers(record) for record in records[name]] == [of(record) for record in run.records]
                assert numbers(network["now"]) == of(run.now)
                assert network["milliseconds"] is None or network["milliseconds"] > 0
                seen = {key: floats(values) for key, values in network.get("observed", {}).items()}
                expected = {key: np.ravel(values).tolist() for key, values in measures.get(name, {}).items()}
                if SUMS in expected:
                    np.testing.assert_allclose(seen.pop(SUMS), expected.pop(SUMS), rtol=1e-12)
                assert repr(seen) == repr(expected)


STACKS = (
    PlusSigns(),
    PlusSigns(cut="1-28", seeds=2),
    PlusSigns(cut="3-5, 9", blocks=14, norm=True, learning_rate=0.01, training_steps=200, seed=7),
    PlusSigns(cut="1-28", blocks=7, strength=0.1, norm=True, seeds=1, training_steps=200),
    PlusSigns(cut="2", strength=1.5, seeds=3, seed=9999),
)


def test_stacks_are_the_same() -> None:
    """NumPy leaves the products of matrices that the signals need to BLAS, which adds in an order of its own."""
    stacks = spread(STACKS, 2)
    for simulation, outcome in zip(stacks, trained(stacks), strict=True):
        state, known = simulation.start(), []
        for steps, networks in zip((0, *CHUNKS), outcome, strict=True):
            state = simulation.advance(state, steps)
            stack = networks["stack"]
            assert stack["parameters"] == digest(state.run.parameters)
            known += stack["records"]
            for record, step, answers in zip(known, state.steps, state.known, strict=True):
                assert record["step"] == step
                assert {name: floats(record[name]) for name in vars(answers)} == plain(vars(answers))
            for time, passes in (("before", state.before), ("now", plus_signs._passes(state.run))):
                for name, values in vars(passes).items():
                    seen = floats(stack["observed"][time][name])
                    np.testing.assert_allclose(seen, values.ravel(), rtol=1e-12, err_msg=f"{simulation} {name}")


def floats(texts: list[str]) -> list[float]:
    return [math.inf if text == "Infinity" else float(text.replace("NaN", "nan")) for text in texts]


def numbers(record: dict[str, Any]) -> str:
    return repr({name: value if name == "step" else floats(value) for name, value in sorted(record.items())})


def of(record: Record) -> str:
    return repr(
        {name: value if name == "step" else np.ravel(value).tolist() for name, value in sorted(vars(record).items())}
    )
