"""The worker's side of a chunk, without a process: what it answers, and that its time limit is lifted again."""

import pickle
import signal
from importlib import reload
from typing import ClassVar

import pytest

from sims import registry
from sims.chunks import preload
from sims.chunks.chunk import Chunk
from sims.chunks.worker import Failure, answer
from sims.contract.frame import Frame
from sims.contract.simulation import State, Training
from tests.training_example import TrainingExample


def answered(limit: float = 60.0, **settings: object) -> object:
    return pickle.loads(answer(pickle.dumps((limit, TrainingExample, settings, None, 4, True)), ()))


def test_a_task_is_answered_with_its_chunk() -> None:
    chunk = answered(seed=2)
    assert isinstance(chunk, Chunk)
    assert chunk.frame["walk"].tobytes() == TrainingExample(seed=2, length=4).compute()["walk"].tobytes()
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_an_exception_is_answered_with_its_message_and_traceback() -> None:
    told = answered(trouble="raise")
    assert isinstance(told, Failure)
    assert told.message == "ArithmeticError: the walk has lost its way"
    assert "in advance" in told.details
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_a_task_that_cannot_be_read_is_answered_too() -> None:
    told = pickle.loads(answer(b"nonsense", ()))
    assert isinstance(told, Failure)


def test_the_limit_sends_an_alarm() -> None:
    alarms: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, _frame: alarms.append(number))
    try:
        assert isinstance(answered(0.05, start_seconds=0.2), Chunk)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert alarms == [signal.SIGALRM]


class Noted(TrainingExample):
    """A training that notes how far it was taken."""

    reached: ClassVar[list[int]] = []

    def frame(self, state: State) -> Frame:
        frame = super().frame(state)
        self.reached.append(frame.step)
        return frame


def test_workers_are_made_after_a_step_of_every_training(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(registry, "names", lambda: ["noted"])
    monkeypatch.setattr(registry, "find", {"noted": Noted}.__getitem__)
    Noted.reached.clear()
    reload(preload)
    assert Noted.reached == [1]
    assert capsys.readouterr().err == ""


def test_a_simulation_that_cannot_be_imported_does_not_keep_the_others_from_their_workers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def find(name: str) -> type[Training]:
        if name == "broken":
            raise SyntaxError("half a module")
        return Noted

    monkeypatch.setattr(registry, "names", lambda: ["broken", "noted"])
    monkeypatch.setattr(registry, "find", find)
    Noted.reached.clear()
    reload(preload)
    assert Noted.reached == [1]
    assert "half a module" in capsys.readouterr().err
