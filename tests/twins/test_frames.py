"""A browser without a server writes frames of every form as Python does; the figures that it trains have but a few."""

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from sims.contract.frame import Divergence, Frame, Quantity, finite
from tests.twins.runs import results_and_steps

COMMENT = "A title\nDepth = 20, width = 8"
AWKWARD = (
    *(0.0, -0.0, 1.0, -2.5, 0.1 + 0.2, 100.0, 1e15, 1e16, 123456789012345.6, 1234567890123456.7, 12345678901234567.8),
    *(1e-4, 0.00012345, -0.000099, 9.999e-5, 1e-5, 1e22, 1e23, 5e-324, 1.7976931348623157e308, 1 / 3, -1 / 3),
    *(math.nan, math.inf, -math.inf),
)


def frames() -> list[Frame]:
    random = np.random.default_rng(0)
    sizes = 10.0 ** random.integers(-30, 30, 300).astype(float)
    quantities = {
        "counts": Quantity(np.arange(6).reshape(2, 3), "how many, in all", "relative", ("row", "column")),
        "cube": Quantity(random.normal(size=(2, 3, 2)), 'a "cube" − ∂L/∂h 𝄞', "nats", ("row", "column", "side")),
        "same": Quantity(random.normal(size=(2, 3)), "of the same form", "", ("row", "column")),
        "one": Quantity(np.array(0.5), "a single value", "relative"),
        "awkward": Quantity(np.array(AWKWARD), "awkward", "relative", ("place",)),
        "sizes": Quantity(random.normal(size=300) * sizes, "of all sizes", "relative", ("place",)),
        "none": Quantity(np.empty(0), "nothing", "relative", ("place",)),
    }
    divergence = Divergence(3, "loss", "It overshot:\n“twice”.", "Try less.")
    results = {"depth": 20, "error": 0.0, "gain": 1e-7}
    return [Frame(quantities, results, 3, 600, (divergence,)), Frame({}, {}, 0, 1)]


def as_data(frame: Frame) -> dict[str, Any]:
    return {
        "quantities": {
            name: {
                "kind": "int" if quantity.values.dtype.kind == "i" else "float",
                "values": [wired(value) for value in quantity.values.reshape(-1).tolist()],
                "shape": quantity.values.shape,
                "label": quantity.label,
                "unit": quantity.unit,
                "axes": quantity.axes,
            }
            for name, quantity in frame.quantities.items()
        },
        **results_and_steps(frame),
    }


def wired(value: float) -> object:
    return "-0" if value == 0 and math.copysign(1, value) < 0 else finite(value)


def test_tables_and_files_are_python_s() -> None:
    request = json.dumps({"comment": COMMENT, "frames": [as_data(frame) for frame in frames()]})
    command = [Path(sys.executable).with_name("node"), Path(__file__).with_name("frames.js")]
    done = subprocess.run(command, input=request, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for frame, twin in zip(frames(), json.loads(done.stdout), strict=True):
        assert twin["headers"] == [list(table.header) for table in frame.tables()]
        assert twin["csv"] == frame.csv(COMMENT)
        assert twin["json"] == frame.json()
