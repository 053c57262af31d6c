"""The X-ray as one file that needs torch and nothing else, for a reader's own environment. Joining needs no torch."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from sims.xray.about import SCHEMA, SITE

NAME = "xray.py"

FOLDER = Path(__file__).parent

PARTS = (
    "about",
    "additions",
    "rules",
    "saved",
    "table",
    "picture",
    "report",
    "lineage",
    "skips",
    "measures",
    "tracer",
    "lesions",
    "watching",
    "__main__",
)
"""The room's modules, each after those that it needs"""

ADDRESS = FOLDER.parent / "contract" / "address.py"
FROM_ADDRESS = ("VERSION", "query")

HEAD = '''"""X-ray of a PyTorch network: which of its sums are residual, and what the stream and each branch do there.

    from xray import xray

    with xray(model) as report:
        loss = step()
        loss.backward()
    print(report)                        # a table
    report.lesions(step)                 # what is lost without each branch
    open("xray.html", "w", encoding="utf-8").write(report.to_html())

In a terminal, with a file whose function build() returns a model and a step: python xray.py FILE.py:build --help

This file is joined from the modules of a package, in the order of its sections. It needs torch and nothing else. Its
reports have the schema {schema}.
"""

__all__ = ["Addition", "Finding", "Report", "compare", "xray"]
'''


class _Piece(NamedTuple):
    """A module without its imports"""

    imports: tuple[tuple[str, str], ...]
    """Modules, each with what is imported from it, or with nothing"""
    names: tuple[str, ...]
    """What it defines"""
    text: str


@cache
def text(site: str = "") -> str:
    """The source of the single file. The links of findings lead to `site`, an address that ends in a slash.

    Raises ValueError if two modules define the same name.
    """
    pieces = [_piece("address", ADDRESS, FROM_ADDRESS), *(_piece(part, FOLDER / f"{part}.py") for part in PARTS)]
    names = [name for piece in pieces for name in piece.names]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"modules of the X-ray define the same names, so they cannot be one file: {', '.join(twice)}")
    imports = _lines({entry for piece in pieces for entry in piece.imports})
    body = "\n\n\n".join(piece.text for piece in pieces)
    body = body.replace(f'SITE = "{SITE}"', f"SITE = {site!r}").replace("python -m sims.xray", f"python {NAME}")
    head = HEAD.replace("{schema}", str(SCHEMA))
    return "\n".join([head, *imports, "", "", body, ""])


def _lines(imports: Iterable[tuple[str, str]]) -> list[str]:
    """A line for each module: the standard library, then torch."""
    imports = sorted(imports)
    lines = [f"import {module}" for module, name in imports if not name]
    for module in dict.fromkeys(module for module, name in imports if name):
        lines.append(f"from {module} import {', '.join(name for source, name in imports if source == module and name)}")
    own = [line for line in lines if line.split()[1].partition(".")[0] == "torch"]
    return [*(line for line in lines if line not in own), "", *own]


def _piece(name: str, path: Path, only: Sequence[str] = ()) -> _Piece:
    source = path.read_text(encoding="utf-8")
    tree, lines = ast.parse(source), source.splitlines()
    imports: list[tuple[str, str]] = []
    names: list[str] = []
    own_lines: list[str] = []
    statements = tree.body[1:]
    for at, node in enumerate(statements):
        defined = tuple(_defined(node))
        if isinstance(node, ast.Import | ast.ImportFrom):
            imports += list(_outside(node))
        elif not only or set(defined) & set(only):
            names += defined
            end = statements[at + 1].lineno - 1 if at + 1 < len(statements) else len(lines)
            end = _before_decorators(statements[at + 1], end) if at + 1 < len(statements) else end
            start = _before_decorators(node, node.lineno - 1)
            own_lines += [*lines[start:end]]
    about = (ast.get_docstring(tree) or "").partition("\n")[0]
    return _Piece(tuple(imports), tuple(names), f"# {name}: {about}\n\n\n" + "\n".join(own_lines).strip())


def _before_decorators(node: ast.stmt, line: int) -> int:
    decorators = getattr(node, "decorator_list", [])
    return decorators[0].lineno - 1 if decorators else line


def _outside(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """What an import brings that is not of this project."""
    if isinstance(node, ast.Import):
        yield from ((ast.unparse(alias), "") for alias in node.names)
    elif not (node.module or "").startswith("sims"):
        yield from ((node.module or "", ast.unparse(alias)) for alias in node.names)


def _defined(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            yield from (part.id for part in ast.walk(target) if isinstance(part, ast.Name))
