"""Computes long numbers on all cores; calls that read numbers off the same run are computed together."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from sims.contract.calculation import Number
from sims.kept import processes
from sims.kept.book import code_of
from sims.numbers.call import parse

Found = dict[str, tuple[Number, str]]
"""Call → its value, and the version of the code that made it"""


def grouped(calls: Iterable[str]) -> list[list[str]]:
    """Group the calls by their run."""
    runs: dict[str, list[str]] = defaultdict(list)
    for call in calls:
        calculation, arguments = parse(call)
        runs[calculation.run(arguments)].append(call)
    return list(runs.values())


def compute(calls: list[str]) -> Found:
    """Compute the values of some calls."""
    values: Found = {}
    for call in calls:
        calculation, arguments = parse(call)
        values[call] = calculation(**arguments), code_of(calculation, arguments)
    return values


def computed(groups: list[list[str]]) -> Iterator[Found]:
    """Compute the groups on all cores, and yield the values of each, in the order of completion."""
    for _calls, values in processes.done(compute, groups):
        yield values
