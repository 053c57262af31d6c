"""Pictures of a browser without a server, for what the figures that it trains do not show: more names, more words."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from app.pictures.base.direct import spread_out
from app.pictures.base.figures import LogBars, plot
from app.pictures.base.paths import paths
from sims.contract.frame import finite
from tests.twins.runs import plain

NAMES = ("first", "second", "third", "fourth")
GROUPS = {"fourth": [1e-7, 0.0, np.nan, 3.0], "first": [0.001], "third": [np.inf, 20.0]}


class View:
    """A view with one picture."""

    __module__ = "app.views"

    def __init__(self) -> None:
        self.chart = plot("Bars", "x", "y", powers=True, x_range=(0, 1))
        self.bars = LogBars(self.chart, {name: (name, "plain") for name in NAMES})


@pytest.fixture(scope="module")
def spreads() -> list[tuple[list[float], float]]:
    """Heights, many of them equal or close, and the smallest distance of their words."""
    random = Random(0)
    heights = [0.0, 0.01, 0.02, 0.1, 0.11, 0.5, 1 / 3, 1.0, float("nan")]
    return [
        ([random.choice(heights) for _ in range(random.randrange(9))], random.choice([0.01, 0.08])) for _ in range(300)
    ]


@pytest.fixture(scope="module")
def view() -> View:
    return View()


@pytest.fixture(scope="module")
def twin(spreads: list[tuple[list[float], float]], view: View) -> dict[str, Any]:
    request = {
        "heights": [{"values": finite(values), "apart": apart} for values, apart in spreads],
        "names": NAMES,
        "paths": paths(view),
        "groups": {name: finite(values) for name, values in GROUPS.items()},
    }
    command = [Path(sys.executable).with_name("node"), Path(__file__).with_name("pictures.js")]
    done = subprocess.run(command, input=json.dumps(request), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout, parse_int=float))


def test_words_avoid_each_other_alike(spreads: list[tuple[list[float], float]], twin: dict[str, Any]) -> None:
    assert twin["spread"] == [plain(spread_out(values, apart)) for values, apart in spreads]


def test_bars_of_many_names_are_alike(view: View, twin: dict[str, Any]) -> None:
    view.bars.show({name: np.array(values) for name, values in GROUPS.items()})
    models = {model.id: model for model in view.chart.references()}
    for change in twin["changes"]:
        assert plain(getattr(models[change["model"]["id"]], change["attr"])) == change["new"]
