"""Predictions that are drawn: which axes are possible, and what reaches the page."""

import json
import re
from typing import Any

import pytest

from app.pages.document.drawn_curve import board, x_axis, y_axis
from app.pages.text.errors import BuildError
from tests.pages.markdown.test_prose import Elements, compiled, html

DRAW = """:::{{predict}} p-curve
type: draw
question: Draw it.
across: {{label: depth, values: [2, 8, 20]}}
up: {{label: error, from: 0, to: 1, format: "%"}}
answer: {answer}
because: So.
{more}:::
"""
ANSWER = '["{calc}`worked.default_block_gain(blocks=1)`", 0.5, 0.75]'


def test_the_page_knows_the_axes_and_the_measured_curve() -> None:
    markup = html(DRAW.format(answer=ANSWER, more="network: plain\n"))
    elements = Elements(markup)
    (section,) = elements.all("section", id="p-curve")
    (board,) = elements.all("div", class_="drawing-board")
    assert json.loads(section["data-answer"] or "") == pytest.approx([0.2357, 0.5, 0.75], abs=1e-4)
    assert json.loads(board["data-axes"] or "") == {
        "across": {"label": "depth", "values": [2, 8, 20], "logarithmic": False},
        "up": {"label": "error", "low": 0, "high": 1, "format": "%", "unit": "", "logarithmic": False},
    }
    assert board["data-network"] == "plain"


def test_the_measured_curve_is_a_table_for_readers_without_a_plot() -> None:
    markup = html(DRAW.format(answer=ANSWER, more=""))
    table = markup[markup.index("<table>") : markup.index("</table>")]
    assert re.findall(r"<th\b[^>]*>(.*?)</th>", table) == ["depth", "error, actual", "2", "8", "20"]
    assert re.findall(r"<td>(.*?)</td>", table) == ["24%", "50%", "75%"]


def test_a_point_that_is_still_being_computed_says_so() -> None:
    data = {
        "across": {"label": "depth", "values": [1, 2, 3]},
        "up": {"label": "error", "from": 1, "to": 9, "logarithmic": True, "unit": "nats"},
    }
    drawing = board(data, [1.0, None, 2.5])
    assert [row[1] for row in drawing.rows] == ["1", None, "2.5"]
    assert drawing.up == "error (nats)"


@pytest.mark.parametrize(
    ("answer", "more", "message"),
    [
        ("[0.5, 0.5]", "", "expected 3 numbers"),
        ("0.5", "", "expected 3 numbers"),
        ("[0.5, many, 0.5]", "", "neither a number"),
        ("[0.5, .nan, 0.5]", "", "is no number"),
        ("[0.5, 0.5, 0.5]", "network: dense\n", "network: expected plain or residual"),
        ("[0.5, 0.5, 0.5]", "unit: nats\n", "unknown: unit"),
    ],
)
def test_a_mistake_in_a_drawn_prediction_stops_the_build(answer: str, more: str, message: str) -> None:
    with pytest.raises(BuildError, match=message):
        compiled(DRAW.format(answer=answer, more=more))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"label": "depth"}, "across: values is missing"),
        ({"label": "depth", "values": [1, 2]}, "at least 3"),
        ({"label": "depth", "values": [1, "b", 3]}, "at least 3 numbers"),
        ({"label": "depth", "values": [1, 3, 3]}, "rise"),
        ({"label": "depth", "values": [0, 1, 2], "logarithmic": True}, "above zero"),
        ({"label": "depth", "values": [1, 2, 3], "color": 1}, "across: unknown: color"),
    ],
)
def test_values_across_rise(data: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        x_axis(data)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"from": 1, "to": 1}, "from is a number below to"),
        ({"from": "a", "to": 1}, "from is a number"),
        ({"from": 0, "to": 1, "logarithmic": True}, "above zero"),
        ({"from": 0, "to": 1, "format": "wide"}, "format is"),
        ({"from": 0, "to": float("inf")}, "from is a number"),
    ],
)
def test_the_scale_up_has_two_ends(more: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        y_axis({"label": "error", **more})
