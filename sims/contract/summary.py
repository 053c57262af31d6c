"""Numbers for the prose that are made of kept numbers: what a table of them says as a whole.

A summary is computed when the page is built, from values that are read from the repository. Only these have versions,
so another statistic costs no training.
"""

from collections.abc import Callable, Mapping, Sequence

from sims.contract.calculation import Calculation, Number

Kept = Mapping[str, float]
"""Call of a long calculation → its value"""


class Summary(Calculation):
    """A function of kept numbers, whose first argument holds their values.

    `needs` returns the calls of long calculations that it reads, given the same other arguments.
    """

    def __init__(self, function: Callable[..., Number], needs: Callable[..., Sequence[str]]) -> None:
        super().__init__(function, long=False, absolute=1.0)
        self.needs = needs


def summary(needs: Callable[..., Sequence[str]]) -> Callable[[Callable[..., Number]], Summary]:
    """Let prose refer to this function of kept numbers."""
    return lambda function: Summary(function, needs)
