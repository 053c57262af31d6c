"""Operations of a residual block: how much they compute and move (from shapes), and how long they take on one core.

A stream with the same count of numbers may be narrow with many tokens or wide with few: adding two of them costs the
same. Operations per byte are the operational intensity of Williams, Waterman, Patterson 2009, if everything is read
once from memory and written once to it.

`python -m sims.instruments.costs.timed_operations NUMBERS [[OPERATION, SIZE], …]` prints the seconds as JSON.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import thread_time
from typing import TYPE_CHECKING

from sims.kept.environment import AVX2_ONLY, fastest
from sims.paths import ROOT

if TYPE_CHECKING:
    from torch import Tensor

SIZE = 4
"""Bytes of a number"""

LEAST = 2**22
"""Numbers that one timing processes at least: a shorter operation is repeated until it has"""


@dataclass(frozen=True)
class Operation:
    """An operation with `per_number` steps of arithmetic for every number of the stream, and `per_pair` for every
    number and every unit of width; `streams` are read or written, and with `square` a matrix (width, width) is read."""

    title: str
    per_number: int
    per_pair: int
    streams: int
    square: bool = False

    def work(self, numbers: int, width: int) -> int:
        """Count additions, multiplications and comparisons."""
        return numbers * (self.per_number + self.per_pair * width)

    def traffic(self, numbers: int, width: int) -> int:
        """Count bytes read and written."""
        return SIZE * (self.streams * numbers + self.square * width**2)


OPERATIONS: Mapping[str, Operation] = {
    "product": Operation("matrix product", 0, 2, 2, square=True),
    "fused": Operation("product and sum in one", 1, 2, 3, square=True),
    "in_place": Operation("sum in place", 1, 0, 3),
    "fresh": Operation("sum in new memory", 1, 0, 3),
    "relu": Operation("ReLU in place", 1, 0, 2),
}
"""The "fused" one adds the product to the values already in the output. A ReLU makes one comparison for each number."""

OF_WIDTH = ("product", "fused")
"""The operations whose time depends on the width of the stream, not only on the count of its numbers"""


def operation_time(operation: str, numbers: int, width: int) -> float:
    """Seconds of processor time for an operation on a stream of `numbers` numbers, on one core.

    All memory that is read or written has been written before, so no page is touched for the first time, except by the
    sum that allocates its output. Raises KeyError for an unknown operation.
    """
    import torch

    def stream() -> "Tensor":
        return torch.full((numbers // width, width), 0.5)

    with one_core():
        stay, other = stream(), stream()
        matrix = torch.full((width, width) if operation in OF_WIDTH else (0, 0), 1e-6)
        calls: dict[str, Callable[[], object]] = {
            "product": lambda: torch.mm(other, matrix, out=stay),
            "fused": lambda: stay.addmm_(other, matrix),
            "in_place": lambda: stay.add_(other),
            "fresh": lambda: stay + other,
            "relu": lambda: torch.relu_(stay),
        }
        return timed(calls[operation], numbers)


def update_time(size: int) -> float:
    """Seconds to multiply an array of `size` bytes by a number in place: each byte is read and written."""
    import torch

    with one_core():
        array = torch.full((size // SIZE,), 0.5)
        return timed(lambda: array.mul_(1.0), size // SIZE)


def square_time(width: int) -> float:
    """Seconds for the product of two square matrices."""
    import torch

    with one_core():
        one, other, into = (torch.full((width, width), 0.5) for _ in range(3))
        return timed(lambda: torch.mm(one, other, out=into), width**2)


@contextmanager
def one_core() -> Iterator[None]:
    """Let PyTorch compute in a single thread and without an autograd graph."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.no_grad():
            yield
    finally:
        torch.set_num_threads(before)


def timed(call: Callable[[], object], numbers: int) -> float:
    """Processor time of one call in this thread: the mean over enough calls to process `LEAST` numbers."""
    calls = max(LEAST // numbers, 1)
    call()
    began = thread_time()
    for _ in range(calls):
        call()
    return (thread_time() - began) / calls


def timings(tasks: Sequence[tuple[str, int]], numbers: int) -> list[float]:
    """Seconds for each task: ("update", bytes), ("square", width), or an operation on a stream of `numbers` numbers and
    its width.

    Where this process must compute with the same instructions as other processors, another process is started, which
    may use the fastest ones of this processor. Raises RuntimeError if that process fails.
    """
    if not AVX2_ONLY.keys() & os.environ.keys():
        return [_seconds(name, size, numbers) for name, size in tasks]
    command = [sys.executable, "-m", __name__, str(numbers), json.dumps(tasks)]
    ended = subprocess.run(command, cwd=ROOT, env=fastest(), capture_output=True, text=True)
    if ended.returncode:
        raise RuntimeError(f"timing operations failed: {ended.stderr.strip()[-500:]}")
    seconds: list[float] = json.loads(ended.stdout)
    return seconds


def _seconds(name: str, size: int, numbers: int) -> float:
    if name == "update":
        return update_time(size)
    return square_time(size) if name == "square" else operation_time(name, numbers, size)


if __name__ == "__main__":
    print(json.dumps([_seconds(name, size, int(sys.argv[1])) for name, size in json.loads(sys.argv[2])]))
