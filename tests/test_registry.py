"""Simulations are found by name, each alone: what is broken or slow to import in one keeps no other from its reader."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sims import registry, simulations
from sims.contract.modules import modules

ROOT = Path(__file__).parent.parent
SIMULATIONS = list(modules(simulations).values())
BROKEN = {
    "unreadable": 'class Unreadable(Simulation):\n    """A title"""\n    steps = = 3\n',
    "unfinished": 'class Unfinished(Simulation):\n    """Without its imports"""\n',
}


@pytest.fixture
def broken(tmp_path: Path) -> Iterator[Path]:
    """A folder of broken simulations beside the others."""
    for name, text in BROKEN.items():
        (tmp_path / f"{name}.py").write_text(text)
    (tmp_path / "helper.py").write_text("NOT_A_SIMULATION = 1\n")
    simulations.__path__.append(str(tmp_path))
    yield tmp_path
    simulations.__path__.remove(str(tmp_path))


def test_the_names_are_those_of_the_files() -> None:
    files = {path.stem for path in (ROOT / "sims" / "simulations").rglob("[!_]*.py")}
    assert registry.names() == sorted(files) == list(registry.simulations())


def test_a_title_is_read_without_running_the_file() -> None:
    for name, simulation in registry.simulations().items():
        assert registry.title(name) == simulation.title()


def test_a_simulation_is_found_without_importing_another() -> None:
    code = (
        "import sys; from sims import registry; registry.find('paths'); registry.title('arena'); "
        f"print(*(each for each in {SIMULATIONS} if each in sys.modules))"
    )
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split() == [
        registry.find("paths").__module__
    ]


@pytest.mark.parametrize("name", ["../paths", "paths.py", "", "__init__", "no_such", "a/b"])
def test_what_is_no_simulation_is_not_found(name: str) -> None:
    with pytest.raises(KeyError, match="there is no simulation named"):
        registry.find(name)


def test_a_broken_file_is_its_own_trouble_only(broken: Path) -> None:
    assert {"unreadable", "unfinished", "paths"} <= set(registry.names())
    assert "helper" not in registry.names()
    assert registry.title("unreadable") == "cannot be read: invalid syntax, line 3"
    assert registry.title("unfinished") == "Without its imports"
    assert registry.find("paths").__name__ == "Paths"
    with pytest.raises(NameError, match="Simulation"):
        registry.find("unfinished")
    with pytest.raises(SyntaxError):
        registry.find("unreadable")
