"""A recipe: the block as a wire, and below it a table with a line for each part, which opens to its sources."""

import re
from html import escape

from bokeh.models import InlineStyleSheet, LayoutDOM
from panel.models import HTML

from app.pictures.base.block_wire import Block, BlockWire
from app.pictures.base.figures import plot
from app.pictures.base.questions import known
from app.views.base import View
from sims.contract.frame import Frame
from sims.data.recipe_evidence import GRADES
from sims.simulations.design_choices.which_block import WhichBlock

SIGNS = dict(zip(GRADES.values(), ("●●●●", "●●●○", "●●○○", "●●○○", "●○○○", "="), strict=True))
"""Grade in words → its sign, so that support is shown by more than a color"""

BLOCKS = {
    "x + F(LN(x))": Block(("LN", "F")),
    "x + cF(LN(x))": Block(("LN", "F", "× c")),
    "x + γ ⊙ F(LN(x))": Block(("LN", "F", "× γ")),
    "x + LN(F(LN(x)))": Block(("LN", "F", "LN")),
    "LN(x + F(x))": Block(("F",), after="LN"),
    "LN(αx + F(x)), α = ⁴√(2N)": Block(("F",), skip="× α", after="LN"),
    "x + αF(x)": Block(("F", "× α")),
    "ReLU(x + F(x))": Block(("3 × (conv, BN)",), after="ReLU"),
    "x + 0.2 · gain · F(x/spread)": Block(("÷ spread", "F", "× 0.2 gain")),
    "x + γ ⊙ F(x)": Block(("7×7", "LN, MLP", "× γ")),
}
"""Formula of a recipe → what is drawn of its block"""

HEIGHT, WIRE = 568, 104
"""Pixels of the table, which scrolls, and of the drawing above it"""

STYLE = """
.recipe { font-family: var(--sans, sans-serif); font-size: 15px; line-height: 1.35; color: var(--ink); height: 100%;
  overflow-y: auto; overscroll-behavior: contain; border: solid var(--rule); border-width: 1px 0; }
@media (max-width: 40em) { .recipe { padding-bottom: 2.5em; box-sizing: border-box;
  mask-image: linear-gradient(#000 calc(100% - 3em), transparent); } }
:is(.recipe, summary, a):focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
details { border-bottom: 1px solid var(--rule); }
summary { display: grid; grid-template-columns: 8.6em 1fr 13.6em; gap: 0 0.8em; padding: 0.3em 0.4em; cursor: pointer;
  list-style: none; align-items: baseline; }
summary::-webkit-details-marker { display: none; }
summary:hover, details[open] > summary { background: var(--wash); }
summary b { font-weight: 650; }
summary b::before { content: "▸ "; color: var(--soft); }
details[open] > summary b::before { content: "▾ "; }
.grade { color: var(--soft); font-size: 13px; }
.grade { white-space: nowrap; }
.grade i { font-style: normal; color: var(--accent); font-size: 13px; margin-right: 0.5em; }
.grade em { font-style: normal; color: var(--failing); visibility: var(--answer, visible); }
.why { padding: 0.1em 0.8em 0.6em 1.6em; font-size: 14px; }
.why p { margin: 0.25em 0; }
a { color: var(--accent); }
@media (max-width: 46em) {
  summary { grid-template-columns: 1fr auto; gap: 0 0.6em; padding: 0.34em 0.3em; }
  summary .advice { grid-column: 1 / -1; grid-row: 2; font-size: 14px; }
}
@container (min-width: 1100px) {
  .recipe { font-size: 20px; }
  :is(.grade, .grade i, .why) { font-size: 18px; }
}
"""


class WhichBlockView(View[WhichBlock]):
    """A drawing of the block and the table of the recipe."""

    def draw(self) -> list[LayoutDOM]:
        self._figure = plot("One branch of the block", "", "", height=WIRE, x_range=(0, 100), y_range=(92, 0))
        self._figure.update(frame_align=False, min_border=2)
        self._figure.axis.visible = False
        self._figure.grid.visible = False
        self._figure.styles = {"grid-column": "1 / -1"}
        self._wire = BlockWire(self._figure, "14px")
        known(self._figure)
        self._table = HTML(
            text="",
            height=HEIGHT,
            sizing_mode="stretch_width",
            margin=0,
            stylesheets=[InlineStyleSheet(css=STYLE)],
            styles={"grid-column": "1 / -1"},
            html_attributes={"role": "group", "aria-label": "The recipe, line by line"},
        )
        return [self._figure, self._table]

    def update(self, frame: Frame) -> None:
        self._wire.show(BLOCKS[str(frame.results["formula"])], 26, 68)
        columns = ("parts", "advice", "grades", "by", "against", "against_by")
        rows = zip(*(frame[name].tolist() for name in columns), strict=True)
        lines = "".join(_line(*row) for row in rows)
        self._table.text = escape(f'<div class="recipe" tabindex="0">{lines}</div>')


def _line(part: str, advice: str, grade: str, by: str, against: str, against_by: str) -> str:
    """One line of the table: closed, what to do and how well that is supported; open, by whom."""
    disputed = " <em>≠ disputed</em>" if against else ""
    reasons = [f"<p>Who does it: {_links(by)}</p>" if by else "<p>No source: a choice of ours.</p>"]
    if grade == GRADES["counted"]:
        reasons = ["<p>Arithmetic. Our tests count the parameters of the network in the file below.</p>"]
    if against:
        where = f" ({_links(against_by)})" if against_by else ""
        reasons.append(f"<p>Who does not: {escape(against)}{where}</p>")
    return (
        f'<details><summary><b>{escape(part)}</b><span class="advice">{escape(advice)}</span>'
        f'<span class="grade"><i aria-hidden="true">{SIGNS[grade]}</i>{escape(grade)}{disputed}</span></summary>'
        f'<div class="why">{"".join(reasons)}</div></details>'
    )


def _links(sources: str) -> str:
    """Sources, each with its address in brackets, as links; others' sites open in a new tab."""
    parts = []
    for source in sources.split("; "):
        match = re.fullmatch(r"(.*) \[(.*)\]", source)
        if match:
            words, address = match.groups()
            target = ' target="_blank" rel="noopener"' if address.startswith("http") else ""
            parts.append(f'<a href="{escape(address)}"{target}>{escape(words)}</a>')
    return " · ".join(parts)
