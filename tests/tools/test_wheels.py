"""The wheels hold what they should, and run where there is nothing but them and what torch itself needs."""

import json
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

from sims.pytorch import library
from tests.xray.test_main import HEALTHY
from tools import wheels

SETTING_UP = "import sys; sys.path[:0] = {paths!r}\n"

BLOCKS = """
import json, torch, residual_blocks
from residual_blocks import *

assert residual_blocks.__file__.startswith({installed!r})
torch.manual_seed(0)
block = GPT2Block(16, 2)
x = torch.randn(2, 5, 16)
shrink_ends(block, 0.5, "attn.c_proj", "mlp.c_proj")
norms = gradient_norms(block, block(x).pow(2).mean())
names = sorted({{name.partition(".")[0] for name in sys.modules}} & {{"sims", "app", "panel", "bokeh", "numba"}})
print(json.dumps([sorted(residual_blocks.__all__), sees_the_future(block, x), min(norms.values()) >= 0, names]))
"""

XRAY = """
import json, runpy, torch, xray

assert xray.__file__.startswith({installed!r})
model, step = runpy.run_path({network!r})["build"]()
with xray.xray(model) as report:
    step().backward()
report.lesions(step)
assert xray.Report.from_json(report.to_json()).to_json() == report.to_json()
names = sorted({{name.partition(".")[0] for name in sys.modules}} & {{"sims", "app", "panel", "bokeh", "numba"}})
print(json.dumps([len(report.additions), "<html" in report.to_html(), names]))
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("wheels")
    return {path.name.partition("-")[0]: path for path in wheels.build(folder)}


@pytest.fixture(scope="module")
def torch_alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with torch and what torch requires, and nothing else of this environment."""
    folder = tmp_path_factory.mktemp("torch")
    waiting, names = ["torch"], set[str]()
    while waiting:
        name = waiting.pop()
        if name in names:
            continue
        names.add(name)
        installed = distribution(name)
        for file in installed.files or []:
            first = file.parts[0]
            if first not in ("..", "__pycache__") and not (folder / first).exists():
                (folder / first).symlink_to(Path(str(installed.locate_file(first))).resolve())
        needed = [Requirement(line) for line in installed.requires or []]
        waiting += [need.name for need in needed if need.marker is None or need.marker.evaluate({"extra": ""})]
    return folder


def installed(wheel: Path, folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile"]
    subprocess.run([*command, "--disable-pip-version-check", "--target", str(folder), str(wheel)], check=True)
    return folder


def run(code: str, *paths: Path) -> list[object]:
    """What a program prints as JSON in an interpreter that sees only these folders and the standard library."""
    start = SETTING_UP.format(paths=[str(path) for path in paths])
    command = [sys.executable, "-I", "-S", "-c", start + code]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    answer: list[object] = json.loads(result.stdout)
    return answer


@pytest.mark.exhaustive
def test_the_blocks_run_alone(built: dict[str, Path], torch_alone: Path, tmp_path: Path) -> None:
    folder = installed(built["residual_blocks"], tmp_path)
    code = BLOCKS.format(installed=str(folder))
    assert run(code, folder, torch_alone) == [sorted(library.__all__), False, True, []]


@pytest.mark.exhaustive
def test_the_x_ray_runs_alone(built: dict[str, Path], torch_alone: Path, tmp_path: Path) -> None:
    folder, network = installed(built["residual_xray"], tmp_path / "installed"), tmp_path / "mine.py"
    network.write_text(HEALTHY)
    assert run(XRAY.format(installed=str(folder), network=str(network)), folder, torch_alone) == [4, True, []]


@pytest.mark.exhaustive
def test_the_wheels_hold_what_they_say_and_the_license(built: dict[str, Path]) -> None:
    xray, blocks = (ZipFile(built[name]).namelist() for name in ("residual_xray", "residual_blocks"))
    assert [name for name in xray if ".dist-info/" not in name] == ["xray.py"]
    assert sorted(name for name in blocks if ".dist-info/" not in name) == sorted(wheels.library_files())
    for names in (xray, blocks):
        assert [name for name in names if name.endswith("LICENSE")]
    for wheel in built.values():
        with ZipFile(wheel) as archive:
            (name,) = (name for name in archive.namelist() if name.endswith("METADATA"))
            needs = [line for line in archive.read(name).decode().splitlines() if line.startswith("Requires-Dist")]
        assert [need.partition(">=")[0] for need in needs] == ["Requires-Dist: torch"]


def test_every_public_name_is_defined_once_and_documented() -> None:
    assert sorted(set(library.__all__)) == sorted(library.__all__)
    assert all(getattr(library, name).__doc__ for name in library.__all__)


def test_a_file_that_needs_the_rest_of_the_project_is_no_part_of_it() -> None:
    with pytest.raises(ValueError, match=r"sims\.engines\.recipe, which the package of blocks does not have"):
        wheels._imported("sims.pytorch.some", "from sims.engines.recipe import Recipe\n")
