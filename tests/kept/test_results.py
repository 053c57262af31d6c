"""Kept results come back, belong to their settings, and survive a broken file and a read-only disk."""

import contextlib
import io
from pathlib import Path

import numpy as np
import param
import pytest

from sims.contract.frame import Divergence, Frame, Quantity
from sims.contract.simulation import Disclosure, Simulation
from sims.kept import results
from sims.kept.environment import has_avx2

calls = []


class Squares(Simulation):
    count = param.Integer(3, bounds=(1, 9))

    def compute(self) -> Frame:
        calls.append(self.count)
        return Frame({"squares": Quantity(np.arange(self.count) ** 2, "square", axes=("n",))})

    def describe(self, frame: Frame) -> str:
        return f"{self.count} squares."

    def disclosure(self) -> Disclosure:
        return Disclosure("none", "numbers", "none", "anything else")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))
    monkeypatch.setattr(results, "version", lambda _module, _name: "version")
    calls.clear()
    return tmp_path


@pytest.mark.skipif(not has_avx2(), reason="other processors are told nothing")
def test_a_run_that_rounds_differently_is_not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MKL_CBWR", "AUTO")
    for _ in range(2):
        assert len(results.finished(Squares())["squares"]) == 3
    assert calls == [3, 3]
    assert not list(folder.rglob("*.npz"))


def test_a_frame_belongs_to_its_settings() -> None:
    assert results.kept(Squares(count=2)) is None
    assert not results.is_kept(Squares(count=2))
    first, again = results.finished(Squares(count=2)), results.finished(Squares(count=2))
    assert np.array_equal(first["squares"], again["squares"])
    assert len(results.finished(Squares(count=4))["squares"]) == 4
    assert calls == [2, 4]
    assert results.is_kept(Squares(count=2))


def test_another_version_of_the_code_computes_anew_and_drops_the_old(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results.finished(Squares())
    results.finished(Squares(count=2))
    monkeypatch.setattr(results, "version", lambda _module, _name: "changed")
    results.finished(Squares())
    assert calls == [3, 2, 3]
    assert sorted(path.name.split(".")[1] for path in folder.rglob("*.npz")) == ["changed", "version"]


@pytest.mark.parametrize("damage", [b"", b"half a file", b"PK\x03\x04 and then nothing"])
def test_a_damaged_file_is_computed_anew(damage: bytes, folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    results.finished(Squares())
    [file] = folder.rglob("*.npz")
    file.write_bytes(damage)
    assert results.kept(Squares()) is None
    assert "is damaged" in caplog.text
    results.finished(Squares())
    assert calls == [3, 3]
    assert results.kept(Squares()) is not None


def test_no_flipped_byte_gives_an_error(folder: Path) -> None:
    whole = results.packed(Squares().compute())
    for place in range(0, len(whole), 7):
        damaged = bytes([*whole[:place], whole[place] ^ 0xFF, *whole[place + 1 :]])
        with contextlib.suppress(ValueError):
            assert isinstance(results.unpacked(damaged), Frame)


def test_a_planted_file_runs_nothing(folder: Path) -> None:
    """Objects in an array would be unpickled, and unpickling can run anything."""
    out = io.BytesIO()
    np.savez(out, about=np.array([{"planted": True}], dtype=object))
    with pytest.raises(ValueError, match="not a kept frame"):
        results.unpacked(out.getvalue())


def test_times_are_not_kept_not_even_of_the_run_that_was_just_made(monkeypatch: pytest.MonkeyPatch) -> None:
    timed = Frame({}, {"plain_milliseconds": 0.7, "plain_error": 0.1})
    monkeypatch.setattr(Squares, "compute", lambda _self: timed)
    for _ in range(2):
        assert results.finished(Squares()).results == {"plain_error": 0.1}
    assert timed.results["plain_milliseconds"] == 0.7


def test_a_frame_comes_back_whole() -> None:
    lost = Divergence(3, "loss", "Too fast.", "Go slower.")
    quantities = {
        "words": Quantity(np.array(["level", "weak"]), "kind", "kind", ("layer",)),
        "table": Quantity(np.array([[1.5, np.nan], [np.inf, -0.0]], np.float32), "error", "share", ("seed", "step")),
        "maps": Quantity(np.arange(4, dtype=np.uint8), "map", axes=("point",)),
    }
    frame = Frame(
        quantities, {"last": np.float32(0.1), "count": 3, "words": "yes", "none": float("nan")}, 5, 9, (lost,)
    )
    back = results.unpacked(results.packed(frame))
    assert (back.step, back.steps, back.diverged) == (5, 9, (lost,))
    assert back.csv() == frame.csv()
    assert back.json() == frame.json()
    assert {name: quantity.values.dtype for name, quantity in back.quantities.items()} == {
        name: quantity.values.dtype for name, quantity in quantities.items()
    }


def test_a_disk_that_cannot_be_written_is_no_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "file").touch()
    monkeypatch.setenv("SKIP_CACHE", str(folder / "file"))
    assert len(results.finished(Squares())["squares"]) == 3
