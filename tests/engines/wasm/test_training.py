"""A page trains as the server does, from the seed on: the same draws, and the same bits in every number of a run."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sims.data.datasets import source
from sims.engines.dispatch import advance, predict, start
from sims.engines.perceptrons import Architecture, Recipe, layer_values, weighted_stack
from sims.engines.perceptrons.weighted_stack import WeightedStack
from sims.engines.state import Record, TrainingState
from sims.engines.transformers import Transformer
from sims.engines.wasm.packing import digest
from sims.engines.wasm.starting import starting
from tests.engines.wasm.cases import ENGINES
from tests.engines.wasm.modules import modules

HERE = Path(__file__).parent
LOOKS = 9
"""Points whose outputs are compared"""

BOUNDS = (2, 3, 143_000, 2**31 + 1, 3 * 10**9, 2**32)
"""Of whole numbers that are drawn; half of what is drawn for some is drawn again"""

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
        {
            "entropy": entropy,
            "normal": 60_000 if entropy == (0,) else 500,
            "uniform": 20,
            "permutation": length,
            "bounds": BOUNDS,
        }
        for length, entropy in enumerate(entropies, 1000)
    ]
    expected = []
    for case in cases:
        random = np.random.default_rng(case["entropy"])
        length = case["permutation"]
        order = random.permutation(length)
        normal, uniform = random.normal(0, 1, case["normal"]), random.uniform(-0.3, 0.7, case["uniform"])
        orders = np.concatenate([order, random.permutation(length + 1)]).astype(np.int32)
        below = np.concatenate([random.integers(0, bound, 9) for bound in BOUNDS]).astype(np.float64)
        expected.append([digest(normal), digest(uniform), digest(orders), digest(below)])
    assert in_node(tmp_path, {"draws": cases})["drawn"] == expected


@dataclass(frozen=True)
class Case:
    """A run in chunks of some steps."""

    network: Architecture | Transformer
    recipe: Recipe
    data: str = "teacher"
    seeds: tuple[int, ...] = (0, 5)
    chunks: tuple[int, ...] = (4, 1, 5)
    points: int | None = None
    """The number of training points, if it is not that of all"""

    def task(self) -> dict[str, Any]:
        return {
            "engine": self.engine,
            "architecture": asdict(self.network),
            "recipe": asdict(self.recipe),
            "data": self.data,
            "seeds": self.seeds,
            "chunks": self.chunks,
            "points": self.points,
            "looks": LOOKS,
        }

    @property
    def engine(self) -> str:
        return "transformers" if isinstance(self.network, Transformer) else "perceptrons"

    def digests(self) -> dict[str, Any]:
        points = source(self.data, points=self.points) if self.points else source(self.data)
        state = advance(start(self.network, self.recipe, points, self.seeds), sum(self.chunks))
        seen = state.source.load().test_inputs[:LOOKS]
        predicted = predict(state, seen).transpose(0, 2, 1)
        answers = {"predicted": digest(predicted), "predicted_last": digest(predicted[-1:])}
        if isinstance(self.network, Architecture) and self.network.skip != "dropout":
            layers = layer_values(state, seen)
            answers |= {"layers": [digest(layers), list(layers.shape)]}
        return digests(state) | answers


def usual() -> Iterator[Case]:
    """The choices of chapter 0's figure, and runs that end early or take all points at once."""
    for skip, norm, unit in product(("none", "additive"), ("none", "batch", "layer"), ("original", "pre-activation")):
        initialization = "he" if norm == "none" else "default"
        network = Architecture(6, 12, skip, norm, unit, initialization=initialization, final_norm=unit == "original")  # type: ignore[arg-type]
        yield Case(network, Recipe("adam", 0.002, 128, record_every=3))
    deep = Architecture(20, 16, "additive", unit="original", initialization="xavier")
    yield Case(deep, Recipe("sgd", 0.05, 64, record_every=2), "digits", (7,), (3,))
    # One seed of a run that diverges stops, and the others go on.
    yield Case(deep, Recipe("sgd", 4e5, 64, record_every=2), "digits", (0, 1, 2), (1, 2, 3))
    yield Case(deep, Recipe("adam", 0.05, 64, record_every=2), "digits", (4,), (12,), points=512)
    yield Case(deep, Recipe("momentum", 0.02, None, record_every=4, warmup=3, clip=0.5), "teacher", (2, 3), (2, 2))


def covering() -> Iterator[Case]:
    """Every pair of choices that an architecture and a recipe have."""
    for skip, norm, unit, initialization, activation, optimizer, loss in ENGINES["perceptrons"].covering():
        depth = 4 if unit in ("pre-activation", "one-layer") else 6
        dropped = 0.25 if skip == "dropout" else 0.0
        factor = "1/blocks^(1/4)" if skip == "additive" and norm != "deep-norm" else "1"
        network = Architecture(
            depth, 10, skip, norm, unit, activation, initialization, depth == 4, factor, growth=3, dropped=dropped
        )
        yield Case(network, Recipe(optimizer, 0.01, 37, loss=loss, record_every=2), "digits", (0, 3), (2,))


