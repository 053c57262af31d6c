"""What workers start with: a step of every training, the first page's first, and no broken one keeps out the others."""

import fcntl
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import ClassVar

import pytest

from sims import registry
from sims.chunks import preparation
from sims.chunks.preparation import is_complete, load_instant, names, prepare, smallest
from sims.contract.frame import Frame
from sims.contract.simulation import Simulation, State, Training
from sims.paths import engine_lock
from tests.every_simulation.frames import TRAININGS
from tests.training_example import TrainingExample

CONTENT = Path(__file__).parents[2] / "content"


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
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    Noted.reached.clear()
    monkeypatch.setattr(preparation, "_mark", lambda: tmp_path / "complete")
    return tmp_path / "complete"


def there_are(monkeypatch: pytest.MonkeyPatch, **simulations: type[Simulation] | Exception) -> None:
    def find(name: str) -> type[Simulation]:
        simulation = simulations[name]
        if isinstance(simulation, Exception):
            raise simulation
        return simulation

    monkeypatch.setattr(registry, "names", lambda: list(simulations))
    monkeypatch.setattr(registry, "find", find)


def test_workers_are_made_after_a_step_of_every_training(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there_are(monkeypatch, noted=Noted)
    monkeypatch.delitem(sys.modules, "sims.chunks.preload", raising=False)
    import_module("sims.chunks.preload")
    assert Noted.reached == [1]
    assert capsys.readouterr().err == ""


def test_what_is_broken_does_not_keep_the_others_from_their_workers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there_are(monkeypatch, half=SyntaxError("half a module"), broken=Broken, noted=Noted)
    assert list(prepare()) == ["half", "broken", "noted"]
    assert Noted.reached == [1]
    errors = capsys.readouterr().err
    assert "half a module" in errors
    assert "nothing to see" in errors


def test_what_is_computed_at_once_is_loaded_before_anybody_asks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    computed = []

    class Instant(Simulation):
        def compute(self) -> Frame:
            computed.append(self.name)
            return Frame()

    class Lost(Simulation):
        def compute(self) -> Frame:
            raise ArithmeticError("nothing to compute")

    there_are(monkeypatch, lost=Lost, noted=Noted, instant=Instant)
    load_instant()
    assert len(computed) == 1
    assert Noted.reached == []
    assert "nothing to compute" in capsys.readouterr().err


@pytest.mark.parametrize("is_writable", [True, False])
def test_one_process_compiles_at_a_time_where_files_can_be_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, is_writable: bool
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path / ("cache" if is_writable else "file")))
    there_are(monkeypatch, noted=Noted)

    def advancing() -> Iterator[str]:
        if is_writable:
            with engine_lock().open() as other, pytest.raises(BlockingIOError):
                fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield from ["noted"]

    monkeypatch.setattr(preparation, "prepare", advancing)
    preparation.main()
    assert capsys.readouterr().out == "noted\n"


def test_the_first_page_comes_first_and_what_no_chapter_shows_last(monkeypatch: pytest.MonkeyPatch) -> None:
    there_are(monkeypatch, another=Noted, identity=Noted, degradation=Noted)
    assert list(prepare()) == ["degradation", "identity", "another"]


def test_it_is_complete_when_all_have_been_run(monkeypatch: pytest.MonkeyPatch) -> None:
    there_are(monkeypatch, first=Noted, second=Noted)
    ahead = prepare()
    next(ahead)
    assert not is_complete()
    assert list(ahead) == ["second"]
    assert is_complete()


@pytest.mark.exhaustive
def test_pytorch_is_left_to_those_who_ask_for_it() -> None:
    """Every training that imports it is named, and nothing else is."""
    program = "from sims.chunks import preload; import sys; print('torch' in sys.modules)"
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert output.strip() == "False"
    assert set(preparation.IN_PYTORCH) <= set(registry.names())


LOADED = """
import gc
from numba.core.registry import CPUDispatcher
from sims.chunks import preparation

def loaded():
    kernels = [each for each in gc.get_objects() if isinstance(each, CPUDispatcher)]
    return {(each.py_func.__module__, each.__name__, types) for each in kernels for types in each.signatures}

list(preparation.prepare())
before = loaded()
preparation.smallest = lambda _training: {}
list(preparation.prepare())
print(len(before), loaded() - before)
"""


@pytest.mark.exhaustive
def test_small_networks_need_the_same_kernels_as_the_usual_ones() -> None:
    output = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True).stdout
    assert re.fullmatch(r"\d{2,} set\(\)", output.strip()), output


def test_runs_are_prepared_with_one_seed_and_no_more_layers_than_usual() -> None:
    for training in TRAININGS.values():
        usual, settings = training(), smallest(training)
        assert all(value <= getattr(usual, control) for control, value in settings.items()), training
        assert settings.get("seeds", 1) == 1


def test_those_in_pytorch_are_named_without_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    there_are(monkeypatch, surgery=Noted, degradation=Noted)
    assert list(prepare()) == ["degradation", "surgery"]
    assert Noted.reached == [1]


def test_the_order_is_that_of_the_pages() -> None:
    chapters = [path for folder in ("chapters", "deep-dives") for path in sorted((CONTENT / folder).glob("*.md"))]
    figures = [
        name
        for page in (CONTENT / "home.md", *chapters)
        for name in re.findall(r"^:::+\{simulation\} (\w+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    order = [name for name in dict.fromkeys(figures) if issubclass(registry.find(name), Training)]
    assert [name for name in names() if name in order] == order
