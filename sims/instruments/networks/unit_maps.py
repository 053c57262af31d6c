"""Maps of what single units compute over the plane, and of the network's possible input features, as bytes."""

from dataclasses import replace

import numpy as np

from sims.data.input_features import FUNCTIONS, as_fed, computed
from sims.engines.perceptrons import TrainingState, layer_values
from sims.instruments.networks.decision_map import grid

SIDE, MOST = 20, 9
"""Points along each side of a map, and the most units of a layer that are mapped"""

FEATURE_SIDE = 16
"""Points along each side of the map of an input feature"""

BROKEN, REST = 0, 128
"""The byte of a value that is not finite, and that of exactly zero"""


def unit_maps(state: TrainingState, reach: float) -> np.ndarray:
    """Maps (layers but the last, units, SIDE, SIDE) of the first seed: the outputs of a layer's first units, MOST at
    most, after its norm and activation, row by row from the lowest.

    A byte is REST + 127 · value / largest size of this unit over the plane, so that sizes of different units cannot be
    compared.
    """
    first = replace(state, seeds=state.seeds[:1], parameters=state.parameters[:1])
    values = layer_values(first, as_fed(state.source, grid(reach, SIDE)))[:, :MOST].astype(np.float64)
    return _as_bytes(values, SIDE)


def feature_maps(reach: float) -> np.ndarray:
    """Maps (functions, FEATURE_SIDE, FEATURE_SIDE) of the possible input features, as bytes of the same kind."""
    return _as_bytes(computed(grid(reach, FEATURE_SIDE), tuple(FUNCTIONS)).T.astype(np.float64), FEATURE_SIDE)


def _as_bytes(values: np.ndarray, side: int) -> np.ndarray:
    """Maps (…, side, side) of units with values (…, side²)."""
    finite = np.isfinite(values)
    largest = np.where(finite, np.abs(values), 0).max(axis=-1, keepdims=True)
    share = np.where(finite, values, 0) / np.where(largest > 0, largest, 1)
    bytes_ = np.where(finite, REST + np.rint(127 * share), BROKEN).astype(np.uint8)
    return bytes_.reshape(*values.shape[:-1], side, side)
