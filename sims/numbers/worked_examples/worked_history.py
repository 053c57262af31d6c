"""The worked examples of the page on the history: an LSTM's memory, step by step, and depth through the years."""

from collections.abc import Sequence

from sims.contract.calculation import calculation
from sims.data import history


@calculation
def remembered(start: float, forget: float, gated: Sequence[float]) -> float:
    """The memory c after c ← f·c + i·c̃, once for each gated candidate i·c̃; with f = 1 this is the cell of 1997."""
    memory = start
    for candidate in gated:
        memory = forget * memory + candidate
    return memory


@calculation
def carried(forget: float, steps: int) -> float:
    """∂c after `steps` steps by ∂c before them, along the carry alone: f^steps."""
    factor: float = forget**steps
    return factor


@calculation
def yearly(first: str, last: str) -> float:
    """The factor per year by which the depth of one entry of the history grew to that of another."""
    ratio = float(history.depth(name=last)) / float(history.depth(name=first))
    factor: float = ratio ** (1 / (history.find(last).year - history.find(first).year))
    return factor


@calculation
def extrapolated(first: str, last: str, years: int) -> float:
    """The depth to which that growth would have led `years` years after the second entry."""
    grown: float = float(yearly(first=first, last=last)) ** years
    return float(history.depth(name=last)) * grown
