"""The table of directives, which are block elements that Markdown does not have."""

import re
from collections.abc import Callable, Mapping
from functools import partial

from markupsafe import Markup

from app.pages.blocks.browser_proof import browser_proof
from app.pages.blocks.claim_card import card
from app.pages.blocks.exercises import predict, quiz
from app.pages.blocks.figure_directive import simulation
from app.pages.blocks.mission_list import first_minute, missions
from app.pages.blocks.opening import opening
from app.pages.blocks.report_reader import report
from app.pages.blocks.reproduction_table import reproductions
from app.pages.blocks.result_table import results
from app.pages.blocks.sketches import sketches
from app.pages.blocks.teaching import handouts, lesson, room, sheets, ticket
from app.pages.blocks.worked_example import worked
from app.pages.data import field
from app.pages.document.page_context import PageContext
from app.pages.markdown.forest_plot import forest
from app.pages.text.errors import attempt
from app.pages.text.listing import highlight
from app.pages.text.located_yaml import LocatedStr
from app.pages.text.numerals import typeset
from app.pages.text.templating import fill
from sims.builder.standalone import standalone
from sims.data import publications


def note(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """A remark between the paragraphs."""
    title = context.inline(argument, body.line - 1) if argument else ""
    return fill("directives/note", title=title, body=context.blocks(body, body.line))


def margin(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """A remark next to the text; on a narrow screen it opens on demand."""
    title = context.inline(argument, body.line - 1) if argument else ""
    return fill("directives/margin", id=context.free_id("margin"), title=title, body=context.blocks(body, body.line))


def fold(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """Optional content that opens on demand: a literature check, a derivation, a second example.

    Raises ValueError if the title or the content is missing, or if a section begins inside.
    """
    if not argument or not body.strip():
        raise ValueError("expected a title and what the fold holds")
    before, anchor = len(context.sections), context.heading(argument)
    html = fill(
        "directives/fold",
        id=anchor,
        title=context.inline(argument, body.line - 1),
        body=context.blocks(body, body.line),
    )
    if len(context.sections) > before:
        raise ValueError("a section cannot begin inside a fold; its headings are ###")
    return html


def covered(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """Tables and text that tell the results of the predictions above that the argument names, and wait for them.

    Readers without scripts see it at once; on paper it is at the end, with the answers.

    Raises ValueError for ids that are no predictions above, or if a section begins inside.
    """
    names = argument.split()
    unknown = [name for name in names if name not in context.predictions]
    if unknown or not names:
        known = ", ".join(context.predictions)
        raise ValueError(f"expected the ids of predictions above, among {known}, not {' '.join(unknown)!r}")
    before, html = len(context.sections), context.blocks(body, body.line)
    if len(context.sections) > before:
        raise ValueError("a section cannot wait for a prediction; its heading would be missing from the contents")
    wish = "predictions" if len(names) > 1 else "prediction"
    return Markup(
        '<div class="covered" data-covered="{}" data-hidden>\n'
        '<p class="waits">The result appears here once you have made <a href="#{}">your {}</a>.</p>\n{}</div>\n'
    ).format(" ".join(names), names[0], wish, html)


def question(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """The one question of the page."""
    return fill("directives/question", body=context.blocks(body, body.line))


def code(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """The source of one or several objects of `sims`, with all that it needs to run.

    Raises ValueError if there is a body.
    """
    if body.strip():
        raise ValueError("the code is fetched from sims; the directive has no text of its own")
    paths = argument.split()
    name = paths[0].rpartition(".")[2]
    return fill("directives/code", paths=paths, name=name, source=highlight(standalone(paths)))


def claim(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """A card of the claims page, shown where its topic comes up. Raises ValueError if there is no such claim."""
    entry = context.library.claims.get(argument)
    if entry is None:
        raise ValueError(f"there is no claim {argument!r}")
    context.take_id(argument)
    context.claims.append(argument)
    return card(context, entry)


def poster(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """A poster on one sheet: parts under headings of the third level. On paper the page prints nothing else.

    Raises ValueError without a title or parts.
    """
    anchor, _space, title = argument.partition(" ")
    cells = []
    for match in re.finditer(r"^### (.+)\n((?:(?!### ).*\n?)*)", body, re.MULTILINE):
        line = body.line + body.count("\n", 0, match.start())
        cells.append((context.inline(match[1], line), context.blocks(match[2], line + 1)))
    if not cells or not title:
        raise ValueError("expected an id, a title, and parts under ### headings")
    return fill(
        "directives/poster", id=context.take_id(anchor), title=context.inline(title, body.line - 1), cells=cells
    )


def sketch(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """Small drawings of blocks, named in the argument."""
    return sketches(argument.split())


def published(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """A table of published numbers, with the status of each. Raises ValueError if the references lack a source."""
    table = publications.table(argument)
    for record in publications.records():
        if record.table == argument and record.source:
            paper = context.library.papers.get(record.source)
            if paper is None:
                raise ValueError(f"the references have no key {record.source!r}, which a published number names")
            context.papers.setdefault(paper.key, paper)
    return fill(
        "reference/published",
        id=context.take_id(f"published-{argument}"),
        table=table,
        caption=context.inline(table.caption, body.line - 1),
        papers=context.library.papers,
        typeset=typeset,
    )


def works(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """The table of the works in `content/field.toml`. The directive has no body. Raises ValueError if it has one."""
    if argument or body.strip():
        raise ValueError("the table is made from field.toml; the directive has no text of its own")
    file, papers = context.library.glossary_file.with_name(field.FILE), context.library.papers
    rows = field.read(file)
    with context.reading(file):
        for work in rows:
            attempt(file, work.line, partial(field.check_sources, work, papers))
            context.take_id(work.id)
            if work.cite:
                context.papers.setdefault(work.cite, papers[work.cite])
        return fill(
            "reference/field",
            works=rows,
            kinds=field.KINDS,
            bases=field.BASES,
            outcomes=field.OUTCOMES,
            papers=papers,
            inline=context.inline,
        )


DIRECTIVES: Mapping[str, Callable[[PageContext, str, LocatedStr], Markup]] = {
    "simulation": simulation,
    "predict": predict,
    "quiz": quiz,
    "missions": missions,
    "steps": first_minute,
    "worked": worked,
    "claim": claim,
    "note": note,
    "margin": margin,
    "fold": fold,
    "covered": covered,
    "question": question,
    "code": code,
    "results": results,
    "published": published,
    "poster": poster,
    "opening": opening,
    "sketch": sketch,
    "reproductions": reproductions,
    "proof": browser_proof,
    "report": report,
    "works": works,
    "forest": forest,
    "lesson": lesson,
    "ticket": ticket,
    "handouts": handouts,
    "sheets": sheets,
    "room": room,
}
