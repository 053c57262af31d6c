"""The file to take away runs without this project, and says the same as the package."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from sims.paths import ROOT
from sims.xray import single_file
from sims.xray.__main__ import main
from tests.tiers import first
from tests.xray.test_main import HEALTHY

BARRED = """
import sys, importlib.abc

ALLOWED = {allowed}

class Barred(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        caller = sys._getframe(1)
        while caller and "importlib" in caller.f_code.co_filename:
            caller = caller.f_back
        if caller and caller.f_code.co_filename == {file!r} and name.partition(".")[0] not in ALLOWED:
            raise ImportError(name)

sys.meta_path.insert(0, Barred())
sys.path.insert(0, {folder!r})
import xray
assert xray.__file__ == {file!r}
assert not [name for name in sys.modules if name.partition(".")[0] in ("sims", "app", "panel", "bokeh", "pandas")]
sys.exit(xray.main([{target!r}, "--json", "--lesions"]))
"""


def test_it_imports_torch_and_the_standard_library_alone() -> None:
    tree = ast.parse(single_file.text())
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    assert names - {*sys.stdlib_module_names} == {"torch", "pandas"}
    pandas = [node for node in tree.body if isinstance(node, ast.Import) and "pandas" in ast.unparse(node)]
    assert pandas == []
    assert "python -m sims" not in single_file.text()


def test_the_example_writes_its_file_in_any_locale() -> None:
    [line] = [line for line in single_file.HEAD.splitlines() if "to_html()" in line]
    assert 'encoding="utf-8"' in line


def test_names_of_its_parts_do_not_collide_and_links_may_lead_to_the_site() -> None:
    text = single_file.text("https://example.org/skip/")
    assert "SITE = 'https://example.org/skip/'" in text
    assert 'SITE = ""' not in text
    assert text.count("class Report:") == 1


def test_every_module_of_the_room_is_a_part_of_it() -> None:
    modules = {path.stem for path in (ROOT / "sims" / "xray").glob("*.py")}
    assert modules - {"__init__", "single_file"} == set(single_file.PARTS)


@pytest.mark.parametrize("function", first(1, ["broken", "build"]))
def test_it_says_the_same_alone_as_in_the_package(
    tmp_path: Path, function: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file, network = tmp_path / "away" / single_file.NAME, tmp_path / "mine.py"
    file.parent.mkdir()
    file.write_text(single_file.text(), encoding="utf-8")
    network.write_text(HEALTHY)
    target = f"{network}:{function}"
    allowed = {*sys.stdlib_module_names, "torch"}
    code = BARRED.format(allowed=allowed, file=str(file), folder=str(file.parent), target=target)
    alone = subprocess.run([sys.executable, "-I", "-c", code], cwd=tmp_path, capture_output=True, text=True)
    status = main([target, "--json", "--lesions"])
    assert alone.stderr == ""
    assert alone.returncode == status == (function == "broken")
    assert alone.stdout == capsys.readouterr().out
