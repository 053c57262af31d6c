"""Computing long numbers on all cores: calls that read off the same run are computed together, each group once."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from sims.contract.calculation import Number
from sims.kept import processes
from sims.kept.book import code_of
from sims.numbers.call import parse

Found = dict[str, tuple[Number, str]]
"""Call → its value, and the version of the code that made it"""


def grouped(calls: Iterable[str]) -> list[list[str]]:
    """The calls, those of one run together."""
    runs: dict[str, list[str]] = defaultdict(list)
    for call in calls:
        calculation, arguments = parse(call)
        runs[calculation.run(arguments)].append(call)
    return list(runs.values())


def compute(calls: list[str]) -> Found:
    """The values of some calls, computed now."""
    values: Found = {}
    for call in calls:
        calculation, arguments = parse(call)
        values[call] = calculation(**arguments), code_of(calculation)
    return values


def computed(groups: list[list[str]]) -> Iterator[Found]:
    """The values of each group, in the order in which they are ready."""
    for _calls, values in processes.done(compute, groups):
        yield values
