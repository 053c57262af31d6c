"""The bundle that is committed is that of the versions that are installed, with the models that pictures may hold."""

import json
import re
from pathlib import Path

import pytest

from app.bokeh_internals import bokeh_script
from app.pages.document.figure_placement import FigurePlacement
from app.pages.files import assets
from app.prerender import picture

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tools" / "bokeh-bundle"


def pinned(package: str) -> str:
    """The version of a package in requirements.txt."""
    [version] = re.findall(rf"^{package}==(.+)$", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    return str(version)


def test_it_is_of_the_versions_that_are_pinned() -> None:
    head = bokeh_script.head()
    assert (head["bokehjs"], head["panel"]) == (pinned("bokeh"), pinned("panel"))


def test_it_is_made_of_the_versions_and_models_that_its_sources_name() -> None:
    head = bokeh_script.head()
    manifest = json.loads((TOOL / "package.json").read_text())
    minisearch = re.match(rb"// MiniSearch ([\d.]+);", assets.ours("search/minisearch/index.js") or b"")
    assert minisearch
    assert manifest["dependencies"] == {
        "@bokeh/bokehjs": head["bokehjs"],
        "@holoviz/panel": head["panel"],
        "minisearch": minisearch[1].decode(),
    }
    catalogs = json.loads((TOOL / "models.json").read_text())
    assert head["models"] == sorted(name for names in catalogs.values() for name in names)


def test_its_lock_names_no_host() -> None:
    assert "resolved" not in (TOOL / "package-lock.json").read_text()


def test_the_licenses_of_its_parts_are_sent_with_it() -> None:
    folder, _, _name = assets.SCRIPT.rpartition("/")
    sent = assets.ours(f"{folder}/{bokeh_script.head()['licenses']}")
    assert sent is not None
    licenses = sent.decode()
    assert licenses.count("Redistributions in binary form must reproduce") >= 2
    for package in ("@bokeh/bokehjs", "@holoviz/panel", "nouislider"):
        assert re.search(rf"^{package} [\d.]+$", licenses, re.MULTILINE)


def test_a_picture_with_a_model_that_is_not_in_it_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    models = bokeh_script.models() - {"Line"}
    monkeypatch.setattr(picture, "models", lambda: models)
    with pytest.raises(ValueError, match=r"models\.json lacks Line"):
        picture.drawn(FigurePlacement("here", "degradation", {}))
