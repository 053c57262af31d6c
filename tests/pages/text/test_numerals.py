"""Numbers as a printer sets them."""

import pytest

from app.pages.text.numerals import typeset


@pytest.mark.parametrize(
    ("value", "form", "html"),
    [
        (0.136, "%", "14%"),
        (0.0042, "%", "0.4%"),
        (45712.3, ".2e", "4.57&nbsp;×&nbsp;10<sup>4</sup>"),
        (9.1e-11, ".1e", "9.1&nbsp;×&nbsp;10<sup>−11</sup>"),
        (18300.0, ".2g", "1.8&nbsp;×&nbsp;10<sup>4</sup>"),
        (-3.5, ".1f", "−3.5"),
        (3.71293, "", "3.713"),
        (1202, "", "1,202"),
        (3152384, "", "3,152,384"),
        (3152384, ",", "3,152,384"),
        (0.0, ".1e", "0"),
        (2e-6, "", "2&nbsp;×&nbsp;10<sup>−6</sup>"),
        ("[2 × 10⁻⁶, 1]", "", "[2&nbsp;×&nbsp;10<sup>−6</sup>, 1]"),
        (float("inf"), ".2f", "infinity"),
        (float("nan"), "", "not a number"),
        ("[0.5, -0.3]", "", "[0.5, −0.3]"),
        ("Pre-LN", "", "Pre-LN"),
        ("<b>", "", "&lt;b&gt;"),
    ],
)
def test_typeset(value: float | int | str, form: str, html: str) -> None:
    assert typeset(value, form) == html


def test_a_form_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a number"):
        typeset("many", ".2f")
    with pytest.raises(ValueError, match="format"):
        typeset(1.5, "wide")
