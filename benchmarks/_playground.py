"""TensorFlow Playground's own engine, run by Node from a folder of the reader's: `SKIP_PEERS` holds `playground/nn.ts`.

The file is github.com/tensorflow/playground, src/nn.ts (Apache 2.0). TypeScript's compiler makes JavaScript of it.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from sims.paths import ROOT

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


def compiled(module: str) -> str:
    """Playground's engine as JavaScript, with modules of the kind "commonjs" or "es2020". Raises Missing."""
    source, compiler = Path(os.environ.get("SKIP_PEERS", "")) / "playground" / "nn.ts", ROOT / "node_modules/.bin/tsc"
    if not os.environ.get("SKIP_PEERS"):
        raise Missing("SKIP_PEERS names no folder with playground/nn.ts in it")
    if not source.is_file():
        raise Missing("there is no playground/nn.ts in the folder that SKIP_PEERS names")
    if not compiler.exists():
        raise Missing("`make check` has not installed the TypeScript compiler")
    with tempfile.TemporaryDirectory() as folder:
        # Its types are loose, which is none of our business: the compiler complains, and writes the file.
        options = ["--ignoreConfig", "--target", "es2020", "--module", module, "--outDir", folder]
        subprocess.run([compiler, source, *options], stdout=subprocess.DEVNULL, check=False)
        return (Path(folder) / "nn.js").read_text(encoding="utf-8")


@contextmanager
def engine() -> Iterator[Engine]:
    """Playground's engine with 32 hidden layers of width 8 and batches of 10. Raises Missing."""
    if (node := shutil.which("node")) is None:
        raise Missing("Node is not installed")
    code = compiled("commonjs")
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "engine.js"
        script.write_text(code, encoding="utf-8")
        command = [node, str(SCRIPT), str(script)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            yield Engine(process.stdin, process.stdout)
            process.stdin.close()
