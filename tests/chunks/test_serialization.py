"""States that leave their process come back as they were, in one piece or with their large arrays in a file."""

import pickle
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sims.chunks.serialization import LARGE, Files, Keeper, Pickled

STATE = {
    "large": np.random.default_rng(0).normal(size=(3, LARGE)).astype(np.float32),
    "columns": np.asfortranarray(np.random.default_rng(1).normal(size=(LARGE, 2))),
    "small": np.arange(5),
    "step": 7,
}


@pytest.fixture
def file(tmp_path: Path) -> Iterator[int]:
    with (tmp_path / "states").open("w+b") as opened:
        yield opened.fileno()


@pytest.mark.parametrize("kind", ["pickled", "files"])
def test_a_state_comes_back_as_it_was(kind: str, file: int) -> None:
    keeper: Keeper = Pickled() if kind == "pickled" else Files([file])
    back = keeper.load(pickle.loads(pickle.dumps(keeper.keep(STATE))))
    assert back["step"] == 7
    for name in ("large", "columns", "small"):
        assert back[name].tobytes() == STATE[name].tobytes()
        assert back[name].dtype == STATE[name].dtype
        assert back[name].strides == STATE[name].strides
        assert back[name].flags.writeable
        assert back[name].flags.aligned


def test_only_small_things_stay_outside_of_the_file(file: int) -> None:
    message = Files([file]).keep(STATE)
    assert message.sizes == (STATE["large"].nbytes, STATE["columns"].nbytes)
    assert len(message.pickled) < 2_000
    assert Files([file]).keep(STATE["small"]).sizes == ()


def test_parts_lie_behind_one_another_and_a_later_task_finds_them_by_their_file(file: int, tmp_path: Path) -> None:
    keeper = Files([file])
    first, second = keeper.keep(STATE["large"]), keeper.keep(2 * STATE["large"])
    with (tmp_path / "next").open("w+b") as output:
        later = Files([file, output.fileno()])
        assert later.keep(STATE["large"]).file == 1
        assert np.array_equal(later.load(second), 2 * STATE["large"])
        assert np.array_equal(later.load(first), STATE["large"])


def test_what_is_loaded_is_nobody_elses(file: int) -> None:
    keeper = Files([file])
    message = keeper.keep(STATE["large"])
    keeper.load(message)[:] = 0
    assert np.array_equal(keeper.load(message), STATE["large"])


def test_a_file_that_is_too_short_is_an_error(file: int) -> None:
    keeper = Files([file])
    with pytest.raises(EOFError, match="shorter"):
        keeper.load(replace(keeper.keep(STATE["large"]), offset=LARGE))
