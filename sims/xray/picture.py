"""Reports as HTML: pictures over depth as SVG, findings, and the table; nothing is loaded from anywhere."""

import math
from collections.abc import Sequence
from html import escape

from sims.xray.about import CANNOT_SEE
from sims.xray.additions import Addition, Contents, Finding, streams

WIDTH, HEIGHT = 680, 190
LEFT, RIGHT, TOP, BOTTOM = 64, 12, 10, 34

PANELS: tuple[tuple[str, bool, tuple[tuple[str, str, str], ...]], ...] = (
    ("size", True, (("stream", "stream", "one"), ("branch", "branch", "two"))),
    ("branch / stream", True, (("ratio", "branch / stream", "two"),)),
    ("gradient of the stream", True, (("gradient", "gradient", "three"),)),
    (
        "shares and cosines",
        False,
        (
            ("identity_share", "share of the skip", "one"),
            ("cosine", "cosine of the two", "two"),
            ("alike", "likeness of inputs", "three"),
        ),
    ),
    ("rise without the branch", False, (("lesion", "lesion", "four"),)),
)
"""Title, whether the scale is logarithmic, and the measures that are drawn: name, words, color"""

CELLS = ("stream", "branch", "ratio", "cosine", "identity_share", "angle", "largest", "gradient", "lesion")

STYLE = """
.xray { --ink: #1d2430; --soft: #5b6676; --rule: #d5dae1; --paper: #fff;
  --one: #0b6e99; --two: #b8461f; --three: #5c4d7d; --four: #4f6b1c;
  color: var(--ink); background: var(--paper); font: 15px/1.5 system-ui, sans-serif; max-width: 900px; }
@media (prefers-color-scheme: dark) {
  .xray { --ink: #e6e9ee; --soft: #a3adbb; --rule: #3a424f; --paper: #14181f;
    --one: #5bb4dc; --two: #f08a63; --three: #b3a2dc; --four: #a9c46c; }
}
.xray svg { display: block; width: 100%; min-width: 560px; max-width: 800px; height: auto; margin: .4em 0 1em; }
.xray svg text { fill: var(--soft); font: 13px system-ui, sans-serif; }
.xray .rule { stroke: var(--rule); }
.xray .line { fill: none; stroke-width: 1.8; }
.xray .one { stroke: var(--one); --fill: var(--one); }
.xray .two { stroke: var(--two); --fill: var(--two); }
.xray .three { stroke: var(--three); --fill: var(--three); }
.xray .four { stroke: var(--four); --fill: var(--four); }
.xray .mark, .xray svg .key { fill: var(--fill); stroke: none; }
.xray table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; }
.xray .wide { overflow-x: auto; }
.xray th, .xray td { padding: .15em .6em; text-align: right; border-bottom: 1px solid var(--rule); }
.xray td { white-space: nowrap; }
.xray th:nth-child(2), .xray td:nth-child(2), .xray th:nth-child(3), .xray td:nth-child(3) { text-align: left; }
.xray li { margin: .3em 0; }
.xray a { color: var(--one); }
"""


BODY = """
body { margin: 0 auto; padding: 1em; max-width: 900px; color-scheme: light dark; }
@media (prefers-color-scheme: dark) { body { background: #14181f; } }
"""


def page(contents: Contents, findings: Sequence[Finding], site: str = "", title: str = "") -> str:
    """A complete HTML document."""
    head = escape(title or heading(contents))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width, initial-scale=1"><title>{head}</title><style>{BODY}</style></head>'
        f"<body>{fragment(contents, findings, site, title)}</body></html>\n"
    )


def heading(contents: Contents) -> str:
    """The heading of a report, with the name of the model if it has one."""
    return f"X-ray of {contents.model or 'a network'}"


def fragment(contents: Contents, findings: Sequence[Finding], site: str = "", title: str = "") -> str:
    """The same as a piece of a page, such as a notebook's."""
    count = len(contents.additions)
    parts = [f"<h2>{escape(title or heading(contents))}</h2>"]
    parts.append(
        f"<p>{count} residual addition{'' if count == 1 else 's'}; PyTorch {escape(contents.torch or 'unknown')}. "
        "Each picture runs over the additions, from the first to the last.</p>"
    )
    items = [_item(finding, site) for finding in findings]
    parts.append(f"<ul>{''.join(items)}</ul>" if items else "<p>No finding.</p>")
    parts += [panel(contents.additions, *settings) for settings in PANELS]
    if contents.additions:
        parts.append(table(contents.additions))
    parts.append(f"<p><b>What an X-ray cannot see.</b> {' '.join(map(escape, CANNOT_SEE))}</p>")
    return f'<div class="xray"><style>{STYLE}</style>{"".join(parts)}</div>'