def attention() -> Iterator[Case]:
    """Every pair of choices of a transformer, with tokens of both tasks of a race; some diverge or warm up."""
    for norm, initialization, optimizer, causal, depth in ENGINES["transformers"].covering():
        network = Transformer(depth, 12, 4, 2, 20, norm, optimizer != "sgd", causal, initialization)
        yield Case(network, Recipe(optimizer, 0.01, 37, record_every=2), "digits", (0, 3), (2, 1))
    flat = Transformer(7, tokens=2)
    yield Case(flat, Recipe("adam", 0.003, None, warmup=3, record_every=3), "digits_plane", (2, 5), (2, 4))
    rows = Transformer(7, tokens=8, norm="post-layer")
    yield Case(rows, Recipe("adam", 0.003, None, warmup=3, record_every=3), "digits", (2, 5), (2, 4), points=256)
    wild = Transformer(4, tokens=8, final_norm=False, initialization="he")
    yield Case(wild, Recipe("sgd", 1e19, 64, record_every=2), "digits", (0, 1, 2), (1, 2, 3))


@pytest.mark.parametrize("cases", [usual, covering, attention])
def test_runs_from_the_seed_give_the_same_bits(cases: Callable[[], Iterator[Case]]) -> None:
    chosen = list(cases())
    trained = in_node(modules(), {"runs": [case.task() for case in chosen]})["trained"]
    assert len(trained) > 10
    for case, result in zip(chosen, trained, strict=True):
        assert result == case.digests(), case


@pytest.mark.exhaustive
def test_initial_weights_are_the_same_for_every_width() -> None:
    # Powers and roots of widths come from two libraries.
    widths = [
        Architecture(3, width, "none", unit="one-layer", initialization=start)
        for width in range(1, 130)
        for start in ("default", "xavier")
    ]  # type: ignore[arg-type]
    cases = [
        Case(network, Recipe("sgd", 0.0, 8, record_every=1), seeds=(width,), chunks=(0,))
        for width, network in enumerate(widths)
    ]
    trained = in_node(modules(), {"runs": [case.task() for case in cases]})["trained"]
    wrong = [case.network for case, result in zip(cases, trained, strict=True) if result != case.digests()]
    assert wrong == []


STACK: dict[str, Any] = {"seeds": (0, 5), "rate": 0.001, "batch": 64, "every": 4, "chunks": (3, 1, 8)}
"""Settings of a run, if a case has no others; a record is due every so many steps"""

STACKS: tuple[tuple[WeightedStack, dict[str, Any]], ...] = (
    (WeightedStack((1.0,) * 28, 18**-0.5), {"chunks": (20, 7, 13)}),
    (WeightedStack((1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0), 1.5), {"seeds": (3,), "rate": 0.01}),
    (WeightedStack((0.0,) * 14, norm=True), {"seeds": (9999, 0, 7), "rate": 0.003}),
    (WeightedStack((1.0, 0.75, 0.5), 0.3, norm=True, learned=True), {"rate": 0.03, "batch": 37}),
    # More than an epoch at once, and batches of all points.
    (WeightedStack((1.0,) * 2), {"chunks": (60,), "every": 60}),
    (WeightedStack((1.0,) * 2), {"batch": 5000}),
    # One stops at once, as both of its seeds do.
    (WeightedStack((1.0,) * 64, 10.0), {"rate": 0.01}),
)


def test_stacks_give_the_same_bits() -> None:
    cases = [(stack, STACK | settings) for stack, settings in STACKS]
    request = [{"stack": asdict(stack), **settings} for stack, settings in cases]
    stopped = []
    for (stack, settings), trained in zip(cases, in_node(modules(), {"stacks": request})["stacks"], strict=True):
        state = weighted_stack.start(stack, source("digits"), settings["seeds"], settings["rate"], settings["batch"])
        records = [_answers(state)]
        for _ in range(0, sum(settings["chunks"]), settings["every"]):
            state = weighted_stack.advance(state, settings["every"])
            records.append(_answers(state))
        assert trained == {
            "parameters": digest(state.parameters),
            "first": digest(state.first_moment),
            "second": digest(state.second_moment),
            "records": records,
            "lost": state.lost.tolist(),
        }, stack
        stopped += trained["lost"]
    assert {bool(step) for step in stopped} == {True, False}


def _answers(state: weighted_stack.StackState) -> list[Any]:
    known = weighted_stack.answers(state)
    return [state.step, *(digest(getattr(known, name)) for name in ("test_error", "train_error", "train_loss"))]


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
