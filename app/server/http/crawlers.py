"""What crawlers are told: which pages there are, and what is not for them."""

from collections.abc import Iterable
from xml.sax.saxutils import escape

from app.pages.files.sources import HOME


def robots(address: str) -> str:
    """Pages are for everybody; simulations cost work and are for readers, rooms are for those who are in them."""
    where = f"Sitemap: {address}sitemap.xml\n" if address else ""
    return f"User-agent: *\nDisallow: /app\nDisallow: /open\nDisallow: /room/\n{where}"


def sitemap(slugs: Iterable[str], address: str, ending: str = "") -> str:
    """The addresses of all pages under that of the site, each with this ending of its name."""
    names = ("" if slug == HOME else slug + ending for slug in slugs)
    places = "".join(f"<url><loc>{escape(address + name)}</loc></url>" for name in names)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{places}</urlset>'
