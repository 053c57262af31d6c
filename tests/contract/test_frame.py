"""Frames keep names, units and axes through every export."""

import csv
import io
import json
import math

import numpy as np
import pytest

from sims.contract.frame import Divergence, Frame, Quantity


@pytest.fixture
def frame() -> Frame:
    return Frame(
        {
            "loss": Quantity(np.array([1.5, np.inf]), "loss", "nats", ("step",)),
            "error": Quantity(np.array([0.5, np.nan]), "error", "share", ("step",)),
            "map": Quantity(np.arange(6).reshape(2, 3), "height", "relative", ("row", "column")),
        },
        {"final": np.float32(2.5)},
        step=2,
        steps=4,
        diverged=(Divergence(2, "loss", "It grew.", "Try less."),),
    )


def test_an_array_has_a_name_for_every_dimension() -> None:
    with pytest.raises(ValueError, match="2 dimensions"):
        Quantity(np.zeros((2, 2)), "square", axes=("row",))


def test_quantities_over_the_same_axes_share_a_table(frame: Frame) -> None:
    assert [table.header for table in frame.tables()] == [
        ("step", "loss [nats]", "error [share]"),
        ("row", "column", "height [relative]"),
    ]
    assert list(frame.tables()[1].rows())[4] == (1, 1, 4)


def test_csv_has_every_value_behind_its_comment(frame: Frame) -> None:
    text = frame.csv("First\nsecond")
    assert text.startswith("# First\n# second\nstep,loss [nats]")
    rows = list(csv.reader(io.StringIO(text)))
    assert ["1", "inf", "nan"] in rows
    assert ["1", "2", "5"] in rows


def test_pandas_has_every_table_under_its_axes(frame: Frame) -> None:
    losses, heights = frame.to_pandas()
    assert losses.index.name == "step"
    assert losses["loss [nats]"].tolist() == [1.5, math.inf]
    assert heights.index.names == ["row", "column"]
    assert heights.loc[(1, 1), "height [relative]"] == 4
    assert losses.attrs == {"final": 2.5}


def test_pandas_takes_numbers_without_axes() -> None:
    (alone,) = Frame({"loss": Quantity(np.float64(0.5), "loss", "nats")}).to_pandas()
    assert alone.to_dict("list") == {"loss [nats]": [0.5]}


def test_json_is_strict_and_keeps_what_is_not_finite_as_words(frame: Frame) -> None:
    read = json.loads(frame.json(), parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert read["quantities"]["loss"] == {"label": "loss", "unit": "nats", "axes": ["step"], "values": [1.5, "inf"]}
    assert read["results"] == {"final": 2.5}
    assert read["diverged"][0]["what_to_try"] == "Try less."


def test_a_run_is_finished_at_its_last_step(frame: Frame) -> None:
    assert not frame.finished
    assert Frame({}, step=4, steps=4).finished


def test_a_divergence_reads_as_sentences(frame: Frame) -> None:
    assert frame.diverged[0].sentences() == "Step 2: the loss overflowed. It grew. Try less."
