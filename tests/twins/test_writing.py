"""A browser that trains language models reads the same letters from them as Python, and measures what it measures."""

import json
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sims.data import own_words
from sims.engines.language import LanguageModel, LanguageRecipe
from sims.instruments.networks.inside_language import Inside, inside
from sims.instruments.networks.text_sampler import Writer, advanced, begin
from tests.engines.wasm.modules import modules

SYMBOLS = len(own_words.symbols())
EVERY, STEPS = 2, 4
"""Steps from look to look, and of the whole run"""


@dataclass(frozen=True)
class Case:
    """A run that is looked at. The browser passes as many pieces at once as a step has, Python all 48 of a look."""

    model: LanguageModel
    learning_rate: float = 0.003
    prompt: str = "The skip connection "
    chunks: tuple[int, ...] = (1, 2, 1)
    seed: int = 0

    @property
    def recipe(self) -> LanguageRecipe:
        return LanguageRecipe(learning_rate=self.learning_rate, warmup=1)

    def task(self) -> dict[str, Any]:
        return {
            "model": asdict(self.model),
            "recipe": asdict(self.recipe) | {"record_every": EVERY},
            "seed": self.seed,
            "settings": {"prompt": self.prompt, "training_steps": str(STEPS)},
            "chunks": self.chunks,
        }

    def outcome(self) -> tuple[Writer, Inside, int]:
        first = begin(self.model, self.recipe, self.seed, self.prompt)
        writer = advanced(first, sum(self.chunks), EVERY)
        step = writer.state.step
        ended = step == STEPS
        return writer, inside((writer if ended else first).state), step if ended else 0


CASES = (
    Case(LanguageModel(1, SYMBOLS, initialization="variance-preserving")),
    Case(LanguageModel(2, SYMBOLS, 12, 2, 9), prompt="A text that is longer than the context"),
    Case(LanguageModel(2, SYMBOLS, 12, 2, 70, skip="rezero", initialization="own-place"), chunks=(2, 1), prompt="a"),
    Case(LanguageModel(3, SYMBOLS, 16, 4, 12, skip="none", attention="value-skip"), seed=5),
    Case(LanguageModel(2, SYMBOLS, 8, 2, 8, norm="post-layer"), 0.3, prompt='"It is (0-9)'),
    # It overflows.
    Case(LanguageModel(1, SYMBOLS, 8, 2, 8), 1e38, chunks=(1, 1, 2)),
)


@pytest.fixture(scope="module")
def twin() -> dict[str, Any]:
    command = [Path(sys.executable).with_name("node"), Path(__file__).with_name("writing.js"), modules()]
    request = json.dumps([case.task() for case in CASES])
    done = subprocess.run(command, input=request, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


@pytest.fixture(scope="module")
def outcomes() -> list[tuple[Writer, Inside, int]]:
    return [case.outcome() for case in CASES]


def test_it_knows_the_same_words(twin: dict[str, Any]) -> None:
    assert twin["words"] == sorted(own_words._words())
    assert twin["entropy"] == pytest.approx(own_words.entropy_of_frequencies(), rel=1e-12)


def test_the_same_letters_are_written(outcomes: list[tuple[Writer, Inside, int]], twin: dict[str, Any]) -> None:
    assert {examined for _, _, examined in outcomes} == {0, STEPS}
    assert not all(writer.state.finite for writer, _, _ in outcomes)
    for (writer, within, examined), watched in zip(outcomes, twin["watched"], strict=True):
        assert watched["steps"] == list(writer.steps)
        assert watched["texts"] == list(writer.texts)
        assert watched["examined"] == examined
        assert watched["inside"]["drafts"] == list(within.drafts)


def test_losses_and_measurements_are_the_same(outcomes: list[tuple[Writer, Inside, int]], twin: dict[str, Any]) -> None:
    # NumPy's exponentials, logarithms and products of matrices have other last digits; its cosines are of single
    # precision. A rise is the difference of two losses.
    for (writer, within, _), watched in zip(outcomes, twin["watched"], strict=True):
        measured = watched["inside"]
        assert watched["losses"] == pytest.approx(list(writer.losses), rel=1e-12)
        np.testing.assert_allclose(watched["surprises"], writer.surprises, rtol=1e-12)
        assert measured["early"] == pytest.approx(within.early, rel=1e-12)
        assert measured["without"] == pytest.approx(within.without, abs=1e-12)
        assert measured["likeness"] == pytest.approx(within.likeness, abs=1e-6)
        np.testing.assert_array_equal(measured["gradients"], within.gradients)
