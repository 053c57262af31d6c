"""The command line: it says what it takes, what it refuses and why, and that nothing was computed then."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sims import __main__ as command_line
from sims import registry, simulations
from sims.contract.modules import modules

ROOT = Path(__file__).parent.parent


def status(*arguments: str) -> object:
    """The exit status, whichever way the program ends."""
    try:
        return command_line.main(arguments)
    except SystemExit as end:
        return end.code


@pytest.fixture
def broken(tmp_path: Path) -> Iterator[None]:
    """A simulation that lacks its imports."""
    (tmp_path / "unfinished.py").write_text('class Unfinished(Simulation):\n    """Without its imports"""\n')
    simulations.__path__.append(str(tmp_path))
    yield
    simulations.__path__.remove(str(tmp_path))


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        ("--blocks", "99", "--blocks: 99 is outside 1 to 48; it takes 1 to 48."),
        ("--blocks", "3.5", "--blocks: 3.5 is not a whole number; it takes 1 to 48."),
        ("--variance", "0.3", "--variance: 0.3 is not one of the stops; it takes one of 0.01, "),
        ("--seed", "x", "--seed: “x” is not a possible value; it takes 0 to 9999."),
    ],
)
def test_a_value_is_refused_with_a_reason_and_nothing_runs(
    option: str, value: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("ln_jacobian", option, value) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert error.startswith(expected)
    assert error.endswith("\nNothing was computed.\n")
    assert "is used" not in error


def test_a_step_is_described(capsys: pytest.CaptureFixture[str]) -> None:
    assert status("failures", "--depth", "57") == 2
    assert capsys.readouterr().err.startswith(
        "--depth: 57 is not 8 plus a multiple of 2; it takes 8 to 100 in steps of 2."
    )


@pytest.mark.parametrize("arguments", [("ln_jacobian", "--block", "3"), ("ln_jacobian", "--js"), ("ln_jac",), ()])
def test_abbreviations_and_nothing_at_all_are_refused(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert status(*arguments) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert "error:" in error


def test_help_lists_every_simulation_with_its_title(capsys: pytest.CaptureFixture[str]) -> None:
    assert status("--help") == 0
    output = " ".join(capsys.readouterr().out.split())
    for name in registry.names():
        assert f"{name} {registry.title(name)}" in output


def test_the_help_of_one_simulation_has_its_options_and_imports_no_other() -> None:
    names = list(modules(simulations).values())
    code = (
        "import sys; from sims.__main__ import main\n"
        "try: main(['ln_jacobian', '--help'])\n"
        f"finally: print('imported:', *(name for name in {names} if name in sys.modules))"
    )
    command = [sys.executable, "-c", code]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "--variance VALUE" in output
    assert output.splitlines()[-1] == f"imported: {registry.find('ln_jacobian').__module__}"


def test_a_broken_simulation_says_so_for_itself_alone(broken: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert status("unfinished", "--help") == 1
    message = capsys.readouterr().err
    assert "NameError: name 'Simulation' is not defined" in message
    assert message.endswith("The file of the simulation unfinished is broken; nothing was computed.\n")
    assert status("ln_jacobian", "--blocks", "2") == 0
    assert status("--help") == 0
    assert "Without its imports" in capsys.readouterr().out
