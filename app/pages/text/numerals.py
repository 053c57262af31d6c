"""Numbers in HTML: 4.57 × 10⁴ with a raised exponent, and never broken across lines."""

import re

from markupsafe import Markup, escape

from sims.contract.calculation import Number
from sims.contract.wording import MINUS, RAISED, formatted

HYPHEN = re.compile(r"(?<![\w)])-(?=[\d.])")
POWER = re.compile(r" × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
LOWERED = {raised: plain for plain, raised in RAISED.items()}


def typeset(value: Number, form: str = "") -> Markup:
    """A value in a form, as `formatted` takes it; a text stays as it is except for its minus signs.

    Raises ValueError for a form that does not fit the value.
    """
    if not isinstance(value, str):
        text = formatted(value, form)
    elif form:
        raise ValueError(f"the form {form!r} needs a number, but the value is the text {value!r}")
    else:
        text = HYPHEN.sub(MINUS, value)
    return Markup(POWER.sub(_power, str(escape(text))))


def _power(match: re.Match[str]) -> str:
    exponent = match[1].translate(LOWERED).replace("-", MINUS)
    return f"&nbsp;×&nbsp;10<sup>{exponent}</sup>"
