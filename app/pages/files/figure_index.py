"""Which simulations stand in the text of a page, and under which ids, without making the page."""

import re
from functools import lru_cache

FIGURE = re.compile(r"^(:{3,})\{simulation\} *(\w+) *\n(.*?)^\1 *$", re.MULTILINE | re.DOTALL)
OWN_ID = re.compile(r"^id: *(\S+)", re.MULTILINE)


@lru_cache(maxsize=128)
def written(text: bytes) -> tuple[tuple[str, str], ...]:
    """Name of the simulation and what is written below it, of every figure in the order of the text."""
    return tuple((name, body) for _fence, name, body in FIGURE.findall(text.decode(errors="replace")))


def figures(text: bytes) -> tuple[tuple[str, str], ...]:
    """Name of the simulation and id on the page, of every figure in the order of the text."""
    return tuple((name, own[1] if (own := OWN_ID.search(body)) else name) for name, body in written(text))
