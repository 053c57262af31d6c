"""Which layers get a gradient of about the same size as the other layers."""

import numpy as np

FACTOR = 10.0
"""Within this factor of the median, a gradient counts as level with the others."""

LEVEL, WEAK, STRONG, ZERO = "level", "weak", "strong", "zero"
KINDS = (LEVEL, WEAK, STRONG, ZERO)


def health(norms: np.ndarray) -> np.ndarray:
    """Classify each gradient norm; returns an array of texts of the same shape. The last axis runs along the network.

    Norms are measured against the median of those that are not exactly zero. A norm that is not finite is "strong".
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = norms / middle(norms)[..., None]
    kinds = np.full(norms.shape, LEVEL, dtype="<U6")
    kinds[ratio < 1 / FACTOR] = WEAK
    kinds[(ratio > FACTOR) | ~np.isfinite(norms)] = STRONG
    kinds[norms == 0] = ZERO
    return kinds


def middle(norms: np.ndarray) -> np.ndarray:
    """The median along the last axis, (…), of the norms (…, n) that are finite and not zero; 1 if there are none."""
    counted = np.where(np.isfinite(norms) & (norms > 0), norms, np.nan)
    empty = np.isnan(counted).all(axis=-1, keepdims=True)
    return np.nanmedian(np.where(empty, 1.0, counted), axis=-1)
