"""Lesson plans, as pages show them and as slides are made from them."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

NOTHING = Markup()


@dataclass(frozen=True)
class Step:
    """A step of a plan. `open` is an address within the site, "" for none; `wrong` are wrong answers with replies."""

    minute: int
    do: Markup
    open: str = ""
    ask: Markup = NOTHING
    expect: Markup = NOTHING
    answer: Markup = NOTHING
    wrong: Sequence[tuple[Markup, Markup]] = ()


@dataclass(frozen=True)
class Lesson:
    """A plan: what students can do after it, what they need before it, and its steps."""

    id: str
    title: Markup
    aims: Sequence[Markup]
    needs: Markup
    steps: Sequence[Step]
