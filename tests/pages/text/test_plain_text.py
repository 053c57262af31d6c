"""Formulas become text that can be read, aloud too."""

import pytest

from app.pages.text.formulas import mathml
from app.pages.text.plain_text import formula_name, without_formulas


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        ("2^L", "2^L"),
        (r"1/\sqrt{2N}", "1/√(2N)"),
        (r"\frac{1}{\sqrt{L}}", "1/(√L)"),
        (r"\frac{\partial x_L}{\partial x_l}", "(∂x_L)/(∂x_l)"),
        (r"\binom{54}k0.2^k", "(54 choose k)0.2^k"),
        (r"\binom{n+1}{k}", "(n+1 choose k)"),
        ("10^{-3}", "10⁻³"),
        ("h_{l+1} = h_l + F(h_l)", "h_(l+1)=h_l+F(h_l)"),
        (r"W^\top", "W^⊤"),
        (r"\alpha x", "αx"),
        (r"\bar{x}", "x"),
        (r"\sum_{k=1}^{L} F_k", "∑_(k=1)^LF_k"),
        ("x < 2", "x&lt;2"),
    ],
)
def test_a_formula_is_a_line_of_text(latex: str, text: str) -> None:
    assert without_formulas(f"<p>So {mathml(latex)} it is.</p>") == f"<p>So {text} it is.</p>"


def test_powers_stay_powers() -> None:
    assert without_formulas("9.1 × 10<sup>−11</sup>, a<sup>b</sup>") == "9.1 × 10⁻¹¹, a<sup>b</sup>"


def test_an_element_that_is_only_a_formula_gets_a_name() -> None:
    assert formula_name(mathml("F(x)")) == ' aria-label="F(x)"'
    assert formula_name(f"the branch {mathml('F(x)')}") == ""
    assert formula_name("the branch") == ""
