"""Writes numbers as text, everywhere alike: 2 × 10⁻⁶ and not 2e-06, a true minus sign, words for NaN and infinity.

`app/static/shared/numbers.js` applies the same rules in the browser; a test checks both against the same texts.
"""

import math
import re

import numpy as np

MINUS = "\N{MINUS SIGN}"
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
SCIENTIFIC = re.compile(r"(?P<mantissa>-?[\d.,]+)e(?P<exponent>[+-]\d+)")
NOTHING = re.compile(r"-(?=[0.,]+$)")
"""The minus sign of a number that was rounded to zero; it is removed."""

LEAST, MOST = 1e-4, 1e5
"""Absolute values between them are written without a power of ten."""

EXACT = 10**12
"""Whole numbers below it are written with all their digits: they are counts, not measurements."""

GROUPED_FROM = 1000
SMALL_SHARE = 0.0995
"""Shares below it get a decimal: 9.9% and then 10%."""


_KEY = re.compile("([a-z]+)([0-9]{4})[a-z]?")
_TWO_AUTHORS = {"hesun": "He and Sun", "zhangsennrich": "Zhang and Sennrich"}
"""Keys that name two authors"""


def blocks(count: int) -> str:
    """Return for example "1 block" or "12 blocks"."""
    return f"{count} block" if count == 1 else f"{number(count)} blocks"


def number(value: float, digits: int = 3) -> str:
    """Return a value with `digits` significant digits, without trailing zeros; whole numbers are written in full.

    Thousands are separated by commas; very large and very small values get a power of ten.
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
    """As `number`, but a zero is called exact, to tell it from values that only come near it."""
    return "exactly 0" if value == 0 else number(value, digits)


def extent(values: np.ndarray, digits: int = 2) -> str:
    """Return the lowest and the highest of several values, or the one text that both have."""
    low, high = (exact_or(float(end), digits) for end in (values.min(), values.max()))
    return low if low == high else f"{low} to {high}"


def formatted(value: float, form: str = "") -> str:
    """Return a value in a form: `%` for a share as a percentage, else one of Python's `format`; by default four digits.

    Raises ValueError for a form that does not fit the value.
    """
    if form == "%":
        return percent(value)
    if not form:
        return number(value, 4)
    if not math.isfinite(value):
        return _not_finite(value)
    # In scientific form, a zero would read 0.0 × 10⁰.
    text = format(value, "g" if value == 0 and form.endswith("e") else form)
    return _signed(SCIENTIFIC.sub(_power, text))


def percent(share: float) -> str:
    """Return a share as a percentage for readers: one decimal below 10 %, none above."""
    hundredths = 100 * share
    if not math.isfinite(hundredths):
        return _not_finite(hundredths)
    return _signed(f"{hundredths:.{1 if abs(share) < SMALL_SHARE else 0}f}") + "%"


def times_as_large(factor: float, digits: int = 2) -> str:
    """Return how large something is, compared with something else: "3 times as large" or "just as large"."""
    text = number(factor, digits)
    return "just as large" if text == "1" else f"{text} times as large"


def cited(key: str) -> str:
    """Return a key of the references as its authors and year: "he2015" is "He 2015"."""
    authors, year = _KEY.fullmatch(key).groups()  # type: ignore[union-attr]
    return f"{_TWO_AUTHORS.get(authors, authors.capitalize())} {year}"


def vector(values: np.ndarray, form: str = ".4g") -> str:
    """Return a vector as [0.5, −0.3]; a matrix with semicolons between its rows, [1, 0; 0, 1]."""
    rows = np.atleast_2d(values).tolist()
    return "[" + "; ".join(", ".join(formatted(value, form) for value in row) for row in rows) + "]"


def power_of_ten(exponent: int) -> str:
    """10⁻⁶ for −6."""
    return f"10{str(exponent).translate(RAISED)}"


def tick(exponent: int) -> str:
    """Return the label of a power of ten on a logarithmic axis: a plain number near 1, else with a raised exponent."""
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
