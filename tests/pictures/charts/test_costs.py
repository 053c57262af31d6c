"""Three prices per network; a time that was not measured is said to be missing, never drawn as nothing."""

from typing import Any

import numpy as np

from app.pictures.charts.costs import Costs
from sims.contract.frame import Frame, Quantity


def texts(figure: Any) -> list[str]:
    return [text for renderer in figure.renderers for text in renderer.data_source.data.get("text", [])]


def test_prices_are_in_their_units_and_a_missing_time_is_in_words() -> None:
    frame = Frame(
        {
            "parameters": Quantity(np.array([17_100, 34_000]), "parameters", "numbers", ("variant",)),
            "kept": Quantity(np.array([270_000, 400_000]), "kept", "bytes", ("variant",)),
        },
        {"gated_milliseconds": 0.75},
    )
    costs = Costs()
    costs.show(frame, {"plain": "plain", "gated": "highway"})
    assert [texts(figure) for figure in costs.figures] == [
        ["17.1", "34.0"],
        ["0.27", "0.40"],
        ["not measured", "0.75"],
    ]
