"""A neighbor is a run that was really kept: found under its own settings, later too, and never made up."""

from pathlib import Path

import numpy as np
import param
import pytest

from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Simulation
from sims.kept import neighbors, results


class Powers(Simulation):
    base = param.Integer(2, bounds=(1, 9))
    count = param.Integer(3, bounds=(1, 9))

    def compute(self) -> Frame:
        return Frame({"powers": Quantity(self.base ** np.arange(self.count), "power", axes=("n",))})

    def describe(self, frame: Frame) -> str:
        return f"{self.count} powers."

    def disclosure(self) -> Disclosure:
        return Disclosure("none", "numbers", "none", "anything else")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))
    monkeypatch.setattr(results, "version", lambda _module, _name: "version")
    return tmp_path


def test_a_run_that_was_not_kept_is_no_neighbor_until_it_is() -> None:
    assert neighbors.neighbor(Powers(), base=3) is None
    results.finished(Powers(base=3))
    neighbor = neighbors.neighbor(Powers(), base=3)
    assert neighbor is not None
    assert neighbor["powers"].tolist() == [1, 3, 9]


def test_the_other_settings_have_to_be_the_same() -> None:
    results.finished(Powers(base=3, count=4))
    assert neighbors.neighbor(Powers(), base=3) is None
    assert neighbors.neighbor(Powers(count=4), base=3) is not None


def test_a_neighbor_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    results.finished(Powers(base=5))
    first = neighbors.neighbor(Powers(), base=5)
    monkeypatch.setattr(results, "kept", lambda _simulation: pytest.fail("read again"))
    assert neighbors.neighbor(Powers(), base=5) is first


def test_a_value_that_a_control_does_not_admit_is_refused() -> None:
    with pytest.raises(ValueError, match="base"):
        neighbors.neighbor(Powers(), base=99)
