"""Links to a simulation in a state: Python and the page's script write them alike, and their version is read."""

from pathlib import Path

from sims.contract.address import VERSION, notes, query

SCRIPT = Path(__file__).parents[2] / "app" / "static" / "shared" / "address.js"


def test_a_link_carries_its_version_where_it_sets_anything() -> None:
    assert query("toy", {"depth": "8", "skip": "1/L"}) == "?toy.depth=8&toy.skip=1%2FL&v=2"
    assert query("toy", {}) == ""


def test_a_link_of_another_version_is_said_to_be_one() -> None:
    assert notes("") == notes(VERSION) == []
    (note,) = notes("<script>" + 9000 * "9")
    assert "another version" in note
    assert len(note) < 150


def test_the_page_s_script_writes_the_same_version() -> None:
    assert f"const VERSION = '{VERSION}'" in SCRIPT.read_text()
