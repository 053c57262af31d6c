"""The metadata in a page's head: social card, citation tags, and structured data for search engines."""

import hashlib
import json
from pathlib import Path
from typing import Any

from markupsafe import Markup

from app.pages.data import changelog
from app.pages.data.changelog import AUTHORS
from app.pages.data.site_url import MARK
from app.pages.files.sources import CLAIMS, GLOSSARY, HOME, INVENTORY, PREDICTIONS, REFERENCES, REVIEW
from app.pages.text.templating import fill

CARD = (1200, 630)
"""Width and height in pixels of the image that other sites show with a link"""

LICENSE = "https://creativecommons.org/licenses/by/4.0/"
ABOUT = {
    CLAIMS: "Statements about skip connections that circulate: judge each of them, and then see the check.",
    GLOSSARY: "The words of the site, each explained twice: for beginners and for those who read the papers.",
    PREDICTIONS: "What you predicted and answered on these pages, beside what came out; only your browser knows.",
    REVIEW: "The questions that you have answered on these pages come back here, each after a longer pause.",
    INVENTORY: "Twelve questions before you read and twelve after: what you knew, and what you learned.",
    REFERENCES: "The papers that the site cites, each with what was read of it and where it is used.",
}
"""Page made from data → a sentence about it"""

ABOUT_A_SHEET = "For paper: the questions of this page with its figures, and the answers on another sheet."
ABOUT_A_CLAIM = "Is it true? A statement about skip connections that circulates: judge it, and then see the check."


def page_url(slug: str) -> str:
    """The address of a page, with a placeholder for the site's address."""
    return MARK if slug == HOME else f"{MARK}{slug}"


def card(content: Path, slug: str) -> str:
    """The address of a page's card, with a hash of the file as its version; empty if there is no card."""
    path = content / "cards" / f"{slug}.png"
    if not path.is_file():
        return ""
    return f"{MARK}cards/{path.name}?v={hashlib.sha256(path.read_bytes()).hexdigest()[:10]}"


def described(content: Path, slug: str, site: str, title: str, words: str, chapter: bool) -> Markup:
    """The metadata for a page's head. `chapter`: whether the page is a chapter or a deep dive."""
    newest = changelog.releases()[0]
    return fill(
        "layout/description",
        slug=slug,
        site=site,
        title=title,
        words=words,
        address=page_url(slug),
        card=card(content, slug),
        size=CARD,
        authors=AUTHORS,
        date=newest.date,
        article=chapter,
        data=_data(content, slug, site, title, words, chapter),
    )


def _data(content: Path, slug: str, site: str, title: str, words: str, chapter: bool) -> Markup:
    """Structured data (schema.org) as JSON-LD. Lines with addresses may be removed: none is the last of its object."""
    newest = changelog.releases()[0]
    image = card(content, slug)
    whole: dict[str, Any] = {
        "url": MARK,
        "@type": ["WebSite", "LearningResource"],
        "name": site,
    }
    about: dict[str, Any] = {
        "@context": "https://schema.org",
        "url": page_url(slug),
        **({"image": image} if image else {}),
        "@type": ["LearningResource", "ScholarlyArticle"] if chapter else "WebPage",
        "name": title,
        "headline": title,
        "description": words,
        "inLanguage": "en-US",
        "learningResourceType": "explorable explanation",
        "isAccessibleForFree": True,
        "license": LICENSE,
        "author": {"@type": "Organization", "name": AUTHORS},
        "dateModified": newest.date,
        "version": newest.version,
    }
    if slug == HOME:
        about["@type"] = whole["@type"]
    else:
        about["isPartOf"] = whole
    # HTML ends a script element at the first `</script`, even inside a JSON string.
    return Markup(json.dumps(about, indent=0, ensure_ascii=False).replace("<", "\\u003c"))
