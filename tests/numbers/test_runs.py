"""Long numbers are computed in the fewest runs, and their processes end with the one that asked."""

import subprocess
import sys
import time
from pathlib import Path

from sims.kept.book import code_of
from sims.numbers import runs
from sims.numbers.call import parse

ROOT = Path(__file__).parent.parent.parent


def test_numbers_that_are_read_off_one_run_are_computed_together() -> None:
    calls = [
        "race.finishers(depth=8, entrant='plain')",
        "race.finishers(depth=8, entrant='dense')",
        "race.finishers(depth=16, entrant='plain')",
    ]
    assert [len(group) for group in runs.grouped(calls)] == [2, 1]


def test_values_come_with_the_version_of_their_code() -> None:
    call = "worked.batch_norm_gain(layers=56)"
    [found] = runs.computed([[call]])
    calculation, arguments = parse(call)
    assert found == {call: (calculation(**arguments), code_of(calculation))}


def test_an_ended_parent_leaves_no_process() -> None:
    code = (
        "import os, threading\n"
        "from sims.numbers import runs\n"
        "if __name__ == '__main__':\n"
        "    import multiprocessing, time\n"
        "    from concurrent.futures import ProcessPoolExecutor\n"
        "    pool = ProcessPoolExecutor(1, multiprocessing.get_context('spawn'), runs._end_with_parent)\n"
        "    print(pool.submit(os.getpid).result(), flush=True)\n"
        "    pool.submit(time.sleep, 600)\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.wait(60)
    parent.stdout.close()
    deadline = time.monotonic() + 30
    while Path(f"/proc/{child}/cmdline").exists() and Path(f"/proc/{child}/cmdline").read_bytes():
        assert time.monotonic() < deadline
