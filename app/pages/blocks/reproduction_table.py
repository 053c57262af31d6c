"""The directive `{reproductions}`: a table of the occasions on which all kept numbers were recomputed."""

from collections import Counter

from markupsafe import Markup

from app.pages.document.page_context import PageContext
from app.pages.text.located_yaml import LocatedStr
from app.pages.text.templating import fill
from sims.kept import reproductions as kept


def reproductions(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """How many numbers are kept, where they were computed, and every reproduction. The directive has no body.

    Raises ValueError if there is an argument or a body.
    """
    if argument or body.strip():
        raise ValueError("the table is made from what is kept; the directive has no text of its own")
    book = context.library.numbers
    counts = Counter(entry.on for entry in book.entries.values())
    machines = [(machine, counts[name]) for name, machine in book.machines.items()]
    done = kept.read(book.path.with_name("reproductions.json"))
    return fill("reference/reproduction_table", count=len(book.entries), made=machines, done=done)
