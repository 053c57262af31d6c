"""Numbers as a printer sets them: 4.57 × 10⁴ with a true minus sign, and never broken across lines."""

import math
import re

from markupsafe import Markup, escape

from sims.contract.bands import percent
from sims.contract.calculation import Number

HYPHEN = re.compile(r"(?<![\w)])-(?=[\d.∞])")
SCIENTIFIC = re.compile(r"(−?[\d.,]+)e([+-])0*(\d+)")
GROUPED_FROM = 10_000


def typeset(value: Number, form: str = "") -> Markup:
    """A value in a form: `%` for a share as a percentage, else as Python's `format` takes it.

    Without a form, whole numbers are grouped from five digits and others get four significant digits. Raises ValueError
    for a form that does not fit the value.
    """
    if isinstance(value, str):
        if form:
            raise ValueError(f"the form {form!r} needs a number, but the value is the text {value!r}")
        return _html(value)
    if not math.isfinite(value):
        return _html("not a number" if math.isnan(value) else "∞" if value > 0 else "-∞")
    if value == 0 and form.endswith("e"):
        form = "g"
    if form == "%":
        return _html(percent(float(value)))
    if form:
        return _html(format(value, form))
    if isinstance(value, int):
        return _html(f"{value:,}" if abs(value) >= GROUPED_FROM else str(value))
    return _html(f"{value:.4g}")


def _html(text: str) -> Markup:
    escaped = str(escape(HYPHEN.sub("−", text)))
    return Markup(SCIENTIFIC.sub(_power, escaped))


def _power(match: re.Match[str]) -> str:
    mantissa, sign, exponent = match.groups()
    power = f"10<sup>{'−' if sign == '-' else ''}{exponent}</sup>"
    return mantissa if exponent == "0" else f"{mantissa}&nbsp;×&nbsp;{power}"
