"""`robots.txt` and the sitemap: which pages exist, and what crawlers should not request."""

from collections.abc import Iterable
from xml.sax.saxutils import escape

from app.pages.files.sources import HOME


def robots(address: str) -> str:
    """The text of `robots.txt`: everybody may read pages, but sessions cost work, and rooms are for their members."""
    where = f"Sitemap: {address}sitemap.xml\n" if address else ""
    return f"User-agent: *\nDisallow: /app\nDisallow: /open\nDisallow: /room/\n{where}"


def sitemap(slugs: Iterable[str], address: str, ending: str = "") -> str:
    """The sitemap: the site's address followed by each page's name and `ending`."""
    names = ("" if slug == HOME else slug + ending for slug in slugs)
    places = "".join(f"<url><loc>{escape(address + name)}</loc></url>" for name in names)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{places}</urlset>'
