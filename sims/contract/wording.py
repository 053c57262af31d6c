"""Numbers in a sentence that cannot hold markup: 1.4 × 10⁷ instead of 1.4e+07, and 1 block instead of 1 blocks."""

import math

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
LEAST, MOST = 1e-3, 1e5
"""Sizes between them are written out."""


def blocks(count: int) -> str:
    """So many blocks."""
    return f"{count} block" if count == 1 else f"{count} blocks"


def number(value: float, digits: int = 3) -> str:
    """A value with so many significant digits, a true minus sign, and a power of ten if it is very large or small."""
    if value == 0:
        return "0"
    if not math.isfinite(value):
        return "not a number" if math.isnan(value) else "infinity"
    if LEAST <= abs(value) < MOST:
        rounded = float(f"{value:.{digits - 1}e}")
        text = f"{rounded:,.0f}" if abs(rounded) >= 10 ** (digits - 1) else f"{rounded:.{digits}g}"
    else:
        mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
        text = f"{mantissa.rstrip('0').rstrip('.')} × 10{str(int(exponent)).translate(RAISED)}"
    return text.replace("-", "\N{MINUS SIGN}")
