"""Precomputed tables of a worked example's numbers on a grid of its inputs, from which a page answers edits.

A calculation is tabulated only over the inputs that it uses, so that an example with six inputs has tables of two or
three. No calculation is reimplemented in JavaScript: the tables hold the results of the Python calculations.
"""

import math
from collections.abc import Mapping
from itertools import product
from typing import Any

import param

from app.pages.document.editable_numbers import Example, bounds
from sims.contract.calculation import Number
from sims.contract.parameters import to_text
from sims.numbers.call import input_names

MOST = 500_000
"""The most numbers in one example's tables, about 200 kB compressed; a larger example asks the server instead"""

DIGITS = 12
"""Significant digits to which a step is rounded, as the page's sliders do"""


def steps(parameter: param.Number) -> list[Number]:
    """Every value that a drag or an arrow key can give an input, from its lowest to its highest."""
    low, high = bounds(parameter)
    step: Any = parameter.step
    count = math.floor((high - low) / step + 0.5)
    values = (min(low + at * step, high) for at in range(count + 1))
    return [type(parameter.default)(f"{value:.{DIGITS}g}") for value in values]


def inputs_of(example: Example, call: str) -> list[str]:
    """The inputs that a calculation uses, in the order in which they are declared."""
    used = input_names(call)
    return [name for name in example.inputs if name in used]


def size(example: Example) -> int:
    """The total number of entries in the tables."""
    count = {name: len(steps(parameter)) for name, parameter in example.inputs.items()}
    return sum(math.prod(count[name] for name in inputs_of(example, call)) for call, _form in example.calls)


def tables(example: Example) -> Mapping[str, Any]:
    """The steps of every input as texts, and a table for every calculation, as JSON data.

    `of` are the inputs of a table, `texts` its distinct numbers as HTML, and `at` has the index into `texts` for each
    combination of steps, the last input varying fastest.
    """
    axes = {name: steps(parameter) for name, parameter in example.inputs.items()}
    return {
        "steps": {name: [to_text(value) for value in values] for name, values in axes.items()},
        "numbers": [_table(example, call, form, axes) for call, form in example.calls],
    }


def _table(example: Example, call: str, form: str, axes: Mapping[str, list[Number]]) -> Mapping[str, Any]:
    names, texts, at = inputs_of(example, call), dict[str, int](), []
    for values in product(*(axes[name] for name in names)):
        html = str(example.number(call, form, dict(zip(names, values, strict=True))))
        at.append(texts.setdefault(html, len(texts)))
    return {"of": names, "texts": list(texts), "at": at}
