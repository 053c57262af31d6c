"""The costs of several networks: three figures with a lane for each network."""

from collections.abc import Mapping

import numpy as np
from bokeh.plotting import figure

from app.pictures.charts.lanes import Lanes
from sims.contract.frame import Frame


class Costs:
    """Parameters, kept activations and measured time per step."""

    def __init__(self) -> None:
        self._lanes = {
            "parameters": Lanes("Parameters", "thousands", {"bar": "soft"}),
            "kept": Lanes("Kept for the backward pass", "megabytes of activations", {"bar": "soft"}),
            "time": Lanes("Time per step of one seed", "milliseconds of processor time", {"bar": "soft"}),
        }

    @property
    def figures(self) -> list[figure]:
        """The three figures, in reading order."""
        return [lane.figure for lane in self._lanes.values()]

    def show(self, frame: Frame, labels: Mapping[str, str]) -> None:
        """Move the data: the frame's `parameters` and `kept`, and its result `<name>_milliseconds` if it has one.

        `labels`: name of a network → its label, in the frame's order.
        """
        times = np.array([frame.results.get(f"{name}_milliseconds", np.nan) for name in labels], float)
        for key, values, form in (
            ("parameters", frame["parameters"] / 1e3, "{:.1f}"),
            ("kept", frame["kept"] / 1e6, "{:.2f}"),
            ("time", times, "{:.2f}"),
        ):
            texts = [form.format(value) if np.isfinite(value) else "not measured" for value in values]
            self._lanes[key].show(list(labels.values()), values, texts, ["bar"] * len(labels))
