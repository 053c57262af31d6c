"""Reports as text for a terminal: one alone, and two side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

from sims.xray.about import CANNOT_SEE
from sims.xray.additions import MEASURES, Addition, Contents, Finding, streams

SHOWN = (
    ("stream", "stream", "9.3g"),
    ("branch", "branch", "9.3g"),
    ("ratio", "ratio", "8.3f"),
    ("cosine", "cosine", "7.2f"),
    ("identity_share", "share", "7.2f"),
    ("angle", "angle", "7.3f"),
    ("gradient", "gradient", "9.2e"),
    ("lesion", "lesion", "8.3f"),
)
"""Measure, its heading, and its format"""

WIDE = 34
"""Characters of a name"""


def text(contents: Contents, findings: Sequence[Finding], site: str = "") -> str:
    """A table of the additions, stream by stream, and the findings below it."""
    columns = [column for column in SHOWN if any(_measured(a, column[0]) for a in contents.additions)]
    lines = [f"{'#':>3} {'where':{WIDE}} {'kind':9}" + "".join(f" {head:>{_width(form)}}" for _, head, form in columns)]
    for stream in streams(contents.additions):
        growth = "" if stream.growth is None else f", grows ×{stream.growth:.3g}"
        gradient = "" if stream.gradient_ratio is None else f", gradient first/last {stream.gradient_ratio:.3g}"
        lines.append(f"    stream {stream.number}, shape {'×'.join(map(str, stream.shape))}{growth}{gradient}")
        lines += [_line(addition, columns) for addition in stream.additions]
    if not contents.additions:
        lines = [f"No residual addition was found in {contents.model or 'this network'}."]
    lines += ["", *(_sentence(finding, site) for finding in findings)] if findings else []
    return "\n".join([*lines, "", *CANNOT_SEE])


def _measured(addition: Addition, name: str) -> bool:
    return getattr(addition, name) is not None


def _width(form: str) -> int:
    return int(form.partition(".")[0])


def _line(addition: Addition, columns: Sequence[tuple[str, str, str]]) -> str:
    cells = [getattr(addition, name) for name, _, _ in columns]
    numbers = [
        " " + ("–" if v is None else f"{v:{form}}").rjust(_width(form))
        for v, (_, _, form) in zip(cells, columns, strict=True)
    ]
    between = [kind for kind in dict.fromkeys((*addition.trunk, *addition.on_skip)) if kind != "bias"]
    on = f"  [{', '.join(between)} on the stream]" if between else ""
    return f"{addition.number:3} {addition.name[-WIDE:]:{WIDE}} {addition.kind:9}{''.join(numbers)}{on}"


def _sentence(finding: Finding, site: str) -> str:
    where = f" → {site}{finding.link}" if finding.link else ""
    return f"[{finding.grade}] {finding.name}: {finding.words}{where}"


@dataclass(frozen=True)
class Pair:
    """One addition in two reports"""

    name: str
    one: Addition
    other: Addition


@dataclass(frozen=True)
class Comparison:
    """Two reports side by side"""

    pairs: tuple[Pair, ...]
    """Additions of both, in the order of the first"""
    only_one: tuple[Addition, ...]
    only_other: tuple[Addition, ...]

    def __str__(self) -> str:
        if not self.pairs:
            lines = ["The two reports have no addition in common."]
        else:
            shown = ("stream", "ratio", "gradient", "lesion")
            names = [name for name in shown if name in MEASURES and any(self._both(pair, name) for pair in self.pairs)]
            lines = [f"{'where':{WIDE}}" + "".join(f" {name:>21}" for name in names)]
            for pair in self.pairs:
                cells = [self._cell(pair, name) for name in names]
                lines.append(f"{pair.name[-WIDE:]:{WIDE}}" + "".join(f" {cell:>21}" for cell in cells))
        for word, rest in (("first", self.only_one), ("second", self.only_other)):
            if rest:
                lines.append(f"Only in the {word}: {', '.join(addition.name for addition in rest)}")
        return "\n".join(lines)

    @staticmethod
    def _both(pair: Pair, name: str) -> bool:
        return _measured(pair.one, name) and _measured(pair.other, name)

    @staticmethod
    def _cell(pair: Pair, name: str) -> str:
        one, other = (getattr(addition, name) for addition in (pair.one, pair.other))
        return " → ".join("–" if value is None else f"{value:.3g}" for value in (one, other))


def compared(one: Contents, other: Contents) -> Comparison:
    """Match the additions of two reports by module, call and place."""
    here, there = ({(a.module, a.call, a.place): a for a in contents.additions} for contents in (one, other))
    return Comparison(
        tuple(Pair(addition.name, addition, there[key]) for key, addition in here.items() if key in there),
        tuple(addition for key, addition in here.items() if key not in there),
        tuple(addition for key, addition in there.items() if key not in here),
    )
