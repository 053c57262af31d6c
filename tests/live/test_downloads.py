"""What a reader takes home says where it comes from, and holds every number as it was computed."""

import io
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from app.live.downloads import FORMATS, ROWS, reply
from app.pages.data.changelog import AUTHORS
from app.pages.files.sources import Sources
from sims.contract.frame import Divergence, Frame, Quantity
from sims.simulations.depth.published import Published
from tests.exports import assert_csv_holds, assert_json_holds, assert_npz_holds, assert_tables_hold, tables_in_csv

RANDOM = np.random.default_rng(0)
FRAME = Frame(
    {
        "double": Quantity(RANDOM.normal(size=(3, 2)) * [1e-300, 1e300], "doubles", "nats", ("row", "column")),
        "single": Quantity(RANDOM.normal(size=(3, 2)).astype(np.float32), "singles", "relative", ("row", "column")),
        "strange": Quantity(np.array([np.nan, np.inf, -np.inf, -0.0, 5e-324]), "strange", "relative", ("place",)),
        "count": Quantity(np.arange(5) * 2**61, "counts", "numbers", ("place",)),
        "name": Quantity(np.array(["a, b", 'with "quotes"', "two\nlines", "ünï", ""]), "names", "text", ("place",)),
        "flag": Quantity(np.array([True, False]), "flags", "", ("other place",)),
        "alone": Quantity(np.float64(0.1) + 0.2, "alone"),
        "nothing": Quantity(np.empty(0), "nothing", "relative", ("step",)),
    },
    {"share": np.float32(0.1), "none": float("nan"), "words": "fine", "many": np.int64(3)},
    step=3,
    steps=7,
    diverged=(Divergence(2, "loss", "A cause.", "Try this."),),
)


def content(kind: str, frame: Frame) -> Any:
    return reply(kind, Published(), frame)["content"]


def test_a_download_begins_with_its_settings_and_its_disclosure() -> None:
    simulation = Published(folklore=True)
    answer = reply("csv", simulation, simulation.compute())
    assert (answer["file"], answer["type"]) == ("published-folklore-yes.csv", "text/csv")
    assert "# Settings: table = cifar10, folklore = True" in answer["content"]
    assert "# It cannot show: Training errors" in answer["content"]
    assert "ResNet-110" in answer["content"]


def test_every_file_says_what_it_shows_where_it_is_from_and_under_which_license() -> None:
    simulation = Published(folklore=True)
    frame = simulation.compute()
    head, _tables = tables_in_csv(str(reply("csv", simulation, frame)["content"]))
    with np.load(io.BytesIO(reply("npz", simulation, frame)["content"])) as archive:
        packed = json.loads(archive["about"].item())
    read = json.loads(reply("json", simulation, frame)["content"])
    assert head == read["provenance"].split("\n") == packed["provenance"].split("\n")
    assert (head[0], head[1]) == (Published.title(), simulation.describe(frame))
    assert head[-1] == f"Source: {Sources().title()}, © {AUTHORS}, CC BY 4.0"
    assert read["settings"] == packed["settings"] == {"table": "cifar10", "folklore": True}


def whatever_it_holds() -> Frame:
    """`FRAME` with what `describe` of the simulation asks for."""
    real = Published().compute()
    return replace(FRAME, quantities={**real.quantities, **FRAME.quantities}, results={**real.results, **FRAME.results})


def test_every_kind_of_number_comes_back_from_every_download() -> None:
    frame = whatever_it_holds()
    assert_csv_holds(content("csv", frame), frame)
    assert_json_holds(content("json", frame), frame)
    assert_npz_holds(content("npz", frame), frame)


def test_an_archive_has_the_settings_and_says_what_its_arrays_are() -> None:
    simulation = Published(folklore=True)
    with np.load(io.BytesIO(reply("npz", simulation, simulation.compute())["content"])) as archive:
        about = json.loads(archive["about"].item())
    assert about["settings"] == {"table": "cifar10", "folklore": True}
    assert about["quantities"]["depth"]["axes"]
    assert about["provenance"].startswith(simulation.title())


@pytest.mark.parametrize("kind", FORMATS)
def test_a_file_has_the_name_and_the_type_of_its_format(kind: str) -> None:
    answer = reply(kind, Published(), Published().compute())
    assert answer["file"] == f"published.{FORMATS[kind].ending}"
    assert answer["type"] == FORMATS[kind].content_type
    assert type(answer["content"]) in (str, bytes)


@pytest.mark.parametrize("name", ["double", "single", "strange", "count", "name", "flag", "alone"])
def test_a_wrong_number_in_a_download_is_noticed(name: str) -> None:
    frame = whatever_it_holds()
    texts = content("csv", frame), content("json", frame), content("npz", frame)
    quantity = frame.quantities[name]
    wrong = quantity.values[::-1] if quantity.values.ndim else quantity.values + 1e-16 * 2
    assert not np.array_equal(wrong, quantity.values)
    other = replace(frame, quantities={**frame.quantities, name: replace(quantity, values=wrong)})
    with pytest.raises(AssertionError):
        assert_csv_holds(texts[0], other)
    with pytest.raises(AssertionError):
        assert_json_holds(texts[1], other)
    with pytest.raises(AssertionError):
        assert_npz_holds(texts[2], other)


def test_a_table_has_the_numbers_of_the_file_is_cut_and_says_by_how_much(monkeypatch: pytest.MonkeyPatch) -> None:
    simulation = Published()
    frame = simulation.compute()
    monkeypatch.setattr("app.live.downloads.ROWS", 2)
    tables = reply("table", simulation, frame)["tables"]
    assert_tables_hold(tables, content("csv", frame), 2)
    assert len(tables[0]["rows"]) == 2
    assert tables[0]["left_out"] == len(frame["depth"]) - 2
    assert ROWS >= 100


def test_the_comments_of_a_file_are_its_head() -> None:
    head, tables = tables_in_csv(content("csv", Published().compute()))
    assert head[0] == Published.title()
    assert head[-2].startswith("It cannot show: ")
    assert len(tables) == 1
