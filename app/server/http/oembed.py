"""oEmbed 1.0 (https://oembed.com): what other sites show for a link to one of our figures, and how pages announce it.

Only links to this site are answered. Of a link's parameters, the answer contains only those that the figure has, with
values that it admits, formatted by us: no text of the link is copied.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from app.pages.data.changelog import AUTHORS
from app.pages.data.renames import RENAMES
from app.pages.data.site_url import MARK
from app.pages.document.figure_placement import FigurePlacement
from app.pages.files import stills
from app.pages.files.sources import EMBED, HOME
from app.pages.output.description import CARD, card
from sims import registry
from sims.contract import address
from sims.contract.parameters import control_names, examine, to_text
from sims.contract.simulation import Simulation
from sims.paths import CONTENT

KIND = "application/json+oembed"

LASTING = 86_400
"""Seconds for which an answer may be cached"""

LONGEST_LINK = 4_000
LEAST, MOST = 1, 10_000
"""Smallest and largest size in pixels that is accepted"""


@dataclass(frozen=True)
class Link:
    """A parsed link: the slug of the figure's embed page, the parameters as text, and the link's version."""

    slug: str
    texts: Mapping[str, str]
    version: str


def read(url: str, site: str, embeds: Mapping[str, tuple[str, str]]) -> Link | None:
    """Parse a link to `site`; None if it does not lead to a figure. `embeds` are those of `Sources.embeds`."""
    if not site or not url.startswith(site) or len(url) > LONGEST_LINK:
        return None
    try:
        parts = urlsplit(url.removeprefix(site))
        pairs = parse_qsl(parts.query, keep_blank_values=True, max_num_fields=200)
    except ValueError:
        return None
    version = dict(pairs).get("v", "")
    if parts.path.startswith(EMBED):
        name = parts.path.removeprefix(EMBED)
        slug = EMBED + RENAMES.simulations.get(name, name)
        return Link(slug, dict(pairs), version) if slug in embeds else None
    slugs = {place: slug for slug, place in embeds.items()}
    anchors = [parts.fragment, *(key.partition(".")[0] for key, _text in pairs if "." in key)]
    places = {anchor: RENAMES.place(parts.path or HOME, anchor) for anchor in anchors}
    anchor = next((candidate for candidate, place in places.items() if place in slugs), None)
    if anchor is None:
        return None
    texts = {key.removeprefix(f"{anchor}."): text for key, text in pairs if key.startswith(f"{anchor}.")}
    return Link(slugs[places[anchor]], texts, version)


def answer(
    link: Link, home: str, place: FigurePlacement, site: str, provider: str, most: tuple[int, int]
) -> dict[str, Any]:
    """The oEmbed answer for a link to a figure of the page `home`; `most`: largest width and height in pixels."""
    kind = registry.find(place.name)
    width = min(stills.FRAME, most[0])
    still = stills.still(CONTENT / "stills", home, place.anchor)
    height = min(stills.fitting(still, width), most[1])
    query = urlencode(_admitted(kind, RENAMES.renewed(place.name, place.anchor, link.texts, link.version)))
    source = f"{site}{link.slug}" + (f"?{query}" if query else "")
    html = (
        f'<iframe src="{escape(source)}" title="{escape(kind.title())}" width="{width}" height="{height}" '
        'style="border: 0; max-width: 100%" loading="lazy" allow="clipboard-write"></iframe>'
    )
    image = card(CONTENT, home).replace(MARK, site)
    thumbnail = {"thumbnail_url": image, "thumbnail_width": CARD[0], "thumbnail_height": CARD[1]} if image else {}
    return {
        "version": "1.0",
        "type": "rich",
        "title": kind.title(),
        "author_name": AUTHORS,
        "provider_name": provider,
        "provider_url": site,
        "cache_age": LASTING,
        **thumbnail,
        "html": html,
        "width": width,
        "height": height,
    }


def _admitted(kind: type[Simulation], texts: Mapping[str, str]) -> dict[str, str]:
    """The parameters that the figure has, with values it admits, formatted by us; and the current version of links."""
    read = {name: examine(kind.param[name], texts[name]) for name in control_names(kind) if name in texts}
    admitted = {name: to_text(result.value) for name, result in read.items() if not result.complaint}
    return {**admitted, "v": address.VERSION} if admitted else {}


def size(text: str) -> int:
    """The largest size in pixels that a request allows; `MOST` if it is not a valid number."""
    return int(text) if text.isascii() and text.isdigit() and LEAST <= int(text[:6]) <= MOST else MOST


def discovery(slug: str, query: str, site: str) -> str:
    """The link element with which a page names its oEmbed address; `query` is that of the page's address."""
    page = site + ("" if slug == HOME else slug) + (f"?{query}" if query else "")
    if not site or len(page) > LONGEST_LINK:
        return ""
    where = f"{site}oembed?format=json&url={quote(page, safe='')}"
    return f'<link rel="alternate" type="{KIND}" href="{escape(where)}">'
