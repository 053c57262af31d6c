"""The addresses of the site and of its live copy. Stored pages have a marker in place of the site's own, so that
another address does not rebuild them.

Both come from settings and never from a request: anybody can put anything into a Host header.
"""

import re
from html import escape

from app import settings

MARK = "https://address.invalid/"
"""Marker for the address of the site. A line with it is dropped if no address is set, so nothing else may be on it."""

RELATIVE = re.compile(r'\b(?:href|src)="(?![a-z]+:|[/#])')
"""The start of an attribute with an address relative to the page"""

ADDRESS = re.compile(r"https?://[\w.-]+(?::\d+)?(?:/[\w.~-]+)*/?")


def base_url() -> str:
    """The address of the site, which ends with a slash; empty where none is set. Raises ValueError if it is not one."""
    return _folder("SKIP_ADDRESS", settings.address())


def live_url() -> str:
    """The address of the live copy of a static site, which ends with a slash; empty where none is set. Raises
    ValueError if it is not one."""
    return _folder("SKIP_LIVE", settings.live_address())


def _folder(setting: str, url: str) -> str:
    """The value of a setting as the address that links begin with: without the final slash, they would lose the last
    part of its path."""
    if url and not ADDRESS.fullmatch(url):
        raise ValueError(f"{setting} is {url!r}, and must be like https://example.org/skip-connections/")
    return f"{url.rstrip('/')}/" if url else ""


def from_folder(html: str, folder: str) -> str:
    """The page with its relative links and files from `folder`, a path or an address that ends in a slash."""
    return RELATIVE.sub(lambda start: start[0] + escape(folder), html)


def with_base_url(text: str, address: str) -> str:
    """The text with that address in place of every marker; without an address, the text without the lines that need
    one."""
    if address:
        return text.replace(MARK, escape(address))
    return "".join(line for line in text.splitlines(keepends=True) if MARK not in line)
