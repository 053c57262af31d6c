"""What crawlers are told."""

import xml.etree.ElementTree as ET

from app.server.http.crawlers import robots, sitemap

ADDRESS = "https://example.org/skip/"


def test_simulations_are_not_for_crawlers_and_the_map_is_named_where_there_is_one() -> None:
    assert "Disallow: /app\nDisallow: /open\n" in robots("")
    assert "Sitemap" not in robots("")
    assert robots(ADDRESS).endswith(f"Sitemap: {ADDRESS}sitemap.xml\n")


def test_the_map_has_every_page_under_the_address() -> None:
    root = ET.fromstring(sitemap(["home", "arena"], ADDRESS, ".html"))
    assert [loc.text for loc in root.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")] == [
        ADDRESS,
        f"{ADDRESS}arena.html",
    ]
