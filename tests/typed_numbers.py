"""Numbers typed into prose that look like results, and which of them may stand there.

A result comes from a computation or from `sims/data/files/published.toml`, so that it cannot disagree with the code.
What an author chooses (a depth to try, an input) may be typed. Small whole numbers are counts and settings and pass;
everything else has to be one of `ALLOWED`, a value that the page hands to a computation, or be explained under `typed`
in the page's front matter.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from app.pages.text import located_yaml
from sims import registry
from sims.contract.parameters import control_names
from sims.contract.simulation import Simulation

RESULT = re.compile(
    r"""(?<![\w.,])[-−]?(?:
        \d+(?:\.\d+)?\s?%                       # a share
      | \d+(?:\.\d+)?\s?×(?!\s?\d)              # a factor
      | \d+(?:\.\d+)?(?:-fold|\s+times\b)       # a factor, in words
      | \d+(?:\.\d+)?(?:e[-+]?\d+|\s?×\s?10\b)  # a power of ten
      | \d+\.\d+                                # a fraction
      | \d{1,3}(?:,\d{3})+                      # thousands, grouped
      | \d{4,}                                  # and not grouped
    )(?![\w])""",
    re.VERBOSE,
)

IN_FORMULA = re.compile(r"(?:=|\\approx|\\to|\\sim)\s*(-?\d+\.\d+|-?\d{3,})(?![\w.])")
"""A formula may compute with chosen numbers; what it says comes out is a result."""

ALLOWED = {
    r"\b\d+ ?× ?(?!10\b)\d+\b": "a size: 64 × 64",
    r"(?:19|20)\d\d(?:[-–]\d\d(?:\d\d)?)?": "a year",
    r"(?:Sections?|Figures?|Tables?|Equations?|Eq\.|Chapters?|Theorems?|Lemmas?|Appendix|Algorithms?|§)\s*\(?[\d.]+": (
        "a place in a paper or on this site"
    ),
    r"\b[A-Za-z]\w*-\d[\d.]*": "part of a name: ResNet-110, CIFAR-10, GPT-2",
    r"\d[\d,]* (?:training )?(?:steps|layers|blocks|seeds|points|draws)\b": "a count that somebody chose",
    r"\b(?:Python|PyTorch|torch|NumPy|Llama|GPT)\s[\d.]+": "a version",
}
"""Pattern → why it is no result of ours."""

SPANS = re.compile(r"\{[\w:]+\}`[^`]*`|^```.*?^```|``.*?``|`[^`]*`", re.DOTALL | re.MULTILINE)
FORMULAS = re.compile(r"\$\$(.*?)\$\$|\$([^$\n]*)\$", re.DOTALL)
FRONT = re.compile(r"\A---\n(.*?)^---\n", re.DOTALL | re.MULTILINE)
INPUTS = re.compile(r"(?<=\n)---\n(?:\w+: \{.*\}\n)+---\n")
SIMULATIONS = re.compile(r"^:+\{simulation\} (\w+)\n((?:(?!:::).*\n)*)", re.MULTILINE)
RESULTS = re.compile(r"^:+\{results\}(.*)\n((?:(?!:::).*\n)*)", re.MULTILINE)
AXES = re.compile(r"^(?:across|up): \{.*\}$", re.MULTILINE)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")


def handed_over(text: str) -> set[float]:
    """The numbers that the page gives to its computations, and the values its controls can take."""
    calls = re.findall(r"\{(?:calc|preset)\}`([^`]*)`", text)
    parts = (*calls, *INPUTS.findall(text), *AXES.findall(text))
    values = {float(number) for part in parts for number in NUMBER.findall(part)}
    for name, body in SIMULATIONS.findall(text):
        values |= {float(number) for number in re.findall(rf"^\w+: ({NUMBER.pattern})$", body, re.MULTILINE)}
        values |= set(_values(registry.find(name)))
    for part in (part for _caption, body in RESULTS.findall(text) for part in _parts(body)):
        values |= {float(value) for value in part.get("with", {}).values() if _is_number(value)}
    return values


def _values(simulation: type[Simulation]) -> Iterator[float]:
    for parameter in (simulation.param[name] for name in control_names(simulation)):
        for value in (
            parameter.default,
            *getattr(parameter, "objects", ()),
            *(getattr(parameter, "bounds", None) or ()),
        ):
            if _is_number(value):
                yield float(value)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _parts(body: str) -> list[Mapping[str, Any]]:
    """A table of results, its columns and its rows: each may have words and hand arguments to a calculation."""
    table = located_yaml.load(body)
    return [table, *table["columns"], *table["rows"]]


def _words(table: re.Match[str]) -> str:
    """What an author wrote into a table of results for a reader to see."""
    contents = [words for part in _parts(table[2]) for name in ("head", "cells") for words in [part.get(name)]]
    strings = [table[1], *(word for words in contents for word in (words if isinstance(words, list) else [words]))]
    return "\n".join(str(string) for string in strings if string is not None)


def reasons(text: str) -> dict[str, str]:
    """Number → why it is typed, out of the front matter."""
    front = FRONT.match(text)
    typed = (located_yaml.load(front[1]) or {}).get("typed", {}) if front else {}
    return {str(number): str(reason) for number, reason in typed.items()}


def results_typed(text: str) -> list[str]:
    """What looks like a result in the words of a page and may not be typed there."""
    inputs, typed = handed_over(text), reasons(text)
    prose = SIMULATIONS.sub(lambda match: "\n".join(re.findall(r"^(?:caption| ).*$", match[2], re.MULTILINE)), text)
    prose = RESULTS.sub(_words, prose)
    prose = AXES.sub("", INPUTS.sub("", FRONT.sub("", prose)))
    prose = SPANS.sub("N", prose)
    formulas = [number for match in FORMULAS.finditer(prose) for number in IN_FORMULA.findall(match[1] or match[2])]
    prose = FORMULAS.sub("N", prose)
    for pattern in ALLOWED:
        prose = re.sub(pattern, "N", prose)
    results = [match[0] for match in RESULT.finditer(prose)] + formulas
    return [result for result in results if _value(result) not in inputs and result not in typed]


def _value(number: str) -> float | None:
    """What was typed, as a number; None for shares and powers, which nobody chooses by accident."""
    try:
        return float(number.replace("−", "-").replace(",", "").removesuffix("times"))
    except ValueError:
        return None
