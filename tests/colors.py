"""How colors are seen: the contrast of WCAG 2.2."""

import numpy as np

TEXT_CONTRAST, SHAPE_CONTRAST = 4.5, 3.0
"""What success criteria 1.4.3 and 1.4.11 ask for"""

BRIGHTNESS = np.array([0.2126, 0.7152, 0.0722])


def values(color: str) -> np.ndarray:
    """Red, green and blue of #rrggbb, 0 to 1."""
    return np.array([int(color[at : at + 2], 16) for at in (1, 3, 5)]) / 255


def linear(color: np.ndarray) -> np.ndarray:
    """The same in linear light."""
    return np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)


def contrast(one: np.ndarray, other: np.ndarray) -> float:
    low, high = sorted(float(BRIGHTNESS @ linear(color)) for color in (one, other))
    return (high + 0.05) / (low + 0.05)
