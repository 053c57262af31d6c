"""What single units compute all over the plane, as bytes: the small maps behind the answers of a network."""

from dataclasses import replace

import numpy as np

from sims.engines.perceptrons import TrainingState, layer_values
from sims.instruments.decision_map import grid

SIDE, MOST = 20, 9
"""Points along each side of a map, and units of a layer that are looked at"""

BROKEN, REST = 0, 128
"""The byte of a value that is no finite number, and that of exactly zero"""


def unit_maps(state: TrainingState, reach: float) -> np.ndarray:
    """Maps (layers but the last, units, SIDE, SIDE) of the first seed: what a layer's first units, MOST at most, give
    after its norm and activation, row by row from the lowest.

    A byte is REST + 127 · value / largest size of this unit over the plane, so that maps of different units do not tell
    which is louder.
    """
    first = replace(state, seeds=state.seeds[:1], parameters=state.parameters[:1])
    values = layer_values(first, grid(reach, SIDE))[:, :MOST].astype(np.float64)
    finite = np.isfinite(values)
    largest = np.where(finite, np.abs(values), 0).max(axis=2, keepdims=True)
    share = np.where(finite, values, 0) / np.where(largest > 0, largest, 1)
    bytes_ = np.where(finite, REST + np.rint(127 * share), BROKEN).astype(np.uint8)
    return bytes_.reshape(*values.shape[:2], SIDE, SIDE)
