"""Finds the simulations in the text of a page, with their ids, without compiling the page."""

import re
from functools import lru_cache

FIGURE = re.compile(r"^(:{3,})\{simulation\} *(\w+) *\n(.*?)^\1 *$", re.MULTILINE | re.DOTALL)
OWN_ID = re.compile(r"^id: *(\S+)", re.MULTILINE)


@lru_cache(maxsize=128)
def written(text: bytes) -> tuple[tuple[str, str], ...]:
    """The name of the simulation and the body of the directive, for every figure in order."""
    return tuple((name, body) for _fence, name, body in FIGURE.findall(text.decode(errors="replace")))


def figures(text: bytes) -> tuple[tuple[str, str], ...]:
    """The name of the simulation and the id on the page, for every figure in order."""
    return tuple((name, own[1] if (own := OWN_ID.search(body)) else name) for name, body in written(text))
