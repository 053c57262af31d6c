"""Work is done by processes that end with the one that asked."""

import subprocess
import sys
import time
from operator import neg
from pathlib import Path

import pytest

from sims.kept.processes import done

ROOT = Path(__file__).parent.parent.parent


def test_each_item_comes_with_what_was_made_of_it() -> None:
    assert sorted(done(neg, [1, 2, 3])) == [(1, -1), (2, -2), (3, -3)]


def test_an_ended_parent_leaves_no_process() -> None:
    code = (
        "import os, threading\n"
        "from sims.kept import processes\n"
        "if __name__ == '__main__':\n"
        "    import multiprocessing, time\n"
        "    from concurrent.futures import ProcessPoolExecutor\n"
        "    pool = ProcessPoolExecutor(1, multiprocessing.get_context('spawn'), processes._end_with_parent)\n"
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


@pytest.mark.parametrize(("rarely", "said"), [(True, ""), (False, "collected\n")])
def test_a_process_that_collects_rarely_ends_without_collecting(rarely: bool, said: str) -> None:
    code = (
        "from sims.kept.processes import collect_rarely\n"
        "class Cycle:\n"
        "    def __init__(self): self.cycle = self\n"
        "    def __del__(self): print('collected')\n"
        f"if {rarely}: collect_rarely()\n"
        "Cycle()\n"
    )
    process = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert process.stdout == said
