"""Versions and their feed, from one file; what else names the version agrees with it."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import yaml

from app.pages.data import changelog
from app.pages.data.site_url import with_base_url
from app.pages.files.sources import Sources
from app.pages.text.errors import BuildError
from sims.paths import ROOT

ATOM = "{http://www.w3.org/2005/Atom}"
TEXT = "# Changes\n\n## 1.1.0 (2026-12-01)\n\n- A <b>.\n- C &\n  d.\n\n## 1.0.0 (2026-11-22)\n\n- **First** `a < b`.\n"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "CHANGELOG.md"
    path.write_text(TEXT)
    monkeypatch.setattr(changelog, "FILE", path)
    return path


@pytest.mark.usefixtures("file")
def test_versions_are_read_with_their_notes() -> None:
    newest, first = changelog.releases()
    assert (newest.version, newest.date, newest.notes) == ("1.1.0", "2026-12-01", ("A <b>.", "C & d."))
    assert first.notes == ("**First** `a < b`.",)


def test_unreleased_changes_are_not_listed(file: Path) -> None:
    file.write_text(TEXT.replace("## 1.1.0", "## Unreleased\n\n- Soon.\n\n## 1.1.0"))
    assert [release.version for release in changelog.releases()] == ["1.1.0", "1.0.0"]
    assert "Soon" not in changelog.feed("A site")


@pytest.mark.parametrize(("text", "line"), [("# Changes\n", 1), ("# Changes\n\n## 1.0 (today)\n", 3)])
def test_a_wrong_file_is_reported_with_its_line(file: Path, text: str, line: int) -> None:
    file.write_text(text)
    with pytest.raises(BuildError, match=rf"CHANGELOG\.md:{line}:"):
        changelog.releases()


@pytest.mark.usefixtures("file")
@pytest.mark.parametrize("address", ["", "https://example.org/"])
def test_the_feed_has_an_entry_for_every_version(address: str) -> None:
    root = ET.fromstring(with_base_url(changelog.feed("A & b"), address))
    assert root.findtext(f"{ATOM}title") == "A & b: changes"
    entries = root.findall(f"{ATOM}entry")
    assert [entry.findtext(f"{ATOM}title") for entry in entries] == ["Version 1.1.0", "Version 1.0.0"]
    assert entries[0].findtext(f"{ATOM}content") == "<ul><li>A &lt;b&gt;.</li><li>C &amp; d.</li></ul>"
    assert entries[1].findtext(f"{ATOM}content") == "<ul><li><strong>First</strong> <code>a &lt; b</code>.</li></ul>"
    names = [node.findtext(f"{ATOM}id") for node in (root, *entries)]
    assert len(set(names)) == 3
    assert all(str(name).startswith("urn:uuid:") for name in names)
    itself = [link.get("href") for link in root.findall(f"{ATOM}link") if link.get("rel") == "self"]
    assert itself == ([f"{address}feed.xml"] if address else [])


def test_the_citation_is_of_the_newest_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    newest = changelog.releases()[0]
    assert (citation["version"], str(citation["date-released"])) == (newest.version, newest.date)


def test_the_citation_has_the_name_of_the_site_and_no_choice_of_licenses() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["title"].startswith(f"{Sources().title()}: ")
    assert citation["license"] == "MIT"  # CFF 1.2 reads a list as "or"
    assert [author["name"] for author in citation["authors"]] == [changelog.AUTHORS]
