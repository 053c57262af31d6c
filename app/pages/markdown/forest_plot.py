"""The directive `{forest}`: numbers with their ranges, one row each, on one axis; often differences, with a band for
noise.

    :::{forest} The caption
    head: Design
    calc: compared_designs.difference
    verdict: compared_designs.verdict
    note: compared_designs.rate
    note_words: learning rate
    band: compared_designs.noise()
    form: +.3f
    across: {label: "loss minus that of Pre-LN, in nats per symbol", from: -0.2, to: 0.4}
    rows:
    - {head: Peri-LN, with: {design: peri-ln}, work: peri-ln}
    :::

`calc` is called with the arguments `with`, those of a row, and three statistics: "mean", "low" and "high", or those of
`statistics`. `verdict` returns "better", "worse" or "tie"; it and `band` come together or not at all, and so do `note`
and `note_words`. What lies beyond the axis ends in an arrow. The rows are ordered by the first statistic. A row with a
`work` of `content/field.toml` tells what others found who tried it. Heads and caption are Markdown.

Within `{covered}`, the figure shows no difference until the reader has answered, or chosen to look; its rows are then
in the order of the page.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from app.pages.blocks.roles import PENDING, calc, computed
from app.pages.data import field
from app.pages.document.page_context import PageContext
from app.pages.text import located_yaml
from app.pages.text.located_yaml import LocatedStr
from app.pages.text.numerals import typeset
from app.pages.text.templating import fill

KEYS = ("head", "across", "calc", "form", "rows")

TOGETHER = (("verdict", "band"), ("note", "note_words"))
"""Keys that come together or not at all"""

STATISTICS = ("mean", "low", "high")

STEPS = (1, 2, 5)
"""Distances between ticks, times a power of ten"""

MOST_TICKS = 4

NEARLY = 1e-6
"""Share of a step by which rounding may move an end of the axis"""


@dataclass(frozen=True)
class Axis:
    """A horizontal axis, in the unit of the numbers; places on it are percentages of its width."""

    start: float
    end: float

    def place(self, value: float) -> float:
        """Where a value is, within the axis."""
        inside = min(max(value, self.start), self.end)
        return round(100 * (inside - self.start) / (self.end - self.start), 2)

    def ticks(self) -> list[float]:
        """Round numbers with equal distances, 0 among them."""
        power = 10.0 ** math.floor(math.log10((self.end - self.start) / MOST_TICKS))
        steps = [step * power for step in (*STEPS, 10 * STEPS[0])]
        step = next(step for step in steps if (self.end - self.start) / step < MOST_TICKS + 0.5)
        numbers = range(math.ceil(self.start / step - NEARLY), math.floor(self.end / step + NEARLY) + 1)
        return [number * step for number in numbers]


@dataclass(frozen=True)
class Row:
    """A row whose numbers are known, with the places of its interval on the axis."""

    head: Markup
    note: Markup
    mean: float
    text: Markup
    words: str
    verdict: str
    low: float
    middle: float
    high: float
    below: bool
    above: bool
    work: str
    others: Sequence[str]
    """What others found who tried the work: keys of `field.OUTCOMES`"""


def forest(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """The figure. Raises ValueError where a part is missing or unknown."""
    optional = (*(key for pair in TOGETHER for key in pair), "statistics", "with")
    data = located_yaml.fields(located_yaml.load(body, body.line), KEYS, optional)
    for pair in TOGETHER:
        if len(data.keys() & {*pair}) == 1:
            raise ValueError(f"{' and '.join(pair)} come together")
    across = located_yaml.fields(data["across"], ("label", "from", "to"))
    axis = Axis(float(across["from"]), float(across["to"]))
    band = computed(context, data["band"])[0] if "band" in data else 0.0
    works = {work.id: work for work in field.read(context.library.glossary_file.with_name(field.FILE))}
    rows = [_row(context, data, entry, axis, works, body.line) for entry in data["rows"]]
    known = [row for row in rows if row is not None]
    if band is None or len(known) < len(rows):
        return Markup("<p>{}</p>").format(PENDING)
    width = float(band)
    return fill(
        "reference/forest",
        caption=context.inline(argument, body.line - 1),
        head=data["head"],
        axis=across["label"],
        rows=known,
        ticks=[(axis.place(tick), typeset(tick, "+.2g") if tick else "0") for tick in axis.ticks()],
        zero=axis.place(0),
        band=(axis.place(-width), round(axis.place(width) - axis.place(-width), 2)) if width else None,
        outcomes=field.OUTCOMES,
    )


def _row(
    context: PageContext, data: Mapping[str, Any], entry: Any, axis: Axis, works: Mapping[str, field.Work], line: int
) -> Row | None:
    """A row; None while one of its numbers is being computed."""
    fields = located_yaml.fields(entry, ("head", "with"), ("work",))
    work = fields.get("work", "")
    if work and work not in works:
        raise ValueError(f"{field.FILE} has no work {work!r}")
    arguments: Mapping[str, Any] = {**data.get("with", {}), **fields["with"]}
    statistics = data.get("statistics", STATISTICS)
    values = [computed(context, _call(data["calc"], {**arguments, "statistic": one}))[0] for one in statistics]
    verdict = computed(context, _call(data["verdict"], arguments))[0] if "verdict" in data else ""
    if verdict is None or None in values:
        return None
    mean, low, high = (float(value) for value in values if value is not None)
    texts = [typeset(value, data["form"]).striptags() for value in (mean, low, high)]
    note = Markup("")
    if "note" in data:
        value = calc(context, LocatedStr(_call(data["note"], arguments)).at(line))
        note = Markup("{} {}").format(data["note_words"], value)
    return Row(
        context.inline(fields["head"], line),
        note,
        mean,
        typeset(mean, data["form"]),
        f"{texts[0]}, between {texts[1]} and {texts[2]}",
        str(verdict),
        axis.place(low),
        axis.place(mean),
        axis.place(high),
        low < axis.start,
        high > axis.end,
        work,
        [trial.outcome for trial in works[work].tried] if work else [],
    )


def _call(calculation: str, arguments: Mapping[str, Any]) -> str:
    return f"{calculation}({', '.join(f'{name}={_literal(value)}' for name, value in arguments.items())})"


def _literal(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
