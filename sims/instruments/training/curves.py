"""Curves of a run: what its records hold, over the steps at which they were made."""

from collections.abc import Sequence

import numpy as np

from sims.contract.bands import band
from sims.contract.frame import Quantity
from sims.engines.state import ANSWERS, Record

TRAINING = ("train_loss", "train_error")
"""The curves over the training set"""

LABELS = {
    "train_loss": ("training loss", "nats"),
    "train_error": ("training error", "share of wrong answers"),
    "test_loss": ("test loss", "nats"),
    "test_error": ("test error", "share of wrong answers"),
}
"""Name of a curve → its label and unit"""


def record_band(records: Sequence[Record], curve: str, name: str, words: str = "") -> dict[str, Quantity]:
    """One curve of `sims.engines.state.ANSWERS` as a band called `name`; `words` stand in front of its label."""
    label, unit = LABELS[curve]
    return band(np.stack([getattr(record, curve) for record in records]), name, words + label, unit, "record")


def record_bands(
    records: Sequence[Record], prefix: str = "", words: str = "", curves: Sequence[str] = ANSWERS
) -> dict[str, Quantity]:
    """Several curves as bands, each with `prefix` in front of its name and `words` in front of its label."""
    quantities: dict[str, Quantity] = {}
    for curve in curves:
        quantities |= record_band(records, curve, prefix + curve, words)
    return quantities


def record_medians(records: Sequence[Record], what: str) -> np.ndarray:
    """ "weight_gradients", "stream_gradients" or "activations", median of the seeds: (records, layers or places)."""
    medians: np.ndarray = np.median(np.stack([getattr(record, what) for record in records]), axis=1)
    return medians
