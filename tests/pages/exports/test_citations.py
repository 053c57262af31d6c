"""References in BibTeX, RIS and CSL-JSON, read by a package for RIS, and by strict readers of our own."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
import rispy
from bibtexparser.entrypoint import parse_string

from app.pages.data.site_url import with_base_url
from app.pages.exports.citations import BIB_NAME, CSL_NAME, RIS_NAME, Reference, csl, of_paper, reference_file, ris
from app.pages.output.citation import csl as csl_of_page
from app.pages.output.citation import ris as ris_of_page
from tests.site import SLUGS, html_of, site

ADDRESS = "https://example.org/skip/"
LINE = re.compile(r"([A-Z][A-Z0-9])  - (.*)")
ONCE = {"TY", "ID", "TI", "PY", "DA", "T2", "PB", "VL", "IS", "ET", "UR", "ER"}
FIELDS = {
    *("id", "author", "title", "issued", "container-title", "publisher", "volume", "issue", "version", "URL", "type")
}


def records(text: str) -> list[dict[str, list[str]]]:
    """The records of a RIS file: each begins with TY and ends with ER, and has nothing but tags in between."""
    found: list[dict[str, list[str]]] = []
    record: dict[str, list[str]] | None = None
    for line in text.split("\n"):
        if record is None and not line:
            continue
        match = LINE.fullmatch(line)
        assert match, f"{line!r} is no line of RIS"
        tag, value = match.groups()
        assert (tag == "TY") == (record is None), line
        record = {} if record is None else record
        record.setdefault(tag, []).append(value)
        assert value == value.strip()
        if tag == "ER":
            assert value == ""
            assert all(len(record[name]) == 1 for name in ONCE & record.keys())
            assert record["TY"][0] in ("RPRT", "THES", "JOUR", "CPAPER", "ELEC")
            found.append(record)
            record = None
    assert record is None, "the last record has no end"
    return found


def assert_csl(item: Any) -> None:
    """Hold an item against what the schema of CSL says of the fields that we use."""
    assert set(item) <= FIELDS
    assert {"id", "type", "title"} <= set(item)
    assert item["type"] in ("article", "thesis", "article-journal", "paper-conference", "webpage")
    assert all(isinstance(item[name], str) for name in FIELDS - {"author", "issued"} if name in item)
    for name in item["author"]:
        assert set(name) in ({"family", "given"}, {"literal"})
        assert all(name.values())
    ((*parts,),) = item["issued"]["date-parts"]
    assert 1 <= len(parts) <= 3
    assert all(isinstance(part, int) for part in parts)
    assert re.fullmatch(r"https?://\S+", item.get("URL", "https://example.org"))


def test_all_papers_are_in_both_files() -> None:
    kind, body = reference_file(RIS_NAME)
    assert kind.startswith("application/x-research-info-systems")
    found = records(body.decode())
    papers = site().library.papers
    assert [record["ID"][0] for record in found] == list(papers)
    items = json.loads(reference_file(CSL_NAME)[1])
    assert [item["id"] for item in items] == list(papers)
    for item, record, paper in zip(items, found, papers.values(), strict=True):
        assert_csl(item)
        assert item["title"] == record["TI"][0] == paper.title
        assert len(record["AU"]) == len(item["author"]) == len(paper.authors) + paper.and_others
        assert record.get("UR", [""])[0] == item.get("URL", "") == paper.link


def test_a_package_for_this_format_reads_every_field() -> None:
    papers = list(map(of_paper, site().library.papers.values()))
    read = rispy.loads(reference_file(RIS_NAME)[1].decode())
    for paper, record in zip(papers, read, strict=True):
        assert "unknown_tag" not in record
        assert (record["id"], record["title"], len(record["authors"])) == (paper.key, paper.title, len(paper.authors))
        assert (record.get("year", ""), record.get("volume", "")) == ("".join(map(str, paper.date)), paper.volume)
        assert paper.venue in (record.get("secondary_title", ""), record.get("publisher", ""))


@pytest.mark.parametrize(
    ("venue", "expected"),
    [
        ("CVPR 2016", ("CPAPER", {"T2": "CVPR", "PY": "2016"})),
        ("ICLR 2026, LIT workshop", ("CPAPER", {"T2": "ICLR, LIT workshop", "PY": "2026"})),
        ("Neural Computation 9(8)", ("JOUR", {"T2": "Neural Computation", "VL": "9", "IS": "8", "PY": "2015"})),
        ("Nature 323", ("JOUR", {"T2": "Nature", "VL": "323", "PY": "2015"})),
        ("JMLR 2023", ("JOUR", {"T2": "JMLR", "PY": "2023"})),
        ("diploma thesis, TU Munich", ("THES", {"PB": "TU Munich", "PY": "2015"})),
        ("preprint", ("RPRT", {"PB": "preprint", "PY": "2015"})),
    ],
)
def test_the_venue_is_written_as_its_kind_requires(venue: str, expected: tuple[str, dict[str, str]]) -> None:
    paper = replace(site().library.papers["he2015"], venue=venue)
    (record,) = records(ris(of_paper(paper)) + "\n")
    kind, fields = expected
    assert record["TY"] == [kind]
    assert {name: value for name in ("T2", "PB", "VL", "IS", "PY") for value in record.get(name, [])} == fields


def test_bibtex_has_types_and_fields_that_styles_know() -> None:
    kind, body = reference_file(BIB_NAME)
    assert kind.startswith("application/x-bibtex")
    entries = parse_string(body.decode()).entries
    dates = {item["id"]: item["issued"]["date-parts"][0][0] for item in json.loads(reference_file(CSL_NAME)[1])}
    assert [entry.key for entry in entries] == list(dates)
    needed = {"inproceedings": "booktitle", "article": "journal", "phdthesis": "school", "misc": "howpublished"}
    for entry in entries:
        assert {"author", "title", "year", needed[entry.entry_type]} <= set(entry.fields_dict)
        assert not {"venue", "status", "note"} & set(entry.fields_dict)
        assert int(entry["year"]) == dates[entry.key]
    (he,) = [entry for entry in entries if entry.key == "he2015"]
    assert (he.entry_type, he["booktitle"], he["year"], he["annotation"]) == (
        "inproceedings",
        "CVPR",
        "2016",
        "Verified.",
    )


def test_a_name_has_its_family_first() -> None:
    paper = site().library.papers["he2015"]
    assert "AU  - He, Kaiming\n" in ris(of_paper(paper))
    assert csl(of_paper(paper))["author"][0] == {"family": "He", "given": "Kaiming"}


@pytest.mark.parametrize("address", [ADDRESS, ""])
def test_a_page_is_cited_with_an_address_and_without_one(address: str) -> None:
    (record,) = records(with_base_url(ris_of_page("arena", "The arena", "One plus sign"), address) + "\n")
    assert record["TY"] == ["ELEC"]
    assert record.get("UR") == ([f"{ADDRESS}arena"] if address else None)
    text = csl_of_page("arena", "The “arena”", "One plus sign")
    (item,) = json.loads("".join(with_base_url(line, address) for line in text.splitlines(keepends=True)))
    assert_csl(item)
    assert item.get("URL") == (f"{ADDRESS}arena" if address else None)


@pytest.mark.parametrize("slug", SLUGS[:2])
def test_every_page_shows_all_three(slug: str) -> None:
    html = html_of(slug)
    assert [html.count(f"<figcaption>{name} <button") for name in ("BibTeX", "RIS", "CSL-JSON")] == [1, 1, 1]


def test_a_source_without_a_date_has_none() -> None:
    bare = Reference("key", [("Anonymous", "")], "A title", ())
    assert "PY" not in ris(bare)
    assert "issued" not in csl(bare)
