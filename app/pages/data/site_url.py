"""Where the site is published. Pages are kept with a mark in its place, so that none is made anew for another address.

The address comes from `SKIP_ADDRESS` and never from a request, whose Host header is anybody's to choose.
"""

import re
from html import escape

from app import settings

MARK = "https://address.invalid/"
"""What stands on a page for the address of the site. Nothing else on a page's line may be needed without it."""

ADDRESS = re.compile(r"https?://[\w.-]+(?::\d+)?(?:/[\w.~-]+)*/?")


def base_url() -> str:
    """The address of the site, which ends with a slash; empty where none is set. Raises ValueError where it is none."""
    url = settings.address()
    if url and not ADDRESS.fullmatch(url):
        raise ValueError(f"SKIP_ADDRESS is {url!r}, and must be like https://example.org/skip-connections/")
    return f"{url.rstrip('/')}/" if url else ""


def with_base_url(text: str, address: str) -> str:
    """The text with that address at every mark; without an address, the text without the lines that need one."""
    if address:
        return text.replace(MARK, escape(address))
    return "".join(line for line in text.splitlines(keepends=True) if MARK not in line)
