"""“Something wrong here?” opens a form or a letter with the page and its version, or is not there."""

from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from app.pages.data.feedback import FORM, MARK, checked, marked, with_feedback
from app.pages.text import located_yaml
from sims.paths import ROOT
from tests.site import SLUGS, site

ISSUES = "https://example.org/owner/name/issues/new"
LINE = '<p>a</p>\n<p><a href="{}">b</a></p>\n<p>c</p>\n'.format(marked("degradation", "1.2.3").replace("&", "&amp;"))


@pytest.fixture(autouse=True)
def _unset(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SKIP_ISSUES", "SKIP_MAIL"):
        monkeypatch.delenv(name, raising=False)


def link(html: str) -> str:
    return unescape(html.split('href="')[1].split('"')[0])


def test_the_form_is_filled_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIP_ISSUES", ISSUES)
    monkeypatch.setenv("SKIP_MAIL", "us@example.org")
    address = urlsplit(link(with_feedback(LINE)))
    assert f"{address.scheme}://{address.netloc}{address.path}" == ISSUES
    assert parse_qs(address.query) == {
        "template": [FORM],
        "title": ["degradation: "],
        "page": ["degradation"],
        "version": ["1.2.3"],
    }


def test_the_form_exists_and_has_the_fields() -> None:
    form = located_yaml.load((ROOT / ".github" / "ISSUE_TEMPLATE" / FORM).read_text(encoding="utf-8"))
    fields = {part["id"]: part["type"] for part in form["body"]}
    assert fields["page"] == fields["version"] == fields["state"] == "input"


def test_without_a_form_it_is_a_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIP_MAIL", "us@example.org")
    address = urlsplit(link(with_feedback(LINE)))
    assert (address.scheme, address.path) == ("mailto", "us@example.org")
    body = parse_qs(address.query)["body"][0]
    assert "Page: degradation\nVersion: 1.2.3" in body


def test_without_a_setting_it_is_not_there() -> None:
    assert with_feedback(LINE) == "<p>a</p>\n<p>c</p>\n"


@pytest.mark.parametrize(
    ("name", "value"),
    [("SKIP_ISSUES", "javascript:alert(1)"), ("SKIP_ISSUES", "example.org"), ("SKIP_MAIL", "us"), ("SKIP_MAIL", "a@b")],
)
def test_a_wrong_setting_ends_the_start(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ValueError, match=name):
        checked()


@pytest.mark.parametrize("slug", [*SLUGS[:3], "claim-A-04", "sheet-degradation"])
def test_every_page_has_it(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    html = site().html(slug)
    assert html.count(MARK) == 1
    monkeypatch.setenv("SKIP_ISSUES", ISSUES)
    assert f"&amp;page={slug}&amp;version=" in with_feedback(html)
