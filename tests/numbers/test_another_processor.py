"""Kept numbers hold on a processor whose registers have another length than that of the machine that made them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sims.contract.calculation import Number
from sims.engines.kernels.vectors import LANES
from sims.kept.book import NumberStore
from sims.numbers.call import parse

ROOT = Path(__file__).parent.parent.parent
CALLS = (
    "degradation.training_error(depth=8, skip=False)",
    "failures.first_to_last_gradient(depth=56, initialization='he', statistic='lowest')",
    "failures.training_error(depth=20, initialization='he', statistic='highest')",
)
PROGRAM = """
import json, sys
from sims.engines.kernels.vectors import LANES
from sims.numbers.runs import compute
print(json.dumps([LANES, {call: value for call, (value, _code) in compute(sys.argv[1:]).items()}]))
"""
NARROW = {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+avx2,+fma,+sse4.2,+popcnt"}
"""What Numba is told: eight numbers to a vector, whatever the processor has"""


@pytest.mark.exhaustive
def test_numbers_agree_within_what_they_say(tmp_path: Path) -> None:
    book = NumberStore(ROOT / "content" / "numbers.json")
    environment = {**os.environ, **NARROW, "NUMBA_CACHE_DIR": str(tmp_path), "SKIP_CACHE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *CALLS], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    lanes, values = json.loads(done.stdout)
    assert lanes == 8
    expected: dict[str, Number] = {call: book.entries[call].value for call in CALLS}
    assert [call for call in CALLS if not parse(call)[0].agree(expected[call], values[call])] == []
    if lanes != LANES:
        assert [call for call in CALLS if expected[call] != values[call]], "registers of another length round alike"
