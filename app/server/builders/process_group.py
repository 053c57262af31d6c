"""Runs a command in a process group, so that it ends together with all the processes it starts."""

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path


class ProcessGroup:
    """A command that runs in the background at low priority, with its output discarded."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self._process = subprocess.Popen(
            ["nice", *command], cwd=folder, stdout=subprocess.DEVNULL, start_new_session=True
        )

    @property
    def running(self) -> bool:
        """Whether the command has not ended yet."""
        return self._process.poll() is None

    def wait(self) -> None:
        """Wait until the command has ended."""
        self._process.wait()

    def end(self) -> None:
        """Send SIGTERM to every process of the group, and wait until the command has ended."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGTERM)
        self._process.wait()
