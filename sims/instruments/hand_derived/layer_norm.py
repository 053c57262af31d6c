"""Layer norm and its gradient in plain NumPy, without a gain or a shift: over the last axis."""

import numpy as np

from sims.engines.kernels.norms import EPSILON


def normalized(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """LN(x), with the shape (..., width) and precision of x, and 1/σ of every vector, (..., 1)."""
    centered = x - x.mean(axis=-1, keepdims=True)
    scale = 1 / np.sqrt((centered * centered).mean(axis=-1, keepdims=True) + EPSILON)
    return centered * scale, scale


def norm_back(gradient: np.ndarray, normal: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """The gradient (..., width) of the norm's input, from the gradient of LN(x) and the results of `normalized`."""
    level = gradient.mean(axis=-1, keepdims=True)
    along = (gradient * normal).mean(axis=-1, keepdims=True)
    back: np.ndarray = (gradient - level - normal * along) * scale
    return back
