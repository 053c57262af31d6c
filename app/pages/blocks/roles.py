"""Roles, the inline placeholders of a sentence: computed numbers, live results, draggable numbers, terms, citations."""

import re
from collections.abc import Callable, Mapping, Sequence

from markupsafe import Markup

from app.pages.blocks.figure_directive import knob, value
from app.pages.blocks.presets import held, preset
from app.pages.blocks.worked_example import input_role
from app.pages.document.page_context import PageContext
from app.pages.text.located_yaml import LocatedStr
from app.pages.text.numerals import typeset
from sims.contract.calculation import Number
from sims.contract.summary import Summary
from sims.kept.book import spelled
from sims.numbers.call import input_names, parse

SHOWN = re.compile(r"(?P<shown>.+?)\s*<(?P<name>[^<>]+)>", re.DOTALL)
PENDING = Markup(
    '<span class="pending" title="being computed; reload the page in a minute">…'
    '<span class="hidden"> (being computed)</span></span>'
)
MOVES = "; the rounding of another kind of processor may move it"
ONE_CALC = re.compile(r"\s*\{calc\}`([^`]+)`\s*")


def computed(context: PageContext, content: str) -> tuple[Number | None, str]:
    """The value of `module.function(name=value)|form`, and the form. The value is None, and noted, if workers compute
    it.

    Raises ValueError if the content does not name a calculation, and whatever the calculation raises.
    """
    call, _bar, form = content.replace("\\|", "|").partition("|")
    calculation, arguments = parse(call)
    if isinstance(calculation, Summary):
        numbers = {needed: computed(context, needed)[0] for needed in calculation.needs(**arguments)}
        return None if None in numbers.values() else calculation(numbers, **arguments), form.strip()
    if not calculation.long:
        return calculation(**arguments), form.strip()
    number = context.library.numbers.value(calculation, arguments)
    context.long[spelled(calculation, arguments)] = number
    return number, form.strip()


def calc(context: PageContext, content: LocatedStr) -> Markup:
    """A number of `sims`, computed when the page is built."""
    call, _bar, form = content.replace("\\|", "|").partition("|")
    if context.example and input_names(call):
        return context.example.calc(call.strip(), form.strip())
    number, form = computed(context, content)
    if number is None:
        return PENDING
    kind = "words" if isinstance(number, str) else "number"
    title = f"computed: {call.strip()}{MOVES if parse(call)[0].unsettled else ''}"
    return Markup('<span class="{}" title="{}">{}</span>').format(kind, title, typeset(number, form))


def stated(context: PageContext, text: LocatedStr) -> Number | None:
    """The number that a text gives, as a literal or as one `{calc}`; None while it is being computed.

    Raises ValueError where the text is neither.
    """
    match = ONE_CALC.fullmatch(text)
    if match:
        return computed(context, match[1])[0]
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{text!r} is neither a number nor one {{calc}} role") from None


def term(context: PageContext, content: LocatedStr) -> Markup:
    """A term of the glossary, with an explanation that opens next to it. Raises ValueError if the glossary lacks it."""
    match = SHOWN.fullmatch(content)
    label, name = (match["shown"], match["name"]) if match else (content, content)
    entry = context.library.terms.get(name.strip().casefold())
    if entry is None:
        raise ValueError(f"the glossary has no term {name!r}")
    context.terms.setdefault(entry.id, entry)
    return Markup('<a class="term" href="glossary#{0}" data-card="term-{0}"{1}>{2}</a>').format(
        entry.id, Markup(" data-everyday") if entry.everyday else "", context.inline(label, content.line)
    )


def _cite(context: PageContext, keys: Sequence[str], form: str) -> list[Markup]:
    links = []
    for key in keys:
        paper = context.library.papers.get(key.strip())
        if paper is None:
            raise ValueError(f"the references have no key {key.strip()!r}")
        context.papers.setdefault(paper.key, paper)
        link = Markup('<a class="cite" href="references#{0}" data-card="paper-{0}">{1}</a>')
        links.append(link.format(paper.key, form.format(paper.short, paper.dated)))
    return links


def cited(context: PageContext, keys: Sequence[str]) -> Markup:
    """Papers one after the other, without parentheses. Raises ValueError for an unknown key."""
    return Markup("; ").join(_cite(context, keys, "{}, {}"))


def cite(context: PageContext, content: LocatedStr) -> Markup:
    """Papers in parentheses."""
    return Markup("({})").format(cited(context, content.split(",")))


def cite_in_text(context: PageContext, content: LocatedStr) -> Markup:
    """Papers as part of the sentence."""
    return Markup(", ").join(_cite(context, content.split(","), "{} ({})"))


ROLES: Mapping[str, Callable[[PageContext, LocatedStr], Markup]] = {
    "calc": calc,
    "input": input_role,
    "value": value,
    "knob": knob,
    "preset": preset,
    "held": held,
    "term": term,
    "cite": cite,
    "cite:t": cite_in_text,
}
