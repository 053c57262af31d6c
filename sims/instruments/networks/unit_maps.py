"""What single units compute all over the plane, and what they can be fed, as bytes: small maps beside the answers."""

from dataclasses import replace

import numpy as np

from sims.data.input_features import FUNCTIONS, as_fed, computed
from sims.engines.perceptrons import TrainingState, layer_values
from sims.instruments.networks.decision_map import grid

SIDE, MOST = 20, 9
"""Points along each side of a map, and units of a layer that are looked at"""

FEATURE_SIDE = 16
"""Points along each side of the map of something that is fed"""

BROKEN, REST = 0, 128
"""The byte of a value that is no finite number, and that of exactly zero"""


def unit_maps(state: TrainingState, reach: float) -> np.ndarray:
    """Maps (layers but the last, units, SIDE, SIDE) of the first seed: what a layer's first units, MOST at most, give
    after its norm and activation, row by row from the lowest.

    A byte is REST + 127 · value / largest size of this unit over the plane, so that maps of different units do not tell
    which is louder.
    """
    first = replace(state, seeds=state.seeds[:1], parameters=state.parameters[:1])
    values = layer_values(first, as_fed(state.source, grid(reach, SIDE)))[:, :MOST].astype(np.float64)
    return _as_bytes(values, SIDE)


def feature_maps(reach: float) -> np.ndarray:
    """Maps (functions, FEATURE_SIDE, FEATURE_SIDE) of what a network can be fed, as bytes of the same kind."""
    return _as_bytes(computed(grid(reach, FEATURE_SIDE), tuple(FUNCTIONS)).T.astype(np.float64), FEATURE_SIDE)


def _as_bytes(values: np.ndarray, side: int) -> np.ndarray:
    """Maps (…, side, side) of units with values (…, side²)."""
    finite = np.isfinite(values)
    largest = np.where(finite, np.abs(values), 0).max(axis=-1, keepdims=True)
    share = np.where(finite, values, 0) / np.where(largest > 0, largest, 1)
    bytes_ = np.where(finite, REST + np.rint(127 * share), BROKEN).astype(np.uint8)
    return bytes_.reshape(*values.shape[:-1], side, side)
