"""A page trains language models as the server does, from the seed on: the same text, and the same bits of a run."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sims.data import own_words
from sims.engines.language import LanguageModel, LanguageRecipe, LanguageState, advance, gradients, start, streams
from sims.engines.wasm.packing import digest
from tests.engines.wasm.cases import ENGINES
from tests.engines.wasm.modules import modules
from tests.tiers import spread

SYMBOLS = len(own_words.symbols())
REMOVED = 1
"""The branch that is taken away in one of the passes"""
PIECES = 3
EVERY = 4
"""Steps from look to look"""


@dataclass(frozen=True)
class Case:
    """A run in chunks of some steps."""

    model: LanguageModel
    recipe: LanguageRecipe
    seed: int = 0
    chunks: tuple[int, ...] = (2,)

    def task(self) -> dict[str, Any]:
        return {
            "model": asdict(self.model),
            "recipe": asdict(self.recipe) | {"record_every": EVERY},
            "seed": self.seed,
            "chunks": self.chunks,
            "pieces": self.pieces().tolist(),
            "removed": REMOVED,
            "starts": self.starts(),
        }

    def pieces(self) -> np.ndarray:
        _, held_out = own_words.parts()
        return held_out[: PIECES * self.model.context].reshape(PIECES, -1)

    def starts(self) -> list[int]:
        return list(range(0, 50 * self.recipe.batch, 50))

    def outcome(self) -> dict[str, Any]:
        learned, _ = own_words.parts()
        begun = start(self.model, self.recipe, self.seed)
        state = advance(begun, learned, sum(self.chunks))
        _, _, norms = gradients(state, learned, self.starts())
        return {
            "start": digest(begun.parameters),
            "step": state.step,
            "finite": state.finite,
            "looks": list(range(EVERY, state.step + 1, EVERY)),
            "parameters": digest(state.parameters),
            "first": digest(state.first),
            "second": digest(state.second),
            "streams": [self._passed(state, removed) for removed in ([], [REMOVED])],
            "gradients": digest(norms),
        }

    def _passed(self, state: LanguageState, removed: list[int]) -> list[str]:
        stream, logits = streams(state, self.pieces(), removed)
        # Pieces come last, as in the kernels' arrays.
        return [digest(array.swapaxes(-3, -1)) for array in (stream, logits)]


def covering() -> Iterator[Case]:
    """Every pair of choices that a model has."""
    for skip, attention, norm, initialization in ENGINES["language"].covering():
        model = LanguageModel(2, SYMBOLS, 12, 2, 9, skip, attention, norm, initialization)
        yield Case(model, LanguageRecipe(5, warmup=3), 3)


def usual() -> Iterator[Case]:
    """Models as large as those of the figure, and runs in chunks."""
    for skip in ("additive", "none"):
        model = LanguageModel(2, SYMBOLS, skip=skip, initialization="variance-preserving")  # type: ignore[arg-type]
        yield Case(model, LanguageRecipe(), 1, (1, 2, 2))
    yield Case(
        LanguageModel(1, SYMBOLS, 8, 2, 16), LanguageRecipe(4, learning_rate=1e4, warmup=1, clip=1e6), 0, (3, 40, 9)
    )
    for blocks in (1, 2, 4, 6, 8, 12):
        for initialization in ("small", "variance-preserving"):
            model = LanguageModel(blocks, SYMBOLS, initialization=initialization)  # type: ignore[arg-type]
            yield Case(model, LanguageRecipe(3), 7 + blocks, (0,))


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return [*spread([*usual()], 2), *covering()]


@pytest.fixture(scope="module")
def twin(cases: list[Case]) -> dict[str, Any]:
    command = [Path(sys.executable).with_name("node"), Path(__file__).with_name("train_language.js"), modules()]
    request = json.dumps([case.task() for case in cases])
    done = subprocess.run(command, input=request, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_the_text_is_the_same(twin: dict[str, Any]) -> None:
    assert twin["symbols"] == own_words.symbols()
    learned, held_out = own_words.parts()
    assert twin["learned"] == digest(learned.astype(np.int32))
    assert twin["held"] == digest(held_out.astype(np.int32))


def test_runs_from_the_seed_give_the_same_bits(cases: list[Case], twin: dict[str, Any]) -> None:
    outcomes = [case.outcome() for case in cases]
    assert {outcome["finite"] for outcome in outcomes} == {True, False}
    for case, outcome, trained in zip(cases, outcomes, twin["trained"], strict=True):
        assert trained == outcome, case
