"""Encodes the settings of a simulation in a page's address, as in `?degradation.depth=56&v=2`.

`app/static/shared/address.js` writes the same format.
"""

from collections.abc import Mapping
from urllib.parse import urlencode

VERSION = "2"
"""Version of the names, values and defaults that an address refers to. It rises when an old link would otherwise change
its meaning. `app/static/shared/address.js` has the defaults of older versions."""

LONGEST = 16
"""Characters of an unknown version that a note quotes"""


def query(place: str, settings: Mapping[str, str]) -> str:
    """Return `?` and the settings of the simulation at `place`; empty if there are none."""
    if not settings:
        return ""
    return "?" + urlencode({**{f"{place}.{name}": text for name, text in settings.items()}, "v": VERSION})


def notes(version: str) -> list[str]:
    """Return the notes that a reader should see for a link of this version ("" if it names none)."""
    if version in ("", VERSION):
        return []
    return [f"This link is from another version of the site (v={version[:LONGEST]}); what it sets may have changed."]
