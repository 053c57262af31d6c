"""Numbers as text, the same way everywhere: 2 × 10⁻⁶ and not 2e-06, a true minus sign, words where there is no number.

`app/static/shared/numbers.js` has the same rules for what a page writes by itself; a test holds both to the same texts.
"""

import math
import re

import numpy as np

MINUS = "\N{MINUS SIGN}"
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
SCIENTIFIC = re.compile(r"(?P<mantissa>-?[\d.,]+)e(?P<exponent>[+-]\d+)")
NOTHING = re.compile(r"-(?=[0.,]+$)")
"""The sign of a number that was rounded to zero."""

LEAST, MOST = 1e-4, 1e5
"""Sizes between them are written without a power of ten."""

EXACT = 10**12
"""Whole numbers below it are written with all their digits: they are counts, and nothing was measured."""

GROUPED_FROM = 1000
SMALL_SHARE = 0.0995
"""Shares below it get a decimal: 9.9% and then 10%."""


def blocks(count: int) -> str:
    """So many blocks."""
    return f"{count} block" if count == 1 else f"{number(count)} blocks"


def number(value: float, digits: int = 3) -> str:
    """A value with so many significant digits, without trailing zeros; whole numbers are written in full.

    Thousands are set apart by a comma; very large and very small ones get a power of ten.
    """
    if not math.isfinite(value):
        return _not_finite(value)
    if abs(value) < EXACT and value == int(value):
        return _signed(_grouped(int(value), 0))
    mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    rounded = float(f"{mantissa}e{exponent}")
    if LEAST <= abs(rounded) < MOST:
        return _signed(_stripped(_grouped(rounded, max(digits - 1 - int(exponent), 0))))
    return _signed(f"{_stripped(mantissa)} × {power_of_ten(int(exponent))}")


def exact_or(value: float, digits: int = 2) -> str:
    """As `number`; but a zero, which others only come near to, is said to be exact."""
    return "exactly 0" if value == 0 else number(value, digits)


def formatted(value: float, form: str = "") -> str:
    """A value in a form: `%` for a share as a percentage, else as Python's `format` takes it, four digits without one.

    Raises ValueError for a form that does not fit the value.
    """
    if form == "%":
        return percent(value)
    if not form:
        return number(value, 4)
    if not math.isfinite(value):
        return _not_finite(value)
    text = format(value, "g" if value == 0 and form.endswith("e") else form)
    return _signed(SCIENTIFIC.sub(_power, text))


def percent(share: float) -> str:
    """A share as a reader's percentage: one decimal below 10 %, none above."""
    hundredths = 100 * share
    if not math.isfinite(hundredths):
        return _not_finite(hundredths)
    return _signed(f"{hundredths:.{1 if abs(share) < SMALL_SHARE else 0}f}") + "%"


def vector(values: np.ndarray, form: str = ".4g") -> str:
    """[0.5, −0.3]; of a matrix the rows, with semicolons between them: [1, 0; 0, 1]."""
    rows = np.atleast_2d(values).tolist()
    return "[" + "; ".join(", ".join(formatted(value, form) for value in row) for row in rows) + "]"


def power_of_ten(exponent: int) -> str:
    """10⁻⁶ for −6."""
    return f"10{str(exponent).translate(RAISED)}"


def tick(exponent: int) -> str:
    """What a logarithmic axis writes beside a power of ten: as it is near 1, and raised farther away."""
    return number(10.0**exponent) if abs(exponent) <= 3 else power_of_ten(exponent)


def _not_finite(value: float) -> str:
    return "not a number" if math.isnan(value) else "infinity" if value > 0 else "minus infinity"


def _grouped(value: float, places: int) -> str:
    return format(value, f"{',' if abs(value) >= GROUPED_FROM else ''}.{places}f")


def _stripped(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def _power(match: re.Match[str]) -> str:
    exponent = int(match["exponent"])
    return f"{match['mantissa']} × {power_of_ten(exponent)}" if exponent else match["mantissa"]


def _signed(text: str) -> str:
    return NOTHING.sub("", text).replace("-", MINUS)
