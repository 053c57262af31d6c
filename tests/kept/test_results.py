"""Kept results come back, belong to their settings, and survive a broken file and a read-only disk."""

from pathlib import Path

import numpy as np
import param
import pytest

from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Honesty, Simulation
from sims.kept import results

calls = []


class Squares(Simulation):
    count = param.Integer(3, bounds=(1, 9))

    def compute(self) -> Frame:
        calls.append(self.count)
        return Frame({"squares": Quantity(np.arange(self.count) ** 2, "square", axes=("n",))})

    def describe(self, frame: Frame) -> str:
        return f"{self.count} squares."

    def honesty(self) -> Honesty:
        return Honesty("none", "numbers", "none", "anything else")


@calculation(long=True)
def slow(of: int) -> float:
    calls.append(of)
    return of / 2


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))
    monkeypatch.setattr(results, "code_version", lambda _module: "version")
    calls.clear()
    return tmp_path


def test_a_calculation_is_made_once() -> None:
    assert results.lookup(slow, {"of": 7}) is None
    assert (
        results.compute(slow, {"of": 7}) == results.compute(slow, {"of": 7}) == results.lookup(slow, {"of": 7}) == 3.5
    )
    assert results.compute(slow, {"of": 9}) == 4.5
    assert calls == [7, 9]


def test_a_frame_belongs_to_its_settings() -> None:
    assert results.kept(Squares(count=2)) is None
    assert not results.is_kept(Squares(count=2))
    first, again = results.finished(Squares(count=2)), results.finished(Squares(count=2))
    assert np.array_equal(first["squares"], again["squares"])
    assert len(results.finished(Squares(count=4))["squares"]) == 4
    assert calls == [2, 4]
    assert results.is_kept(Squares(count=2))


def test_another_version_of_the_code_computes_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    results.finished(Squares())
    monkeypatch.setattr(results, "code_version", lambda _module: "changed")
    results.finished(Squares())
    assert calls == [3, 3]


def test_a_broken_file_is_computed_anew(folder: Path) -> None:
    results.compute(slow, {"of": 7})
    [kept] = folder.rglob("*.pickle")
    kept.write_bytes(b"half a file")
    assert results.compute(slow, {"of": 7}) == 3.5
    assert calls == [7, 7]


def test_a_disk_that_cannot_be_written_is_no_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "file").touch()
    monkeypatch.setenv("SKIP_CACHE", str(folder / "file"))
    assert results.compute(slow, {"of": 7}) == 3.5
