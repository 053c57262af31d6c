"""What a reader takes home says where it comes from."""

import json

import pytest

from app.live.downloads import ROWS, reply
from sims.simulations.published import Published


def test_a_download_begins_with_its_settings_and_its_honesty() -> None:
    simulation = Published(folklore=True)
    answer = json.loads(reply("csv", 3, simulation, simulation.compute()))
    assert (answer["n"], answer["do"], answer["file"]) == (3, "csv", "published-folklore-yes.csv")
    assert "# Settings: table = cifar10, folklore = True" in answer["content"]
    assert "# It cannot show: Training errors" in answer["content"]
    assert "ResNet-110" in answer["content"]


def test_a_table_is_cut_and_says_by_how_much(monkeypatch: pytest.MonkeyPatch) -> None:
    simulation = Published()
    frame = simulation.compute()
    monkeypatch.setattr("app.live.downloads.ROWS", 2)
    [table] = json.loads(reply("table", 1, simulation, frame))["tables"]
    assert len(table["rows"]) == 2
    assert table["left_out"] == len(frame["depth"]) - 2
    assert ROWS >= 100
