"""References in BibTeX, RIS and CSL-JSON, as LaTeX and reference managers read them."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from bibtexparser.entrypoint import parse_string

from app.pages.data import bibliography
from app.pages.data.bibliography import STATUSES, Entry
from sims.paths import CONTENT

BIB_TYPE = "application/x-bibtex; charset=utf-8"
RIS_TYPE = "application/x-research-info-systems; charset=utf-8"
CSL_TYPE = "application/vnd.citationstyles.csl+json; charset=utf-8"

BIB_NAME, RIS_NAME, CSL_NAME = "references.bib", "references.ris", "references.json"
"""The files with all papers that the site cites"""

OTHERS = "others"
"""BibTeX's word for the authors that an entry leaves out"""


CONFERENCE, JOURNAL, THESIS, REPORT, PAGE = "conference", "journal", "thesis", "report", "page"
"""Kinds of sources. A preprint is a report here: RIS has no type for it."""

BIB_TYPES = {CONFERENCE: "inproceedings", JOURNAL: "article", THESIS: "phdthesis", REPORT: "misc"}
BIB_VENUES = {CONFERENCE: "booktitle", JOURNAL: "journal", THESIS: "school", REPORT: "howpublished"}
RIS_TYPES = {CONFERENCE: "CPAPER", JOURNAL: "JOUR", THESIS: "THES", REPORT: "RPRT", PAGE: "ELEC"}
CSL_TYPES = {
    CONFERENCE: "paper-conference",
    JOURNAL: "article-journal",
    THESIS: "thesis",
    REPORT: "article",
    PAGE: "webpage",
}

IN_A_JOURNAL = re.compile(r"(?P<name>.+?) (?P<volume>\d{1,3})(?:\((?P<issue>\d+)\))?")
OF_A_YEAR = re.compile(r"(?P<name>.+?) (?P<year>\d{4})(?P<workshop>, .+)?")
JOURNALS = ("JMLR", "TPAMI", "IEEE Transactions on")
"""How the names of journals begin that the bibliography gives without a volume"""


@dataclass(frozen=True)
class Reference:
    """What the formats say of a source. `authors`: (family, given), the given name "" for an organization.

    `date`: year, or year, month and day. `venue`: the conference, the journal, the site, or who published it.
    """

    key: str
    authors: Sequence[tuple[str, str]]
    title: str
    date: Sequence[int]
    venue: str = ""
    url: str = ""
    version: str = ""
    kind: str = REPORT
    volume: str = ""
    issue: str = ""


def publication(venue: str) -> Mapping[str, Any]:
    """Return what a venue of the bibliography, such as "CVPR 2016" or "Nature 323", says of a paper, as fields of
    `Reference`. A conference, and a journal without a volume, come with their year."""
    if volume := IN_A_JOURNAL.fullmatch(venue):
        name, number, issue = volume["name"], volume["volume"], volume["issue"]
        return {"kind": JOURNAL, "venue": name, "volume": number, "issue": issue or ""}
    if venue.startswith(JOURNALS):
        year = OF_A_YEAR.fullmatch(venue)
        return {"kind": JOURNAL, "venue": year["name"], "date": (int(year["year"]),)} if year else {"kind": JOURNAL}
    if year := OF_A_YEAR.fullmatch(venue):
        return {"kind": CONFERENCE, "venue": year["name"] + (year["workshop"] or ""), "date": (int(year["year"]),)}
    if "thesis, " in venue:
        return {"kind": THESIS, "venue": venue.partition("thesis, ")[2]}
    return {}


def of_paper(entry: Entry) -> Reference:
    """The reference for a paper of the bibliography."""
    authors = [
        (family, full.removesuffix(family).strip()) for full, family in zip(entry.authors, entry.families, strict=True)
    ]
    if entry.and_others:
        authors.append((OTHERS, ""))
    year = re.match(r"\d{4}", entry.year)
    paper = Reference(entry.key, authors, entry.title, (int(year[0]),) if year else (), entry.venue, entry.link)
    return replace(paper, **publication(entry.venue))


