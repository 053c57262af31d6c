"""The addresses of the site and of its live copy come from settings; without its own, nothing on a page says where the
site is."""

from collections.abc import Callable

import pytest

from app.pages.data.site_url import MARK, base_url, live_url, with_base_url

READERS = pytest.mark.parametrize(("setting", "url"), [("SKIP_ADDRESS", base_url), ("SKIP_LIVE", live_url)])
TEXT = f'<a>one</a>\n<link href="{MARK}arena">\n<a>two</a>\n'


@READERS
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("https://example.org", "https://example.org/"),
        ("https://example.org/", "https://example.org/"),
        (" https://example.org/ ", "https://example.org/"),
        ("https://example.org/skip", "https://example.org/skip/"),
        ("http://localhost:5006/skip/", "http://localhost:5006/skip/"),
    ],
)
def test_an_address_ends_with_one_slash(
    value: str, expected: str, setting: str, url: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(setting, value)
    assert url() == expected


@READERS
def test_without_a_setting_there_is_none(setting: str, url: Callable[[], str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(setting, raising=False)
    assert url() == ""


@READERS
@pytest.mark.parametrize("value", ["example.org", "javascript:alert(1)", 'https://a/"><script>', "https://a b/"])
def test_what_is_no_address_is_refused(
    value: str, setting: str, url: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(setting, value)
    with pytest.raises(ValueError, match=setting):
        url()


def test_a_mark_becomes_the_address_or_takes_its_line_along() -> None:
    assert with_base_url(TEXT, "https://example.org/skip/") == TEXT.replace(MARK, "https://example.org/skip/")
    assert with_base_url(TEXT, "") == "<a>one</a>\n<a>two</a>\n"
