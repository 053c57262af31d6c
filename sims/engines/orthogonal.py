"""Random orthogonal matrices."""

import numpy as np


def orthogonal(shape: tuple[int, int], random: np.random.Generator) -> np.ndarray:
    """Draw a matrix of this shape with orthonormal rows, or columns if there are fewer, uniformly among all such
    matrices (Saxe et al. 1312.6120)."""
    rows, columns = shape
    q, r = np.linalg.qr(random.normal(size=(max(shape), min(shape))))
    # The signs of r make the distribution uniform: QR alone prefers some signs.
    q *= np.sign(np.diag(r))
    return q if rows >= columns else q.T
