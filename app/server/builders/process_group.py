"""A command with all the processes that it starts, which end together."""

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path


class ProcessGroup:
    """A command that runs in the background at a low priority, with its output dropped."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self._process = subprocess.Popen(
            ["nice", *command], cwd=folder, stdout=subprocess.DEVNULL, start_new_session=True
        )

    @property
    def running(self) -> bool:
        """Whether the command has not ended yet."""
        return self._process.poll() is None

    def wait(self) -> None:
        """Returns when the command has ended."""
        self._process.wait()

    def end(self) -> None:
        """Ask every process of the group to end; returns when the command has."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGTERM)
        self._process.wait()
