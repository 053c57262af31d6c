"""The problem set: it is marked as downloaded, its solutions pass, and each wrong one fails its problem only."""

import subprocess
import sys
from pathlib import Path

import pytest

from sims.paths import ROOT
from sims.pytorch.exercises.mark_problems import PROBLEMS, loaded, marked
from tests.tiers import first

FOLDER = ROOT / "sims" / "pytorch" / "exercises"
SOLUTIONS = Path(__file__).parent / "solutions.py"

WRONG = {
    "the branch alone": (1, "return x + self.branch(x)", "return self.branch(x)"),
    "in place": (1, "return x + self.branch(x)", "return x.add_(self.branch(x))"),
    "all layers at zero": (2, "branch[-1].parameters()", "branch.parameters()"),
    "the bias left": (2, "in branch[-1].parameters():", "in [branch[-1].weight]:"),
    "one layer too few": (3, "for _ in range(count):", "for _ in range(count - 1):"),
    "random layers": (3, "nn.init.eye_(layer.weight)", "nn.init.normal_(layer.weight)"),
    "a ratio of squares": (4, "first.norm() / last.norm()", "(first.norm() / last.norm()) ** 2"),
    "gradients left": (
        4,
        "first, last = torch.autograd.grad(end.square().sum() / 2, [start, end])",
        "end.retain_grad()\n    (end.square().sum() / 2).backward()\n    first, last = start.grad, end.grad",
    ),
    "paths without their gains": (5, "gain * through", "through"),
    "Pre-LN with its norm outside": (6, "x + self.branch(self.norm(x))", "x + self.norm(self.branch(x))"),
    "Post-LN without its skip": (6, "self.norm(x + self.branch(x))", "self.norm(self.branch(x))"),
    "believes everything": (
        7,
        "return bool(torch.allclose(point.grad",
        "return True or bool(torch.allclose(point.grad",
    ),
    "nudges one entry": (7, "for place in range(x.numel()):", "for place in range(1):"),
    "compares one entry": (7, "allclose(point.grad, slopes,", "allclose(point.grad[:1], slopes[:1],"),
    "one block too few": (8, "for _ in range(blocks):", "for _ in range(blocks - 1):"),
    "first layers at zero": (8, "            start_at_zero(branch)\n", "            start_at_zero(branch[:1])\n"),
    "branches that start large": (8, "        if skip:\n            start_at_zero(branch)\n", ""),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_solution_fails_its_problem_and_no_other(name: str, tmp_path: Path) -> None:
    number, before, after = WRONG[name]
    text = SOLUTIONS.read_text(encoding="utf-8")
    assert text.count(before) == 1, before
    path = tmp_path / "changed.py"
    path.write_text(text.replace(before, after), encoding="utf-8")
    file = loaded(path)
    # The last problem trains two networks, which takes seconds, and uses the first two.
    tried = [at for at in range(1, len(PROBLEMS) + 1) if at == number or at < len(PROBLEMS)]
    failed = [at for at in tried if marked(file, [PROBLEMS[at - 1]])[0]]
    assert failed == [number]


@pytest.mark.parametrize(
    ("name", "code", "words"), first(1, [("solutions.py", 0, " right\n"), ("problem_set.py", 1, "not done yet.\n")])
)
def test_the_files_run_as_they_are_downloaded(name: str, code: int, words: str, tmp_path: Path) -> None:
    for path in (FOLDER / "problem_set.py", FOLDER / "mark_problems.py", SOLUTIONS):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    command = [sys.executable, "-I", "mark_problems.py", name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert (done.returncode, done.stdout.count(words)) == (code, len(PROBLEMS)), done.stdout
