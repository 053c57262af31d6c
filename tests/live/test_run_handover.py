"""A run from session to session: kept for its owner, found by its settings, and told about once."""

from pathlib import Path
from typing import Any

import pytest

from app.live.run_handover import BEGINS_ANEW, RUN_KEPT, RunHandover
from app.runs import suspended_runs
from tests.training_example import TrainingExample


class RunSpy:
    """A run that has got somewhere, or nowhere."""

    def __init__(self, packed: bytes | None) -> None:
        self._packed = packed

    def packed(self) -> bytes | None:
        return self._packed


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIP_RUNS", str(tmp_path))
    monkeypatch.setattr(suspended_runs, "_held", {})


def run(packed: bytes | None) -> Any:
    return RunSpy(packed)


def test_the_next_session_of_the_same_owner_finds_what_was_left() -> None:
    name = RunHandover("one place").stash(TrainingExample(seed=1), run(b"state"))
    assert name
    suspended_runs.write(name)
    assert RunHandover("one place").load(TrainingExample(seed=1)) == b"state"
    assert RunHandover("one place").load(TrainingExample(seed=2)) is None
    assert RunHandover("other place").load(TrainingExample(seed=1)) is None


@pytest.mark.parametrize(("owner", "left"), [("", run(b"state")), ("one", run(None)), ("one", None)])
def test_nothing_is_kept_for_nobody_and_of_nothing(owner: str, left: Any) -> None:
    assert RunHandover(owner).stash(TrainingExample(), left) == ""
    assert RunHandover(owner).load(TrainingExample()) is None


def test_only_the_first_picture_after_a_return_is_announced() -> None:
    training = TrainingExample()
    early = training.frame(training.start())
    late = training.frame(training.advance(training.start(), 7))
    left = RunHandover("one place")
    assert left.notes(training, late) == []
    left.expect(training)
    assert left.notes(training, late) == [RUN_KEPT.format(7)]
    assert left.notes(training, late) == []
    left.expect(training)
    assert left.notes(training, early) == [BEGINS_ANEW]
    left.expect(training)
    assert left.notes(TrainingExample(seed=3), late) == []
    left.expect(training)
    left.expect(None)
    assert left.notes(training, early) == []
