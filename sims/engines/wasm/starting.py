"""What a browser needs to start a run by itself: the tables of NumPy's generator, data sets, and a text."""

import json

import numpy as np

# NumPy does not export the tables of its ziggurat; Numba has copied them from its source.
from numba.np.random._constants import fi_double, ki_double, wi_double, ziggurat_nor_inv_r, ziggurat_nor_r

from sims.data.datasets import FOLDER, source

DATA = ("teacher", "digits", "digits_plane")
"""Names of the data sets"""

WORDS = "own_words.txt"
"""The lines that language models learn from (`sims.data.own_words`)"""


def starting() -> dict[str, bytes]:
    """Return all files by name: `ziggurat.json`, `data.json`, `own_words.txt` and, for each data set, its numbers.

    A data set is the training inputs (features, points), the test inputs (features, points), both of single precision,
    the training labels and the test labels, one byte each. The kernels want points in columns.
    """
    files, described = {"ziggurat.json": _json(ziggurat()), WORDS: (FOLDER / WORDS).read_bytes()}, {}
    for name in DATA:
        data = source(name).load()
        inputs = [np.ascontiguousarray(points.T) for points in (data.train_inputs, data.test_inputs)]
        labels = [values.astype(np.uint8) for values in (data.train_labels, data.test_labels)]
        files[f"{name}.bin"] = b"".join(array.tobytes() for array in (*inputs, *labels))
        described[name] = {
            "features": data.features,
            "classes": data.classes,
            "train": len(data.train_labels),
            "test": len(data.test_labels),
        }
    return files | {"data.json": _json(described)}


def ziggurat() -> dict[str, object]:
    """Return the tables for normal numbers (Marsaglia & Tsang 2000), 256 entries each, and where the tail begins."""
    return {
        "widths": [float(value) for value in wi_double],
        # Below 2⁵², so that a number of JavaScript holds them.
        "limits": [int(value) for value in ki_double],
        "heights": [float(value) for value in fi_double],
        "tail": float(ziggurat_nor_r),
        "inverse": float(ziggurat_nor_inv_r),
    }


def _json(data: object) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode()
