"""The address of the site comes from its setting; without one, nothing on a page says where it is."""

import pytest

from app.pages.data.site_url import MARK, base_url, with_base_url

TEXT = f'<a>one</a>\n<link href="{MARK}arena">\n<a>two</a>\n'


@pytest.mark.parametrize("value", ["https://example.org", "https://example.org/", " https://example.org/ "])
def test_an_address_ends_with_one_slash(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIP_ADDRESS", value)
    assert base_url() == "https://example.org/"


def test_without_a_setting_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SKIP_ADDRESS", raising=False)
    assert base_url() == ""


@pytest.mark.parametrize("value", ["example.org", "javascript:alert(1)", 'https://a/"><script>', "https://a b/"])
def test_what_is_no_address_is_refused(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIP_ADDRESS", value)
    with pytest.raises(ValueError, match="SKIP_ADDRESS"):
        base_url()


def test_a_mark_becomes_the_address_or_takes_its_line_along() -> None:
    assert with_base_url(TEXT, "https://example.org/skip/") == TEXT.replace(MARK, "https://example.org/skip/")
    assert with_base_url(TEXT, "") == "<a>one</a>\n<a>two</a>\n"
