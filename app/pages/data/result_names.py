"""The result names that `{value}` may use, known without computing a frame."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from sims.contract.simulation import Simulation

FILE = Path(__file__).with_suffix(".toml")


@cache
def _listed() -> Mapping[str, Sequence[str]]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def result_names(simulation: type[Simulation]) -> Sequence[str]:
    """The result names of a simulation when its page opens; empty for one that is not in the file."""
    return _listed().get(simulation.__module__.rpartition(".")[2], ())
