"""Python source as HTML."""

import re

import pytest

from app.pages.text.listing import highlight, source_of


def test_the_source_is_complete_and_escaped() -> None:
    source = 'def less(a: int) -> bool:\n    """Whether a < 1."""\n    return a < 1  # & so on\n'
    markup = highlight(source)
    assert '<i class="k">return</i>' in markup
    assert '<i class="f">less</i>' in markup
    plain = re.sub(r"<[^>]+>", "", markup).replace("&lt;", "<").replace("&gt;", ">").replace("&#34;", '"')
    assert plain.replace("&amp;", "&") == source.rstrip()


def test_other_languages_stay_plain() -> None:
    assert highlight("a < b", "text") == "a &lt; b"


def test_the_source_of_modules_classes_and_calculations() -> None:
    assert source_of("sims.contract.frame").startswith('"""')
    assert source_of("sims.contract.frame.Quantity").startswith("@dataclass")
    assert "def value(" in source_of("sims.data.publications.value")


@pytest.mark.parametrize("path", ["sims.nowhere", "sims.contract.frame.Nothing", "os.path", "sims..frame"])
def test_what_is_not_in_sims_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="sims"):
        source_of(path)
