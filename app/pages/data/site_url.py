"""The address of the site. Stored pages have a marker instead, so that another address does not rebuild them.

The address comes from `SKIP_ADDRESS` and never from a request: anybody can put anything into a Host header.
"""

import re
from html import escape

from app import settings

MARK = "https://address.invalid/"
"""Marker for the address of the site. A line with it is dropped if no address is set, so nothing else may be on it."""

ADDRESS = re.compile(r"https?://[\w.-]+(?::\d+)?(?:/[\w.~-]+)*/?")


def base_url() -> str:
    """The address of the site, which ends with a slash; empty where none is set. Raises ValueError if it is not one."""
    url = settings.address()
    if url and not ADDRESS.fullmatch(url):
        raise ValueError(f"SKIP_ADDRESS is {url!r}, and must be like https://example.org/skip-connections/")
    return f"{url.rstrip('/')}/" if url else ""


def with_base_url(text: str, address: str) -> str:
    """The text with that address in place of every marker; without an address, the text without the lines that need
    one."""
    if address:
        return text.replace(MARK, escape(address))
    return "".join(line for line in text.splitlines(keepends=True) if MARK not in line)
