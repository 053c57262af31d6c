"""Engines give the same bits, and kept numbers the same values, on a processor whose registers have another length."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sims.contract.calculation import Number
from sims.kept.book import NumberStore

ROOT = Path(__file__).parent.parent.parent
CALLS = (
    "degradation.training_error(depth=8, skip=False)",
    "failures.first_to_last_gradient(depth=56, initialization='he', statistic='lowest')",
    "failures.training_error(depth=20, initialization='he', statistic='highest')",
)
PROGRAM = """
import hashlib, json, sys
import numpy as np
from sims.data.datasets import source
from sims.engines import dispatch
from sims.engines.kernels.matmul import TILE
from sims.engines.language import LanguageModel, engine
from sims.engines.perceptrons import Architecture, Recipe
from sims.engines.transformers import Transformer
from sims.numbers.runs import compute

recipe, states = Recipe("adam", 0.003, 100, record_every=7), []
for architecture, task in (
    (Architecture(20, 21, "none", initialization="default"), "teacher"),
    (Architecture(8, 17, norm="batch", activation="tanh"), "teacher"),
    (Architecture(9, 24, "highway", norm="pre-layer", final_norm=True), "teacher"),
    (Transformer(depth=4, tokens=2), "spirals"),
):
    states.append(dispatch.advance(dispatch.start(architecture, recipe, source(task), (0, 1)), 15))
text = np.random.default_rng(0).integers(0, 20, 3000)
language = engine.advance(engine.start(LanguageModel(blocks=2, symbols=20), engine.LanguageRecipe(), 0), text, 3)
arrays = [array for s in states for array in (s.parameters, s.first_moment, s.second_moment, s.losses,
          s.now.weight_gradients, s.now.stream_gradients, s.now.activations, s.now.test_loss)]
arrays += [language.parameters, language.first, language.second, language.losses]
bits = [hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest() for array in arrays]
print(json.dumps([TILE, bits, {call: value for call, (value, _code) in compute(sys.argv[1:]).items()}]))
"""
NARROW = {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+avx2,+fma,+sse4.2,+popcnt"}
"""What Numba is told: registers of 256 bits, whatever the processor has"""


def outcome(variables: dict[str, str], cache: Path, calls: tuple[str, ...]) -> tuple[int, list[str], dict[str, Number]]:
    """Run the program in a process of its own: columns of a tile, hashes of its arrays, and values of the calls."""
    environment = {**os.environ, **variables, "SKIP_CACHE": str(cache)}
    command = [sys.executable, "-c", PROGRAM, *calls]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    tile, bits, values = json.loads(done.stdout)
    return tile, bits, values


@pytest.mark.exhaustive
def test_registers_of_another_length_change_no_bit(tmp_path: Path) -> None:
    book = NumberStore(ROOT / "content" / "numbers.json")
    tile, bits, values = outcome({**NARROW, "NUMBA_CACHE_DIR": str(tmp_path)}, tmp_path, CALLS)
    _tile, bits_here, _values = outcome({}, tmp_path, ())
    assert tile == 16
    assert bits == bits_here
    assert values == {call: book.entries[call].value for call in CALLS}
