"""The editable numbers of a worked example, and the calculations that depend on them."""

import hashlib
import json
import math
import re
from collections.abc import Mapping
from typing import Any

import param
from markupsafe import Markup

from app.pages.files.code_versions import table_code
from app.pages.text import located_yaml
from app.pages.text.numerals import typeset
from app.pages.text.templating import fill
from sims.contract.calculation import Number
from sims.contract.parameters import admit, in_words, to_text
from sims.kept.book import code_of
from sims.numbers.call import input_names, parse

NAME = re.compile(r"[a-z][a-z0-9_]*")
TAKEN = ("page", "example")
"""Names of the other arguments of a request for new numbers."""

UNDEFINED = Markup("not defined")


class Example:
    """The editable numbers of one worked example, and the calculations that depend on them."""

    def __init__(self, inputs: Mapping[str, param.Number], units: Mapping[str, str]) -> None:
        self.inputs = inputs
        self.units = units
        self.calls: list[tuple[str, str]] = []
        """Each call with its form, in the order in which they were written."""
        self.shown: set[str] = set()
        self.table = ""
        """The key under which its number tables are stored; empty if they would be too large"""

    def key(self) -> str:
        """A key for the numbers of this example, which changes with the example and with the code that computes it."""
        versions = [code_of(*parse(call, self.values())) for call, _form in self.calls]
        made_of = json.dumps([table_code(), versions, self.data()], sort_keys=True)
        return hashlib.sha256(made_of.encode()).hexdigest()[:16]

    def data(self) -> dict[str, Any]:
        """Everything that `restored` needs, as JSON data."""
        return {
            "inputs": {
                name: [type(number) is param.Integer, number.default, *bounds(number), number.step, number.label]
                for name, number in self.inputs.items()
            },
            "units": dict(self.units),
            "calls": [list(call) for call in self.calls],
            "table": self.table,
        }

    def values(self) -> dict[str, Number]:
        """The numbers as the page shows them first."""
        return {name: parameter.default for name, parameter in self.inputs.items()}

    def calc(self, call: str, form: str) -> Markup:
        """The placeholder of a number that depends on the inputs. Raises ValueError if it takes too long to
        recompute."""
        calculation, arguments = parse(call, self.values())
        if calculation.long:
            raise ValueError(f"{call!r} is a long calculation; what follows an edited number has to be instant")
        self.calls.append((call, form))
        return Markup('<span class="number" data-calc="{}" title="computed: {}">{}</span>').format(
            len(self.calls) - 1, call, typeset(calculation(**arguments), form)
        )

    def field(self, name: str) -> Markup:
        """The placeholder of an editable number. Raises ValueError where it was not declared."""
        if name not in self.inputs:
            raise ValueError(f"{name!r} is no input of this example; it declares {', '.join(self.inputs)}")
        self.shown.add(name)
        parameter, unit = self.inputs[name], self.units[name]
        low, high = bounds(parameter)
        return fill(
            "directives/input",
            name=name,
            label=parameter.label,
            unit=unit,
            value=to_text(parameter.default),
            shown=in_words(parameter.default),
            low=to_text(low),
            high=to_text(high),
            step=to_text(parameter.step),
        )

    def check(self) -> None:
        """Raises ValueError for an input that is declared and not used."""
        used = {name for call, _form in self.calls for name in input_names(call)}
        for name in self.inputs:
            if name not in self.shown:
                raise ValueError(f"the input {name!r} is not shown; put an {{input}} role into a step")
            if name not in used:
                raise ValueError(f"no calculation of the example uses the input {name!r}")

    def answer(self, texts: Mapping[str, str]) -> dict[str, Any]:
        """Every number of the example for the untrusted inputs in `texts`, in the form that the page reads.

        `values` are the inputs that were used, `notes` says where these differ from what was asked for, and `numbers`
        are the calculations in order, as HTML.
        """
        values, notes = self.values(), []
        for name, parameter in self.inputs.items():
            if name in texts:
                values[name], note = admit(parameter, texts[name])
                notes += [note] if note else []
        if set(texts) - set(self.inputs):
            notes.append("The example has no input of some other name that was sent.")
        return {
            "values": {name: to_text(value) for name, value in values.items()},
            "notes": notes,
            "numbers": [self.number(call, form, values) for call, form in self.calls],
        }

    def number(self, call: str, form: str, values: Mapping[str, Number]) -> Markup:
        """The result of one calculation for these values of its inputs, as HTML."""
        calculation, arguments = parse(call, values)
        try:
            return typeset(calculation(**arguments), form)
        except (ValueError, ArithmeticError):
            return UNDEFINED


def restored(data: Mapping[str, Any]) -> Example:
    """The example that `Example.data` describes."""
    example = Example({name: _number(*arguments) for name, arguments in data["inputs"].items()}, data["units"])
    example.calls = [(call, form) for call, form in data["calls"]]
    example.table = data["table"]
    return example


def bounds(parameter: param.Number) -> tuple[Any, Any]:
    """The bounds of an editable number, which always has them."""
    assert parameter.bounds is not None
    return parameter.bounds


def _number(whole: bool, value: float, low: float, high: float, step: float, label: str) -> param.Number:
    kind: type[param.Number] = param.Integer if whole else param.Number
    return kind(value, bounds=(low, high), step=step, label=label)


def declared(text: str, line: int) -> Example:
    """An example with the inputs that `text` declares. Raises ValueError for an invalid declaration."""
    data = located_yaml.load(text, line)
    if not isinstance(data, Mapping) or not data:
        raise ValueError("expected inputs, each as `name: {value, from, to, step, label}`")
    return Example(
        {str(name): _parameter(str(name), entry) for name, entry in data.items()},
        {str(name): str(entry.get("unit", "")) for name, entry in data.items()},
    )


def _parameter(name: str, data: Any) -> param.Number:
    if not NAME.fullmatch(name) or name in TAKEN:
        raise ValueError(f"{name!r} cannot be an input: small letters, digits and _, and not {' or '.join(TAKEN)}")
    try:
        fields = located_yaml.fields(data, ("value", "from", "to", "step", "label"), ("unit",))
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    numbers = [fields[key] for key in ("value", "from", "to", "step")]
    if not all(isinstance(number, (int, float)) and not isinstance(number, bool) for number in numbers):
        raise ValueError(f"{name}: value, from, to and step are numbers")
    value, low, high, step = numbers
    if not low <= value <= high or low == high or step <= 0 or not all(map(math.isfinite, numbers)):
        raise ValueError(f"{name}: value lies between from and to, and step is above zero")
    if all(isinstance(number, int) for number in numbers):
        return _number(True, value, low, high, step, str(fields["label"]))
    return _number(False, float(value), float(low), float(high), float(step), str(fields["label"]))
