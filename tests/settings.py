"""Settings that a reader can reach, chosen for tests: the ends of every control, and corners of all of them."""

from collections.abc import Iterator
from typing import Any

import param

from sims.contract import parameters
from sims.contract.number_list import NumberList
from sims.contract.own_points import LONGEST, Points
from sims.contract.parameters import Stops
from sims.contract.phrase import Phrase
from sims.contract.simulation import Simulation


def ends(parameter: param.Parameter) -> list[Any]:
    """The lowest and the highest value of a control, or all of a choice."""
    if isinstance(parameter, Points):
        return ["", "d9900" * (LONGEST // 5)]
    if isinstance(parameter, Phrase):
        return ["a", (parameter.alphabet * parameter.most)[: parameter.most]]
    if isinstance(parameter, NumberList):
        return ["", "1", f"1-{parameter.most}"]
    if isinstance(parameter, param.Boolean):
        return [False, True]
    if isinstance(parameter, Stops):
        return [parameter.objects[0], parameter.objects[-1]]
    return list(parameter.objects) if isinstance(parameter, param.Selector) else list(parameter.bounds)


def corners(simulation: type[Simulation]) -> Iterator[dict[str, Any]]:
    """All controls at their first end or all at their last, but for one, which takes each of its ends in turn."""
    ranges = {name: ends(simulation.param[name]) for name in parameters.control_names(simulation)}
    tried: list[dict[str, Any]] = []
    for at in (0, -1):
        base = {name: values[at] for name, values in ranges.items()}
        for name, values in ranges.items():
            for value in values:
                corner = {**base, name: value}
                if corner not in tried:
                    tried.append(corner)
                    yield corner


def shortest(simulation: type[Simulation]) -> dict[str, Any]:
    """The least work that its controls allow."""
    names = ("depth", "blocks", "width", "seeds", "training_steps")
    return {name: min(ends(simulation.param[name])) for name in names if name in simulation.param}
