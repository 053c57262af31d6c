"""What limits a sum and a matrix product: both timed on this machine and compared with its two roofs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract.bands import ENDINGS, STATISTICS
from sims.contract.calculation import Number, calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number, percent
from sims.instruments.costs.timed_operations import OF_WIDTH, OPERATIONS, timings
from sims.kept import results
from sims.kept.machine import processor

WIDTHS = (32, 64, 128, 256, 512, 1024, 2048)
SIZES = tuple(2**power for power in (18, 20, 22, 24, 26, 28))
"""Bytes of the arrays on which memory traffic is timed; the largest gives the memory roof"""

SQUARE = 1024
"""Width of two square matrices whose product is timed for the compute roof"""

TIMES_OVER = 5
"""Repetitions of each timing"""

LITTLE = 0.1
"""Share of the product's time below which a sum counts as little"""


@dataclass(frozen=True)
class Timed:
    """Seconds, in the order of the plan."""

    seconds: tuple[float, ...] = ()


class Roofline(Training):
    """What a sum waits for, and what a matrix product waits for

    Both axes are logarithmic: to the right, operations per byte moved; upward, operations per second. A
    roof rises with what the memory can deliver and levels off at what the processor can compute. Sums and a ReLU are on
    the left, near the rising part; matrix products are on the right, below the flat part, and further right the wider
    the stream is. Bars show the processor time of a product and of the sum after it, done in three ways. The measures
    show the sum's share of the time against the width, and the traffic against the size of an array.
    """

    verb: ClassVar[str] = "Measure"
    """Label of the start button: nothing is trained"""

    restarts = ("numbers",)
    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"numbers": (2**24, 2**18), "width": WIDTHS}

    width = Stops(default=1024, objects=list(WIDTHS), label="Width", doc="numbers of a token; more width, fewer tokens")
    numbers = param.Selector(
        default=2**24,
        objects={"67 MB, more than most caches hold": 2**24, "1 MB, which a cache holds": 2**18},
        label="Size of the stream",
        doc="how much memory one stream fills, at every width",
    )

    def start(self) -> Timed:
        return Timed()

    @property
    def _plan(self) -> list[tuple[str, int]]:
        """The timings of one round: an operation and its width, or "update" or "square" and a size."""
        wide = [(name, width) for name in OF_WIDTH for width in WIDTHS]
        flat = [(name, WIDTHS[-1]) for name in OPERATIONS if name not in OF_WIDTH]
        return [*(("update", size) for size in SIZES), ("square", SQUARE), *flat, *wide]

    def advance(self, state: Timed, steps: int) -> Timed:
        plan = self._plan * TIMES_OVER
        done = len(state.seconds)
        return Timed((*state.seconds, *timings(plan[done : done + steps], self.numbers)))

    def frame(self, state: Timed) -> Frame:
        plan = self._plan
        times: dict[tuple[str, int], list[float]] = {task: [] for task in plan}
        for task, seconds in zip(plan * TIMES_OVER, state.seconds, strict=False):
            times[task].append(seconds)
        traffic = [_over(2.0 * size, times["update", size]) / 1e9 for size in SIZES]
        peaks = [_over(2.0 * SQUARE**3, times["square", SQUARE])]
        both, at = ("operation", "width"), {}
        for statistic, ending in ENDINGS.items():
            rows = [
                [_statistic(statistic, times[name, width if name in OF_WIDTH else WIDTHS[-1]]) for width in WIDTHS]
                for name in OPERATIONS
            ]
            label = f"processor time, {statistic} of {TIMES_OVER}"
            at[f"times{ending}"] = Quantity(1e3 * np.array(rows), label, "ms", both)
        work, moved = (
            np.array([[count(operation)(self.numbers, width) for width in WIDTHS] for operation in OPERATIONS.values()])
            for count in (lambda op: op.work, lambda op: op.traffic)
        )
        speeds = work / (at["times"].values * 1e6)
        peaks += [_over(float(work[0, place]), times["product", width]) for place, width in enumerate(WIDTHS)]
        finite = [peak / 1e9 for peak in peaks if np.isfinite(peak)]
        roofs = [traffic[-1], max(finite, default=np.nan)]
        quantities = {
            "widths": Quantity(np.array(WIDTHS), "width", "numbers", ("width",)),
            "operations": Quantity(
                np.array([operation.title for operation in OPERATIONS.values()]), "operation", "", ("operation",)
            ),
            "work": Quantity(work, "operations", "operations", both),
            "moved": Quantity(moved, "bytes read and written", "bytes", both),
            "intensity": Quantity(work / moved, "operations for each byte", "operations/byte", both),
            "speeds": Quantity(speeds, "speed", "billions of operations/s", both),
            **at,
            "roofs": Quantity(np.array(roofs), "roofs: GB/s of memory, and peak of products", "billions/s", ("roof",)),
            "sizes": Quantity(np.array(SIZES), "size of an array that is changed in place", "bytes", ("size",)),
            "traffic": Quantity(np.array(traffic), "traffic, fastest time", "GB/s", ("size",)),
        }
        frame = Frame(quantities, {}, len(state.seconds), len(plan) * TIMES_OVER)
        return replace(frame, results=self._results(frame) | {"machine": processor()})

    def reread(self, frame: Frame) -> Frame:
        return replace(frame, results=self._results(frame) | {"machine": frame.results["machine"]})

    def _results(self, frame: Frame) -> dict[str, float | int | str]:
        place, times = WIDTHS.index(self.width), frame["times"]
        of = dict(zip(OPERATIONS, times[:, place].tolist(), strict=True))
        values = {f"{name}_time": seconds for name, seconds in of.items()}
        values |= {"share": of["in_place"] / of["product"], "fresh_share": of["fresh"] / of["product"]}
        values |= {"bandwidth": float(frame["roofs"][0]), "peak": float(frame["roofs"][1])}
        values["little_from"] = little_from(frame)
        finite = {name: value if np.isfinite(value) else 0.0 for name, value in values.items()}
        return finite | {"width": self.width, "rounds": frame.step * TIMES_OVER // frame.steps}

    def describe(self, frame: Frame) -> str:
        if not frame.results["rounds"]:
            return "Nothing is fully timed yet: sums, a ReLU and products are waiting for their first round."
        values = {name: value for name, value in frame.results.items() if not isinstance(value, str)}
        row = list(OPERATIONS).index("in_place")
        moved, work = float(frame["moved"][row, 0]), float(frame["work"][row, 0])
        return (
            f"A sum in place moves {number(moved / 1e6)} MB for {number(work / 1e6)} million operations and takes "
            f"{number(values['in_place_time'])} ms, {percent(values['share'])} of the time of the product before "
            f"it at width {number(values['width'])}, {number(values['product_time'])} ms. In fresh memory it takes "
            f"{number(values['fresh_time'])} ms. One operation that does product and sum together takes "
            f"{number(values['fused_time'])} ms. The memory delivers {number(values['bandwidth'])} GB/s, and products "
            f"reach {number(values['peak'])} billion operations per second."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network="No whole network: single PyTorch operations on 4-byte numbers, in one thread. Work and "
            "bytes are counted from shapes, each stream and each matrix read or written once.",
            data=f"A stream of {number(self.numbers)} numbers, at each width; the values do not matter.",
            seeds=f"None; each is timed {TIMES_OVER} times by the processor's clock. Points are medians, ranges go "
            "from the fastest to the slowest, and each roof is set by the fastest timing: for the slope, that of "
            f"changing an array of {number(SIZES[-1] / 1e6)} MB in place; for the flat part, that of any product.",
            cannot_show="Other processors, several cores, 16-bit numbers, or a graphics card, where both roofs are far "
            "higher. Whatever else the machine does changes these timings, and so does a cache that holds a stream.",
        )


def little_from(frame: Frame) -> float:
    """The least width from which a sum in place takes less than a tenth of the product's time; NaN if there is none."""
    names = list(OPERATIONS)
    shares = frame["times"][names.index("in_place")] / frame["times"][names.index("product")]
    little = np.flatnonzero(~(shares < LITTLE))
    first = int(little[-1]) + 1 if len(little) else 0
    return float(WIDTHS[first]) if first < len(WIDTHS) else float("nan")


def _statistic(name: str, values: list[float]) -> float:
    return STATISTICS[name](values) if values else float("nan")


def _over(amount: float, seconds: list[float]) -> float:
    """`amount` per second, from the fastest timing; NaN if nothing is timed yet."""
    return amount / min(seconds) if seconds else float("nan")


@calculation(long=True, readings=("operation", "width", "statistic"), tolerance=0.75)
def milliseconds(operation: str, width: int = 1024, statistic: str = "median") -> Number:
    """Processor time of an operation, a key of `OPERATIONS`, on a stream of 67 MB; measured on one machine."""
    frame = results.finished(Roofline())
    return float(frame[f"times{ENDINGS[statistic]}"][list(OPERATIONS).index(operation), WIDTHS.index(width)])


@calculation(long=True, readings=("operation", "width"), tolerance=0.75)
def share(operation: str, width: int = 1024) -> Number:
    """The same over the time of the product at this width, medians."""
    return float(milliseconds(operation, width)) / float(milliseconds("product", width))


@calculation(long=True, readings=("name",), tolerance=0.75)
def measured(name: str) -> Number:
    """A result of the run on a stream of 67 MB: "bandwidth" in GB/s, "peak" in billions of operations per second, or
    "little_from", the least width from which a sum in place takes less than a tenth of the product's time."""
    return float(results.finished(Roofline()).results[name])
