"""Worked examples: steps that unfold one by one, with numbers that the reader may edit.

The part between two lines of `---` at the head of the directive declares the editable numbers. In the steps, the role
`{input}` shows one, and a bare name among the arguments of a `{calc}` refers to it. When the reader edits a number, the
page looks up the result in tables computed ahead for a grid of inputs (`number_tables`). For any other value it asks
for `calculate?page=…&example=…&name=value`, and `Example.answer` recomputes every such `{calc}`.
"""

import re

from markupsafe import Markup

from app.pages.blocks import number_tables
from app.pages.document.editable_numbers import declared
from app.pages.document.page_context import PageContext
from app.pages.text.located_yaml import LocatedStr
from app.pages.text.templating import fill

HEAD = re.compile(r"\A---[ ]*\n(.*?)^---[ ]*$\n?", re.DOTALL | re.MULTILINE)


def worked(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """An example whose numbered steps open one after another, and whose declared numbers can be edited.

    Raises ValueError if the title is missing.
    """
    anchor, _space, title = argument.partition(" ")
    if not title.strip():
        raise ValueError("expected an id and a title")
    place = context.take_id(anchor)
    head = HEAD.match(body)
    example = declared(head[1], body.line + 1) if head else None
    steps_text = LocatedStr(body[head.end() :]).at(body.line + head[0].count("\n")) if head else body
    with context.editing(example):
        before, steps, after = context.items(steps_text, steps_text.line)
    if example:
        example.check()
        if number_tables.size(example) <= number_tables.MOST:
            example.table = example.key()
        context.examples[place] = example
    return fill(
        "directives/worked",
        id=place,
        title=context.inline(title, body.line - 1),
        before=before,
        steps=steps,
        after=after,
        editable=example is not None,
        table=example.table if example else "",
    )


def input_role(context: PageContext, content: LocatedStr) -> Markup:
    """An editable number of the enclosing worked example. Raises ValueError outside of one."""
    if context.example is None:
        raise ValueError("an {input} stands in a worked example that declares inputs")
    return context.example.field(content.strip())
