"""The state of a simulation in a page's address, `?degradation.depth=56&v=2`.

`app/static/shared/address.js` writes it likewise.
"""

from collections.abc import Mapping
from urllib.parse import urlencode

VERSION = "2"
"""What the names and values in an address mean, and what one leaves unsaid; rises when an old link would come to mean
something else. What older ones left unsaid stands in `app/static/shared/address.js`."""

LONGEST = 16


def query(place: str, settings: Mapping[str, str]) -> str:
    """`?` and the settings of the simulation at `place`; empty where there are none."""
    if not settings:
        return ""
    return "?" + urlencode({**{f"{place}.{name}": text for name, text in settings.items()}, "v": VERSION})


def notes(version: str) -> list[str]:
    """What a reader should know of a link of this version ("" where it names none)."""
    if version in ("", VERSION):
        return []
    return [f"This link is from another version of the site (v={version[:LONGEST]}); what it sets may have changed."]
