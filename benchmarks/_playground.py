"""TensorFlow Playground's own engine, run by Node from a folder of the reader's: `SKIP_PEERS` holds `playground/nn.ts`.

The file is github.com/tensorflow/playground, src/nn.ts (Apache 2.0). Bokeh's compiler makes JavaScript of it.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from bokeh.util.compiler import nodejs_compile

SCRIPT = Path(__file__).with_name("playground.cjs")


class Missing(Exception):
    """Why it cannot be run here."""


class Engine:
    """A process that makes updates on demand."""

    def __init__(self, orders: IO[str], answers: IO[str]) -> None:
        self._orders, self._answers = orders, answers

    def milliseconds(self, updates: int) -> float:
        """Processor time of an update, over so many of them."""
        print(updates, file=self._orders, flush=True)
        return float(self._answers.readline())


@contextmanager
def engine() -> Iterator[Engine]:
    """Playground's engine with 32 hidden layers of width 8 and batches of 10. Raises Missing."""
    node, source = shutil.which("node"), Path(os.environ.get("SKIP_PEERS", "")) / "playground" / "nn.ts"
    if not os.environ.get("SKIP_PEERS"):
        raise Missing("SKIP_PEERS names no folder with playground/nn.ts in it")
    if not source.is_file():
        raise Missing("there is no playground/nn.ts in the folder that SKIP_PEERS names")
    if node is None:
        raise Missing("Node is not installed")
    # Its types are loose, which is none of our business.
    compiled = nodejs_compile("// @ts-nocheck\n" + source.read_text(encoding="utf-8"), "typescript", source.name)
    if "code" not in compiled:
        raise Missing(f"it cannot be compiled: {compiled.get('error')}")
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "engine.js"
        script.write_text(compiled["code"], encoding="utf-8")
        command = [node, str(SCRIPT), str(script)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            yield Engine(process.stdin, process.stdout)
            process.stdin.close()
