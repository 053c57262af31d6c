"""What computes is told to use the same instructions everywhere, and what measures speed is not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sims.kept import environment
from sims.kept.environment import AVX2_ONLY, ONE_THREAD, fastest, has_avx2, reproducible

ROOT = Path(__file__).parent.parent.parent
PROGRAM = """
import hashlib, numpy, torch
numbers = numpy.random.default_rng(0).normal(size=(200, 200))
print(hashlib.sha256(numpy.exp(numbers).tobytes()).hexdigest(), torch.backends.cpu.get_cpu_capability())
"""


def test_the_variables_are_set_where_the_processor_has_what_they_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "has_avx2", lambda: True)
    assert reproducible() == ONE_THREAD | AVX2_ONLY
    monkeypatch.setattr(environment, "has_avx2", lambda: False)
    assert reproducible() == ONE_THREAD


@pytest.mark.parametrize("machine", ["aarch64", "arm64"])
def test_another_kind_of_processor_has_no_avx2(machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment.platform, "machine", lambda: machine)
    assert not has_avx2()


def test_measuring_speed_is_left_free(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in AVX2_ONLY.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert not AVX2_ONLY.keys() & fastest().keys()
    assert fastest()["OMP_NUM_THREADS"] == "1"


@pytest.mark.exhaustive
@pytest.mark.skipif(not has_avx2(), reason="the variables are for processors with AVX2")
def test_the_libraries_obey_them() -> None:
    def run(variables: dict[str, str]) -> list[str]:
        command = [sys.executable, "-c", PROGRAM]
        done = subprocess.run(command, cwd=ROOT, env={**fastest(), **variables}, capture_output=True, text=True)
        return done.stdout.split()

    bound, free = run(reproducible()), run({})
    assert bound[1] == "AVX2"
    assert bound == run(reproducible())
    if free[1] == "AVX512":
        assert bound[0] != free[0]
    assert os.environ["NPY_DISABLE_CPU_FEATURES"] == AVX2_ONLY["NPY_DISABLE_CPU_FEATURES"]


def test_a_command_can_be_run_with_them() -> None:
    program = "import os; print(os.environ['OMP_NUM_THREADS'])"
    command = [sys.executable, "-m", "sims.kept.environment", sys.executable, "-c", program]
    assert subprocess.run(command, cwd=ROOT, env=fastest(), capture_output=True, text=True).stdout == "1\n"
