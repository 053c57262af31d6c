"""Curves of a run: the values in its records, over the steps at which they were recorded."""

from collections.abc import Sequence

import numpy as np

from sims.contract.bands import band
from sims.contract.frame import Quantity
from sims.engines.state import ANSWERS, Record

TRAINING = ("train_loss", "train_error")
"""The curves over the training set"""

LABELS = {
    "train_loss": "training loss",
    "train_error": "training error",
    "test_loss": "test loss",
    "test_error": "test error",
}
UNITS = {
    "train_loss": "nats",
    "train_error": "share of wrong answers",
    "test_loss": "nats",
    "test_error": "share of wrong answers",
}
"""Name of a curve → its unit"""


def record_band(records: Sequence[Record], curve: str, name: str, label: str = "") -> dict[str, Quantity]:
    """One curve of `sims.engines.state.ANSWERS` as a band called `name`; `label` is the start of its label."""
    values = np.stack([getattr(record, curve) for record in records])
    return band(values, name, label + LABELS[curve], UNITS[curve], "record")


def record_bands(
    records: Sequence[Record], prefix: str = "", label: str = "", curves: Sequence[str] = ANSWERS
) -> dict[str, Quantity]:
    """Several curves as bands; their names begin with `prefix` and their labels with `label`."""
    quantities: dict[str, Quantity] = {}
    for curve in curves:
        quantities |= record_band(records, curve, prefix + curve, label)
    return quantities


def record_medians(records: Sequence[Record], what: str) -> np.ndarray:
    """The median over the seeds of "weight_gradients", "stream_gradients" or "activations": (records, layers or
    places)."""
    medians: np.ndarray = np.median(np.stack([getattr(record, what) for record in records]), axis=1)
    return medians
