"""Every listing of a page runs as a reader copies it: alone, with PyTorch or NumPy and nothing of this site."""

import ast
import re
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from app.pages.document.page import Library
from app.pages.markdown.prose import compile_page
from sims.paths import CONTENT

FRONT = "---\ntitle: A page\nslug: page\nquestion: Why?\nlede: Because.\n---\n"
LIBRARIES = {"torch", "numpy"}

RUN = """
import pathlib, sys, warnings
warnings.simplefilter("error")
import torch
sys.modules |= dict.fromkeys(("sims", "app", "tests"))  # an import of one of these raises an error
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.py")):
    names = {"__name__": "copied"}
    exec(compile(path.read_text(encoding="utf-8"), path, "exec"), names)
    use = path.with_suffix(".use")
    if use.is_file():
        exec(compile(use.read_text(encoding="utf-8"), use, "exec"), names)
"""

BLOCK = """
import torch
block, x = {}, torch.randn({}, requires_grad=True)
assert block(x).shape == x.shape
block(x).sum().backward()
"""
BRANCH = """
import torch
block, x = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Tanh(), torch.nn.Linear(4, 4)), torch.randn(1, 3, 4)
y = block(x)
"""
USES = {
    "sims.pytorch.layers.blocks.Residual": BLOCK.format("Residual(nn.Linear(4, 4))", "2, 4"),
    "sims.pytorch.published.gpt2": BLOCK.format("GPT2Block(16, 2, dropout=0.1)", "2, 5, 16"),
    "sims.pytorch.published.llama": BLOCK.format("LlamaBlock(16, 4, 2, 32)", "2, 5, 16"),
    "sims.pytorch.published.resnet": BLOCK.format("nn.Sequential(BasicBlock(8, 8), Bottleneck(8, 8))", "2, 8, 5, 5"),
    "sims.pytorch.published.convnext": BLOCK.format("ConvNeXtBlock(8, drop_path=0.1)", "2, 8, 5, 5"),
    "sims.pytorch.layers.branch_ends.zero_ends": f"{BRANCH}zero_ends(block, '2')\nassert not block(x).any()",
    "sims.pytorch.layers.branch_ends.shrink_ends": f"{BRANCH}shrink_ends(block, 0.5, '2')\n"
    "assert torch.equal(block(x), y / 2)",
    "sims.pytorch.layers.branch_ends.multiply_ends": f"{BRANCH}multiply_ends(block, 0.5, '2')\n"
    "assert torch.equal(block(x), y / 2)\nassert block.state_dict()['2.factor'] == 0.5",
    "sims.pytorch.diagnostics.checks.gradient_norms": f"{BRANCH}loss = y.sum()\n"
    "assert len(gradient_norms(block, loss)) == 4\nloss.backward()",
    "sims.pytorch.diagnostics.checks.sees_the_future": f"{BRANCH}assert not sees_the_future(block, x)",
    "sims.pytorch.diagnostics.checks.saved_bytes": f"{BRANCH}assert saved_bytes(block, x) == 3 * 4 * 4",
}
"""Objects of a listing of chapter 9 → what a reader may do after copying it"""


class Copied(HTMLParser):
    """The text that the button of a listing copies: what its `<code>` shows."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.text, self.inside = "", False
        self.feed(markup)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.inside = self.inside or tag == "code"

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "code"

    def handle_data(self, data: str) -> None:
        self.text += data if self.inside else ""


@cache
def listings() -> dict[str, str]:
    """Objects of every listing of the pages → the text that a reader copies."""
    paths = [
        match
        for file in sorted(CONTENT.rglob("*.md"))
        for match in re.findall(r"^:+\{code\} (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    library = Library(terms={}, papers={}, claims={}, slugs=frozenset(), written=frozenset())
    return {
        path: Copied(str(compile_page(f"{FRONT}:::{{code}} {path}\n:::\n", Path("page.md"), library).html)).text
        for path in dict.fromkeys(paths)
    }


def write(folder: Path) -> None:
    for number, (path, text) in enumerate(listings().items()):
        (folder / f"listing_{number}.py").write_text(text + "\n", encoding="utf-8")
        if path in USES:
            (folder / f"listing_{number}.use").write_text(USES[path], encoding="utf-8")


def test_every_listing_runs_alone(tmp_path: Path) -> None:
    write(tmp_path)
    run = subprocess.run([sys.executable, "-I", "-c", RUN, tmp_path], capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0, run.stderr


def test_no_listing_names_what_it_does_not_define_or_imports_what_it_does_not_use(tmp_path: Path) -> None:
    write(tmp_path)
    check = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--select", "F", tmp_path]
    run = subprocess.run(check, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize("path", listings())
def test_a_listing_needs_one_library(path: str) -> None:
    modules = set[str]()
    for node in ast.walk(ast.parse(listings()[path])):
        if isinstance(node, ast.Import):
            modules |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules.add(str(node.module).partition(".")[0])
    assert modules <= LIBRARIES | sys.stdlib_module_names


def test_the_listings_of_chapter_9_are_used() -> None:
    chapter = (CONTENT / "chapters" / "9-cheat-sheet.md").read_text(encoding="utf-8")
    assert re.findall(r"^:+\{code\} (.+)$", chapter, re.MULTILINE) == list(USES)