def bibtex(entry: Entry) -> str:
    """The BibTeX entry of a paper, with the type and the fields that styles know. What we checked is its `annotation`,
    which standard styles do not print."""
    written = {field.key.lower(): field.value for field in parse_string(entry.bibtex).entries[0].fields}
    paper = of_paper(entry)
    fields = {
        "author": written["author"],
        "title": written["title"],
        "year": str(paper.date[0]) if paper.date else entry.year,
        BIB_VENUES[paper.kind]: paper.venue,
        "type": entry.venue.partition(",")[0].capitalize() if paper.kind == THESIS else "",
        "volume": paper.volume,
        "number": paper.issue,
        "eprint": entry.arxiv,
        "archivePrefix": written.get("archiveprefix", ""),
        "annotation": f"{entry.status.capitalize()}. {written.get('note', '')}".strip(),
    }
    lines = "".join(f"  {name:<13} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@{BIB_TYPES[paper.kind]}{{{entry.key},\n{lines}}}"


def ris(reference: Reference) -> str:
    """The record of a source: a tag, two spaces, a hyphen and a space before each value, and an empty line at the end.

    A line with an address is the last but one, so that it can be left out.
    """
    lines = [("TY", RIS_TYPES[reference.kind]), ("ID", reference.key)]
    lines += [("AU", ", ".join(filter(None, name))) for name in reference.authors]
    lines.append(("TI", reference.title))
    if reference.date:
        lines.append(("PY", str(reference.date[0])))
    if len(reference.date) > 1:
        lines.append(("DA", "/".join(f"{part:02d}" for part in reference.date)))
    lines.append(("PB" if reference.kind in (REPORT, THESIS) else "T2", reference.venue))
    lines += [("VL", reference.volume), ("IS", reference.issue), ("ET", reference.version), ("UR", reference.url)]
    return "".join(f"{tag}  - {value}\n" for tag, value in lines if value) + "ER  - \n"


def csl(reference: Reference) -> Mapping[str, Any]:
    """The same as an object of a CSL-JSON list, the address before the last field."""
    named = [
        {"family": family, "given": given} if given else {"literal": family} for family, given in reference.authors
    ]
    fields = {
        "id": reference.key,
        "author": named,
        "title": reference.title,
        "issued": {"date-parts": [list(reference.date)]} if reference.date else None,
        "publisher" if reference.kind in (REPORT, THESIS) else "container-title": reference.venue,
        "volume": reference.volume,
        "issue": reference.issue,
        "version": reference.version,
        "URL": reference.url,
        "type": CSL_TYPES[reference.kind],
    }
    return {name: value for name, value in fields.items() if value}


def bib_file(papers: Iterable[Entry]) -> str:
    """All papers as one BibTeX file."""
    meanings = "".join(f"% {status}: {meaning}\n" for status, meaning in STATUSES.items())
    head = f"% An annotation says how well we checked the facts that we took from the paper.\n{meanings}"
    return "\n".join([head, *(f"{bibtex(paper)}\n" for paper in papers)])


def ris_file(papers: Iterable[Entry]) -> str:
    """All papers as one RIS file."""
    return "\n".join(ris(of_paper(paper)) for paper in papers)


def csl_file(papers: Iterable[Entry]) -> str:
    """All papers as one CSL-JSON file."""
    return json.dumps([csl(of_paper(paper)) for paper in papers], ensure_ascii=False, indent=1) + "\n"


def reference_file(name: str) -> tuple[str, bytes]:
    """Content type and bytes of one of the files. Raises KeyError for another name."""
    path = CONTENT / "references.bib"
    return REFERENCE_FILES[name][0], _written(name, path, path.stat().st_mtime_ns)


REFERENCE_FILES: Mapping[str, tuple[str, Callable[[Iterable[Entry]], str]]] = {
    BIB_NAME: (BIB_TYPE, bib_file),
    RIS_NAME: (RIS_TYPE, ris_file),
    CSL_NAME: (CSL_TYPE, csl_file),
}
"""Name of a file → content type, and what writes it"""


@lru_cache(maxsize=4)
def _written(name: str, path: Path, _stamp: int) -> bytes:
    return REFERENCE_FILES[name][1](bibliography.read(path).values()).encode()
