"""Where the initial weights of square layers are, seen from the two matrices with which a layer does nothing: zero with
a plus sign, the identity without."""

import numpy as np

from sims.contract.calculation import Number, calculation

LAYERS, WIDTH = 20, 16
"""The stack that learns to copy"""

TARGETS = {"residual": 0.0, "plain": 1.0}
"""Kind of layer → how much of the identity its weights hold when it does nothing; they hold nothing else."""


def places(initialization: str) -> np.ndarray:
    """A point for each layer of an untrained stack: how much of the identity its weights W hold, and the size of the
    rest, (layers, 2).

    The first coordinate is a = trace(W) / width, the second ‖W − a·I‖ / ‖I‖, so the distance to every multiple of the
    identity is exact, in units of ‖I‖. `initialization` is "default" (PyTorch's linear layers: uniform within
    ±1/√width) or "small" (normal, with a tenth of Xavier's standard deviation 1/√width). The weights are those of the
    first seed of the simulation `identity`.

    Raises ValueError for an initialization other than "default" and "small".
    """
    random, shape, spread = np.random.default_rng((0, 0)), (LAYERS, WIDTH, WIDTH), WIDTH**-0.5
    match initialization:
        case "default":
            weights = random.uniform(-spread, spread, shape)
        case "small":
            weights = random.normal(0, 0.1 * spread, shape)
        case _:
            raise ValueError(f"expected default or small, not {initialization}")
    along = np.trace(weights, axis1=1, axis2=2) / WIDTH
    rest = weights - along[:, None, None] * np.eye(WIDTH)
    return np.stack([along, np.linalg.norm(rest, axis=(1, 2)) / np.sqrt(WIDTH)], axis=1)


@calculation
def distance(initialization: str, kind: str) -> Number:
    """Distance of an untrained layer from the weights with which it does nothing, in units of ‖I‖; median over the
    layers. `kind` is "plain" or "residual"."""
    return float(np.median(np.linalg.norm(places(initialization) - [TARGETS[kind], 0], axis=1)))
