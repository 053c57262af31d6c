"""Notebooks that are really executed, in kernels that have the project from `pip install .` and from nowhere else."""

import json
import re
import subprocess
import sys
from base64 import b64decode
from collections.abc import Iterator
from importlib.metadata import PathDistribution
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from app.pages.data.changelog import releases
from app.standalone.notebook import WIDGET, show
from sims.simulations.depth.degradation import Degradation
from sims.simulations.gradients.paths import Paths
from tests.standalone.installed import ROOT, install

pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning:zmq", "ignore:Kernel is running over TCP"),
    pytest.mark.exhaustive,
]
PANEL = "application/vnd.holoviews_exec.v0+json"
"""What Panel's extension of JupyterLab renders"""

FINISHED = "import asyncio\nasync with asyncio.timeout(120):\n    while {}:\n        await asyncio.sleep(0.02)"


TRAINED = """
import panel as pn
from bokeh.document import Document
from app.standalone.figure import Figure
from sims import Degradation
pn.extension(inline=True)
figure = Figure(Degradation(depth=4, seeds=1, seed=7), Document())
figure.column
"""

HEARD = """
from ipywidgets.widgets import widget as every
from jupyter_bokeh.widgets import BokehModel
[widget] = [each for each in every._instances.values() if isinstance(each, BokehModel)]
slider = next(each for each in widget._document.models if {"control": "blocks"} in each.tags)
told = {"event": "jsevent", "kind": "ModelChanged", "model": slider.ref, "attr": "value", "new": 5}
widget._sync_model(widget, told, [])
simulation.blocks
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("pip"))


@pytest.fixture
def elsewhere(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that has nothing to do with the project, in an environment in which it is installed."""
    monkeypatch.setenv("PYTHONPATH", str(installed))
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    return tmp_path


def executed(folder: Path, *cells: str) -> list[list[Any]]:
    """The outputs of every cell of a notebook."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    place = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources=place).execute()
    nbformat.validate(notebook)
    return [cell.outputs for cell in notebook.cells]


def shown(outputs: list[Any]) -> Any:
    """What the last expression of a cell shows."""
    [answer] = [output for output in outputs if output.output_type == "execute_result"]
    return answer.data


def test_everything_is_installed_that_is_not_python(installed: Path) -> None:
    def files(folder: Path) -> set[str]:
        paths = (path for wing in ("app", "content", "sims") for path in (folder / wing).rglob("*") if path.is_file())
        return {str(path.relative_to(folder)) for path in paths if "__pycache__" not in path.parts}

    assert files(installed) == files(ROOT)


def test_the_package_has_the_version_of_the_site_and_its_extras(installed: Path) -> None:
    [distribution] = installed.glob("*.dist-info")
    metadata = PathDistribution(distribution).metadata
    assert metadata["Version"] == releases()[0].version
    assert set(metadata.get_all("Provides-Extra", [])) == {"notebook", "dask", "dev"}


def test_a_simulation_shows_its_controls_and_its_picture(elsewhere: Path) -> None:
    first, second, third = executed(
        elsewhere,
        "from sims import Degradation, Paths\nDegradation(depth=56)",
        "paths = Paths(blocks=4)\npaths",
        "paths.blocks = 5\npaths",
    )
    scripts = [output for output in first if "application/javascript" in output.get("data", {})]
    assert len(scripts) == 2, "Bokeh and Panel come with the first figure"
    data = shown(first)
    assert PANEL in data
    assert data["text/plain"].startswith("Degradation(depth=56)\n")
    assert "at depth 56" in data["text/plain"]
    html = data["text/html"]
    for word in ("Depth", "RadioButtonGroup", "Train", "Error at the end", "at depth 56", "Kept from a run"):
        assert word in html, word
    assert "http://" not in html.replace("http://www.w3.org", ""), "nothing is loaded from elsewhere"
    assert [output for output in second if "application/javascript" in output.get("data", {})] == []
    assert "Paths(blocks=4)" in shown(second)["text/plain"]
    assert "32 paths through 5 blocks" in shown(third)["text/plain"]


def test_without_scripts_the_picture_of_the_page_is_there(elsewhere: Path) -> None:
    [outputs] = executed(elsewhere, "from sims import Degradation\nDegradation(depth=56)")
    [picture] = re.findall(r'<img src="data:image/webp;base64,([^"]+)"', shown(outputs)["text/html"])
    assert b64decode(picture) == (ROOT / "content" / "stills" / "degradation.degradation.light.webp").read_bytes()


def test_a_press_of_train_trains_in_the_kernel(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # where the engine is compiled
    *_others, answer = executed(
        elsewhere,
        TRAINED,
        "figure._controls._buttons['play'].clicks += 1\n"
        + FINISHED.format("figure.session.controller.status.state not in ('finished', 'failed')"),
        "figure.sentence, figure.session.controller.status.message",
    )
    assert "After 600 of 600 steps at depth 4" in shown(answer)["text/plain"]


def test_in_vs_code_a_figure_is_a_widget(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VSCODE_PID", "1")
    first, second = executed(
        elsewhere,
        "from sims import Paths\nsimulation = Paths()\nsimulation",
        HEARD,
    )
    data = shown(first)
    assert data[WIDGET]["model_id"]
    assert "Paths()" in data["text/plain"]
    assert "All paths of a gradient" in data["text/html"]
    assert shown(second)["text/plain"] == "5"


def test_outside_of_a_notebook_there_are_words() -> None:
    data, metadata = show(Paths(blocks=2))
    assert list(data) == ["text/plain"]
    assert data["text/plain"].startswith("Paths(blocks=2)\nAll paths of a gradient\n")
    assert metadata == {}
    assert show(Degradation(depth=62, seed=9))[0] == {
        "text/plain": "Degradation(depth=62, seed=9)\nThe same layers, with and without a skip connection"
    }
    assert show(Paths(), exclude={"text/plain"}) == ({}, {})
    assert show(Paths(), include={"image/png"}) == ({}, {})


def test_the_command_line_is_installed_too(elsewhere: Path) -> None:
    command = [sys.executable, "-m", "sims", "paths", "--blocks", "2", "--json"]
    answer = subprocess.run(command, cwd=elsewhere, capture_output=True, text=True, check=True)
    assert json.loads(answer.stdout)["quantities"]


def test_the_page_about_notebooks_is_a_notebook(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # where the engine is compiled
    page = (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8")
    cells = re.findall(r"^```python\n(.*?)\n```$", page, re.MULTILINE | re.DOTALL)
    assert len(cells) == 2
    _shown, table = executed(elsewhere, *(cell.replace("depth=56", "depth=2, seeds=1") for cell in cells))
    assert "count" in shown(table)["text/plain"]
