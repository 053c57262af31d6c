"""`python -m tools.library_page`: writes docs/library.md, the public blocks and checks with their signatures."""

import inspect
import re
from collections.abc import Iterable, Iterator
from typing import Any

import sims.xray
from sims.paths import ROOT
from sims.pytorch import library

PAGE = ROOT / "docs" / "library.md"

HEAD = """# Blocks, checks and the X-ray: the public names

This page is written by `python -m tools.library_page` from the code; do not edit it.

`make wheels` writes the package `residual-blocks`, which needs torch 2.5 or later. In a clone, import from
`sims.pytorch.library` instead of `residual_blocks`. The package `residual-xray` has the module `xray`; in a clone it is
`sims.xray`, and [its own page](xray.md) says how to use it. Our tests run both with one version of torch, that of
`requirements.txt`.
"""

GROUPS = (
    ("Wrappers for a branch of yours", "layers.blocks"),
    ("Blocks with published weights", "published"),
    ("Blocks of transformers", "layers.transformer_blocks"),
    ("Further blocks of the recipes", "layers.recipe_blocks"),
    ("Blocks for images", "layers.vision_blocks"),
    ("Initial values and factors of branches", "layers.branch_ends"),
    ("Checks for any network", "diagnostics"),
)
"""Heading → where the names below it are defined, in `sims.pytorch`"""


def page() -> str:
    """The text of the page. Raises ValueError if a public name belongs to no group."""
    parts = [HEAD, "```python\nfrom residual_blocks import GPT2Block, gradient_norms\n```\n"]
    left = set(library.__all__)
    for heading, place in GROUPS:
        names = [name for name in library.__all__ if f"sims.pytorch.{place}" in getattr(library, name).__module__]
        left -= set(names)
        parts.append(_section(heading, ((name, getattr(library, name)) for name in names)))
    if left:
        raise ValueError(f"no group has {', '.join(sorted(left))}")
    parts.append(_section("The X-ray", ((name, getattr(sims.xray, name)) for name in ("xray", "compare"))))
    parts.append(
        "`xray` gives a `Report`, which has a list of `Addition` and answers `findings()` with a list of `Finding`.\n"
    )
    methods = inspect.getmembers(
        sims.xray.Report, lambda member: inspect.isfunction(member) or inspect.ismethod(member)
    )
    public = [(f"Report.{name}", method) for name, method in methods if not name.startswith("_")]
    parts.append(_section("Methods of a report", public))
    return "\n".join(parts)


def _section(heading: str, entries: Iterable[tuple[str, Any]]) -> str:
    return "\n".join([f"## {heading}\n", *(line for name, value in entries for line in _entry(name, value))])


def _entry(name: str, value: Any) -> Iterator[str]:
    yield f"```python\n{name}{_signature(value)}\n```\n"
    yield f"{_first_lines(value)}\n"


def _signature(value: Any) -> str:
    signature = inspect.signature(value)
    parameters = [parameter for parameter in signature.parameters.values() if parameter.name != "self"]
    answer = inspect.Signature.empty if inspect.isclass(value) else signature.return_annotation
    text = str(signature.replace(parameters=parameters, return_annotation=answer))
    text = re.sub(r"(?<![\w.])(?:[a-z_]+\.)+(?=[A-Z])", "", text)
    return re.sub(r"'(\w+)'", r"\1", text)


def _first_lines(value: Any) -> str:
    """The first paragraph of a docstring. Raises ValueError if there is none."""
    text = inspect.getdoc(value)
    if not text:
        raise ValueError(f"{value} has no docstring")
    return text.partition("\n\n")[0]


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
