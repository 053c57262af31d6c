"""What a command has started does not outlive it: orphans would go on computing for nobody."""

import os
import sys
from pathlib import Path

from app.server.builders.process_group import ProcessGroup

CHILD = """
import os, sys
with open(sys.argv[1], "w") as pipe:
    print(os.getpid(), file=pipe, flush=True)
    os.read(os.open(sys.argv[2], os.O_RDONLY), 1)
"""


def test_children_of_the_command_end_with_it(tmp_path: Path) -> None:
    output, lock = tmp_path / "said", tmp_path / "held"
    for path in (output, lock):
        os.mkfifo(path)
    inner = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {CHILD!r}, {str(output)!r}, {str(lock)!r}])"
    group = ProcessGroup([sys.executable, "-c", inner], tmp_path)
    with output.open() as pipe:
        child = int(pipe.readline())
        os.kill(child, 0)
        group.end()
        assert pipe.read() == ""  # the pipe closes when its only writer, the child, is gone


def test_a_command_that_is_over_can_be_ended(tmp_path: Path) -> None:
    group = ProcessGroup([sys.executable, "-c", ""], tmp_path)
    group._process.wait()
    group.end()
