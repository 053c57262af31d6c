"""How to cite a page: whole with an address and without one, and read by a reference manager."""

import pytest
from bibtexparser.entrypoint import parse_string

from app.pages.data import changelog
from app.pages.data.site_url import with_base_url
from app.pages.output.citation import apa, bibtex
from tests.site import SLUGS, html_of

ADDRESS = "https://example.org/skip/"
NEWEST = changelog.releases()[0]


def test_a_page_is_cited_with_its_version_and_its_place() -> None:
    line = with_base_url(apa("arena", "The <arena>", "One plus sign"), ADDRESS)
    assert line.startswith(f"The Skip Connections authors. ({NEWEST.date[:4]}, ")
    assert line.endswith(
        f"). <cite>The &lt;arena&gt;</cite> (Version {NEWEST.version}). One plus sign.\n{ADDRESS}arena"
    )
    assert with_base_url(apa("home", "One plus sign", "One plus sign"), "").endswith(f"(Version {NEWEST.version}).\n")


@pytest.mark.parametrize("address", [ADDRESS, ""])
def test_a_reference_manager_reads_it(address: str) -> None:
    (entry,) = parse_string(with_base_url(bibtex("arena", "The arena", "One plus sign"), address)).entries
    fields = {field.key: field.value for field in entry.fields}
    assert entry.key == "oneplussign:arena"
    assert fields["title"] == "The arena"
    assert fields["year"] == NEWEST.date[:4]
    assert fields.get("url") == (f"{ADDRESS}arena" if address else None)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_page_says_how_to_cite_it(slug: str) -> None:
    html = with_base_url(html_of(slug), "")
    assert f"@misc{{oneplussign:{slug}," in html
