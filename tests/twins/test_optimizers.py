"""The scripts know every optimizer, by the number, the moments and the words that Python has for it."""

import ast
import inspect
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest

from sims.builder import network_file
from sims.contract import usual_parameters
from sims.engines import recipe, segment
from sims.engines.kernels import optimizers
from sims.paths import ROOT

RUN, WORDS = "app/static/training/engine/run.js", "app/static/training/recipe/words.js"


def exported(file: str, table: str) -> dict[str, Any]:
    script = f"import({json.dumps((ROOT / file).as_uri())}).then(it => console.log(JSON.stringify(it.{table})))"
    node = subprocess.run(
        [Path(sys.executable).with_name("node"), "--eval", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return dict(json.loads(node.stdout))


@pytest.mark.parametrize(
    ("file", "table", "source", "expected"),
    [
        (RUN, "OPTIMIZERS", "sims/engines/segment.py", segment.OPTIMIZERS),
        (RUN, "MOMENTS", "sims/engines/segment.py", {name: [*kept] for name, kept in segment.MOMENTS.items()}),
        (WORDS, "OPTIMIZERS", "sims/contract/usual_parameters.py", usual_parameters.OPTIMIZERS),
    ],
)
def test_a_table_of_the_scripts_is_that_of_python(file: str, table: str, source: str, expected: dict[str, Any]) -> None:
    assert exported(file, table) == expected, f"edit {table} in {file}: it differs from {table} in {source}"


def test_every_optimizer_has_a_branch_in_the_kernel() -> None:
    """`else` is Adam: any other optimizer without a branch would train with Adam, and read moments that it has not."""
    [kernel] = [node for node in ast.parse(inspect.getsource(optimizers)).body if getattr(node, "name", "") == "update"]
    tests = [node.test for node in ast.walk(kernel) if isinstance(node, ast.If)]
    branches = {
        getattr(optimizers, ast.unparse(test.comparators[0])) for test in tests if isinstance(test, ast.Compare)
    }
    assert branches == set(segment.OPTIMIZERS.values()) - {optimizers.ADAM}, "edit sims/engines/kernels/optimizers.py"


def test_the_tables_of_python_have_every_optimizer() -> None:
    names = set(get_args(recipe.Optimizer))
    for table, source in (
        (segment.OPTIMIZERS, "OPTIMIZERS in sims/engines/segment.py"),
        (segment.MOMENTS, "MOMENTS in sims/engines/segment.py"),
        (usual_parameters.OPTIMIZERS, "OPTIMIZERS in sims/contract/usual_parameters.py"),
        (network_file.OPTIMIZERS, "OPTIMIZERS in sims/builder/network_file.py"),
    ):
        assert set(table) == names, f"edit {source}: it differs from Optimizer in sims/engines/recipe.py"
