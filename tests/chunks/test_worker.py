"""The worker's side of a chunk, without a process: what it answers, and that its time limit is lifted again."""

import pickle
import signal

from sims.chunks.chunk import Chunk
from sims.chunks.worker import Failure, answer
from tests.training_example import TrainingExample


def answered(limit: float = 60.0, **settings: object) -> object:
    return pickle.loads(answer(pickle.dumps((limit, TrainingExample, settings, None, 4, True)), ()))


def test_a_task_is_answered_with_its_chunk() -> None:
    chunk = answered(seed=2)
    assert isinstance(chunk, Chunk)
    assert chunk.frame["walk"].tobytes() == TrainingExample(seed=2, length=4).compute()["walk"].tobytes()
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_an_exception_is_answered_with_its_message_and_traceback() -> None:
    failure = answered(trouble="raise")
    assert isinstance(failure, Failure)
    assert failure.message == "ArithmeticError: the walk has lost its way"
    assert "in advance" in failure.details
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_a_task_that_cannot_be_read_is_answered_too() -> None:
    failure = pickle.loads(answer(b"nonsense", ()))
    assert isinstance(failure, Failure)


def test_the_limit_sends_an_alarm() -> None:
    alarms: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, _frame: alarms.append(number))
    try:
        assert isinstance(answered(0.05, start_seconds=0.2), Chunk)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert alarms == [signal.SIGALRM]
