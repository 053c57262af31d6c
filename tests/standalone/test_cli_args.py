"""The simulation of a command line, and what is refused without ending the server."""

import pytest

from app.standalone.cli_args import parse_simulation
from sims.simulations.depth.degradation import Degradation


def test_the_options_are_those_of_the_command_line() -> None:
    simulation = parse_simulation(["degradation", "--depth", "20", "--norm", "batch"])
    assert isinstance(simulation, Degradation)
    assert (simulation.depth, simulation.norm) == (20, "batch")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("", "nothing: this is no simulation"),
        ("nobody", "nobody: this is no simulation"),
        ("degradation --height 3", "has no such option"),
        ("degradation --depth 20 --port 5007", "--port is an option of the server"),
        ("degradation --port=5007", "--port is an option of the server"),
        ("degradation --depth 900", "depth: 900 is outside 2 to 64"),
    ],
)
def test_what_is_wrong_is_said(words: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        parse_simulation(words.split())
