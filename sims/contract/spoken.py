"""Numbers as a sentence has them: no e-notation, a true minus sign, and zero said to be exact."""

import math

SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def spoken(value: float, digits: int = 2) -> str:
    """A number with that many significant digits; powers of ten where plain digits would be hard to read."""
    if not math.isfinite(value):
        return "no finite number"
    if value == 0:
        return "exactly 0"
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    power = int(exponent)
    if not -4 < power < 5:
        return f"{mantissa} × 10{str(power).translate(SUPERSCRIPT)}".replace("-", "−")
    return f"{float(f'{mantissa}e{power}'):.{max(digits - 1 - power, 0)}f}".replace("-", "−")
