"""What workers start with: a step of every training, the first page's first, and no broken one keeps out the others."""

import re
from importlib import reload
from pathlib import Path
from typing import ClassVar

import pytest

from sims import registry
from sims.chunks import preload
from sims.chunks.preload import Progress
from sims.contract.frame import Frame
from sims.contract.simulation import State
from tests.training_example import TrainingExample

CHAPTERS = Path(__file__).parents[2] / "content" / "chapters"


class Noted(TrainingExample):
    """A training that notes how far it was taken."""

    reached: ClassVar[list[int]] = []

    def frame(self, state: State) -> Frame:
        frame = super().frame(state)
        self.reached.append(frame.step)
        return frame


class Broken(TrainingExample):
    def frame(self, state: State) -> Frame:
        raise ArithmeticError("nothing to see")


@pytest.fixture(autouse=True)
def _nothing_reached() -> None:
    Noted.reached.clear()


def test_workers_are_made_after_a_step_of_every_training(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(registry, "simulations", lambda: {"noted": Noted})
    reload(preload)
    assert Noted.reached == [1]
    assert capsys.readouterr().err == ""


def test_a_simulation_that_cannot_be_imported_does_not_keep_the_others_from_their_workers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> None:
        raise SyntaxError("half a module")

    monkeypatch.setattr(registry, "simulations", broken)
    reload(preload)
    assert "half a module" in capsys.readouterr().err


def test_nor_does_one_that_fails(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(registry, "simulations", lambda: {"broken": Broken, "noted": Noted})
    assert [each.training for each in preload.prepared()] == ["broken", "noted", ""]
    assert Noted.reached == [1]
    assert "nothing to see" in capsys.readouterr().err


def test_the_first_training_of_the_first_chapter_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "simulations", lambda: {"another": Noted, "identity": Noted, "degradation": Noted})
    assert list(preload.prepared()) == [
        Progress(0, 3, "degradation"), Progress(1, 3, "identity"), Progress(2, 3, "another"), Progress(3, 3, ""),
    ]  # fmt: skip


def test_the_order_is_that_of_the_chapters() -> None:
    shown = [
        name
        for chapter in sorted(CHAPTERS.glob("*.md"))
        for name in re.findall(r"^:::+\{simulation\} (\w+)", chapter.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert list(preload.trainings()) == [name for name in dict.fromkeys(shown) if name in preload.trainings()]


def test_a_server_reads_in_a_file_how_far_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    place = tmp_path / "progress"
    told: list[Progress] = []

    class Reader(Noted):
        def frame(self, state: State) -> Frame:
            told.append(preload.progress(place.read_text()))
            return super().frame(state)

    monkeypatch.setattr(registry, "simulations", lambda: {"reader": Reader})
    monkeypatch.setenv(preload.PROGRESS, str(place))
    reload(preload)
    assert told == [(0, 1, "reader")]
    assert preload.progress(place.read_text()) == (1, 1, "")
    assert list(tmp_path.iterdir()) == [place]
