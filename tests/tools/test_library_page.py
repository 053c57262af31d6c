"""The page of public names says what the code says."""

import pytest

import sims.xray
from sims.pytorch import library
from tools import library_page


def test_the_page_is_current() -> None:
    assert library_page.PAGE.read_text(encoding="utf-8") == library_page.page(), "run python -m tools.library_page"


def test_it_has_every_public_name() -> None:
    text = library_page.page()
    for name in library.__all__:
        assert f"```python\n{name}(" in text
    for name in sims.xray.__all__:
        assert name in text


def test_a_name_without_words_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing() -> None:
        pass

    with pytest.raises(ValueError, match="has no docstring"):
        list(library_page._entry("nothing", nothing))
    monkeypatch.setattr(library_page, "GROUPS", library_page.GROUPS[1:])
    with pytest.raises(ValueError, match="no group has DeepNorm, Dense"):
        library_page.page()
