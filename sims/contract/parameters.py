"""Converts outside input to parameter values: it is admitted, clamped with a note, or refused."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import param

from sims.contract.simulation import Simulation
from sims.contract.spelled import TextParameter
from sims.contract.wording import number

LONGEST = 64
"""Characters that a value may have; a longer text is refused unread. A `TextParameter` has its own limit."""


class Stops(param.Selector):
    """A number from a short rising list, drawn as a slider with stops."""


def control_names(simulation: type[Simulation]) -> list[str]:
    """Return the parameters that a reader may set, in the order of their declaration."""
    return [name for name in simulation.param if name != "name"]


def to_text(value: Any) -> str:
    """Return a value as it is written in a URL and on the command line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return format(value, "g") if isinstance(value, float) else str(value)


class Admission(NamedTuple):
    """The value that is used in place of one from outside and, if the two differ, why and what happens instead."""

    value: Any
    complaint: str = ""
    """A clause that `consequence` continues; "" if the value is used as it came."""
    consequence: str = ""


def in_words(value: Any) -> str:
    """Return a value as it is shown to a reader, with as many digits as `to_text` keeps."""
    return number(value, 6) if isinstance(value, (int, float)) and not isinstance(value, bool) else to_text(value)


def examine(parameter: param.Parameter, value: Any) -> Admission:
    """Return the nearest value that the parameter allows.

    Text is parsed as the parameter's type; anything unreadable, not finite or of another type gives the default.
    """
    longest = parameter.longest if isinstance(parameter, TextParameter) else LONGEST
    if isinstance(value, str) and len(value) > longest:
        return _instead(parameter.default, f"a value of {len(value)} characters is too long")
    refused = _instead(parameter.default, f"“{str(value)[:LONGEST]}” is not a possible value")
    if isinstance(parameter, TextParameter):
        if not isinstance(value, str):
            return refused
        try:
            admitted, left_out = parameter.admitted(value)
        except ValueError:
            return refused
        return Admission(admitted, left_out, "this is left out") if left_out else Admission(admitted)
    if isinstance(parameter, param.Boolean):
        booleans = {True: True, False: False, "yes": True, "no": False}
        return Admission(booleans[value]) if isinstance(value, (bool, str)) and value in booleans else refused
    if isinstance(parameter, param.Selector):
        for option in parameter.objects:
            # True equals 1 in Python, but must not select the option 1.
            if type(value) is not bool and (value == option or value == to_text(option)):
                return Admission(option)
        requested = _number(value)
        if requested is None or not isinstance(parameter, Stops):
            return refused
        nearest = min(parameter.objects, key=lambda option: abs(option - requested))
        if nearest == requested:
            return Admission(nearest)
        return _instead(nearest, f"{in_words(requested)} is not one of the stops")
    requested = _number(value)
    return refused if requested is None else _clamped(parameter, requested)


def _clamped(parameter: param.Parameter, requested: float) -> Admission:
    low, high = parameter.bounds
    if not low <= requested <= high:
        nearest = type(parameter.default)(min(max(requested, low), high))
        return _instead(nearest, f"{in_words(requested)} is outside {in_words(low)} to {in_words(high)}")
    if not isinstance(parameter, param.Integer):
        return Admission(requested)
    step = parameter.step or 1
    # Steps count from the lower bound. Halves are rounded up: `round` would round them to even numbers.
    nearest = min(low + step * math.floor((requested - low) / step + 0.5), high)
    if nearest == requested:
        return Admission(nearest)
    return _instead(
        nearest,
        f"{in_words(requested)} is not "
        + ("a whole number" if step == 1 else f"{in_words(low)} plus a multiple of {in_words(step)}"),
    )


def _instead(value: Any, complaint: str) -> Admission:
    return Admission(value, complaint, "it is left empty" if value == "" else f"{in_words(value)} is used")


def admit(parameter: param.Parameter, value: Any) -> tuple[Any, str]:
    """Return the value that `examine` gives, and a note for the reader if it is not the one that was asked for."""
    admitted, complaint, consequence = examine(parameter, value)
    return admitted, f"{parameter.label}: {complaint}; {consequence}." if complaint else ""


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    try:
        parsed = float(value)
    except (ValueError, OverflowError):
        return None
    return parsed if math.isfinite(parsed) else None


def read(simulation: type[Simulation], values: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the settings that texts by name stand for, and a note for everything that was not used as it came."""
    settings, notes = {}, []
    names = control_names(simulation)
    for name, value in values.items():
        if name not in names:
            notes.append(f"There is no control named “{name[:LONGEST]}”.")
            continue
        settings[name], note = admit(simulation.param[name], value)
        if note:
            notes.append(note)
    return settings, notes


def write(simulation: Simulation) -> dict[str, str]:
    """Return the values that differ from the defaults, as texts: what a link has to contain."""
    return {
        name: to_text(value)
        for name, value in simulation.settings().items()
        if value != type(simulation).param[name].default
    }


def allowed(parameter: param.Parameter) -> str:
    """Describe the values that a parameter accepts, in words."""
    if isinstance(parameter, param.Boolean):
        return "yes or no"
    if isinstance(parameter, param.Selector):
        return "one of " + ", ".join(to_text(option) for option in parameter.objects)
    if isinstance(parameter, TextParameter):
        return parameter.described()
    low, high = parameter.bounds
    step = (parameter.step or 1) if isinstance(parameter, param.Integer) else 1
    return f"{low:g} to {high:g}" + (f" in steps of {step:g}" if step != 1 else "")