def _item(finding: Finding, site: str) -> str:
    words = f"<b>{escape(finding.grade)}: {escape(finding.name)}.</b> {escape(finding.words)}"
    if site and finding.link:
        words += f' <a href="{escape(site + finding.link)}">See it and try it</a>'
    return f"<li>{words}</li>"


def panel(additions: Sequence[Addition], title: str, logarithmic: bool, lines: Sequence[tuple[str, str, str]]) -> str:
    """An SVG of some measures over the additions; empty if none was measured."""
    drawn = [(name, words, color) for name, words, color in lines if _points(additions, name, logarithmic)]
    values = [value for name, _, _ in drawn for _, value in _points(additions, name, logarithmic)]
    if not values:
        return ""
    low, high = min(values), max(values)
    if not logarithmic:
        low, high = min(low, 0.0), max(high, 0.0)
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    across = (WIDTH - LEFT - RIGHT) / max(len(additions) - 1, 1)

    def x(number: int) -> float:
        return LEFT + across * number

    def y(value: float) -> float:
        return TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM)

    parts = [
        _rule(LEFT, y(tick), WIDTH - RIGHT, y(tick)) + _label(LEFT - 6, y(tick) + 4, _tick(tick, logarithmic), "end")
        for tick in _ticks(low, high, logarithmic)
    ]
    for stream in streams(additions)[1:]:
        at = x(stream.additions[0].number) - across / 2
        parts.append(_rule(at, TOP, at, HEIGHT - BOTTOM, dashed=True))
    for name, _, color in drawn:
        for run in _runs(_points(additions, name, logarithmic)):
            path = " ".join(f"{x(number):.1f},{y(value):.1f}" for number, value in run)
            parts.append(f'<polyline class="line {color}" points="{path}"/>')
        for number, value in _points(additions, name, logarithmic):
            exact = getattr(additions[number], name)
            tip = f"<title>{escape(additions[number].name)}: {name.replace('_', ' ')} {exact:.4g}</title>"
            parts.append(f'<circle class="mark {color}" cx="{x(number):.1f}" cy="{y(value):.1f}" r="3">{tip}</circle>')
    parts += [
        _label(x(0), HEIGHT - 18, "0"),
        _label(x(len(additions) - 1), HEIGHT - 18, str(len(additions) - 1), "end"),
    ]
    keys = " ".join(f'<tspan class="key {color}" dx="14">● {escape(words)}</tspan>' for _, words, color in drawn)
    parts.append(f'<text x="{LEFT}" y="{HEIGHT - 3}">{escape(title)}{keys}</text>')
    label = escape(f"{title} at each of {len(additions)} additions")
    svg = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">{"".join(parts)}</svg>'
    return f'<div class="wide">{svg}</div>'


def _points(additions: Sequence[Addition], name: str, logarithmic: bool) -> list[tuple[int, float]]:
    values = [(number, getattr(addition, name)) for number, addition in enumerate(additions)]
    values = [(number, value) for number, value in values if value is not None and math.isfinite(value)]
    if logarithmic:
        return [(number, math.log10(value)) for number, value in values if value > 0]
    return values


def _runs(points: Sequence[tuple[int, float]]) -> list[list[tuple[int, float]]]:
    """Points in stretches without a gap."""
    runs: list[list[tuple[int, float]]] = []
    for number, value in points:
        if runs and runs[-1][-1][0] == number - 1:
            runs[-1].append((number, value))
        else:
            runs.append([(number, value)])
    return runs


def _ticks(low: float, high: float, logarithmic: bool) -> list[float]:
    step = 10 ** math.floor(math.log10(max(high - low, 1e-9)))
    step *= 0.5 if (high - low) / step < 2 else 1 if (high - low) / step < 6 else 2
    if logarithmic:
        step = max(1.0, round(step)) if high - low >= 1.5 else step
    first = math.ceil(low / step - 1e-9)
    return [at * step for at in range(first, math.floor(high / step + 1e-9) + 1)]


def _tick(value: float, logarithmic: bool) -> str:
    return f"{10**value:.2g}" if logarithmic else f"{value:.2g}" if abs(value) > 1e-12 else "0"


def _rule(x1: float, y1: float, x2: float, y2: float, dashed: bool = False) -> str:
    dash = ' stroke-dasharray="3 4"' if dashed else ""
    return f'<line class="rule" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"{dash}/>'


def _label(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def table(additions: Sequence[Addition]) -> str:
    """A table of the additions."""
    columns = [name for name in CELLS if any(getattr(addition, name) is not None for addition in additions)]
    head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in ("#", "where", "kind", *columns))
    rows = []
    for addition in additions:
        values = [getattr(addition, name) for name in columns]
        cells = [str(addition.number), escape(addition.name), escape(addition.kind)]
        cells += ["–" if value is None else f"{value:.3g}" for value in values]
        rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
