"""LaTeX → MathML."""

import pytest

from app.pages.text.formulas import mathml


def test_a_formula_becomes_mathml_without_traces_of_latex() -> None:
    markup = mathml(r"\frac{\partial\mathcal L}{\partial x_l}=\prod_{i=l}^{L-1}\left(I+F_i'\right)", "block")
    assert markup.startswith('<math display="block">')
    assert "\\" not in markup
    assert "<mi>ℒ</mi>" in markup
    assert "&#x" not in markup


@pytest.mark.parametrize(
    ("latex", "piece"),
    [
        (r"\mathrm{ReLU}(x)", '<mi mathvariant="normal">ReLU</mi>'),
        (r"\log x", '<mi mathvariant="normal">log</mi>'),
        (r"\mathrm{d}x", '<mi mathvariant="normal">d</mi><mi>x</mi>'),
        (r"\mathbf{W}", '<mi class="bold">W</mi>'),
        (r"\mathbf x", '<mi class="bold">x</mi>'),
        (r"\mathbf 1^{\top}", '<mn class="bold">1</mn>'),
        (r"\lVert x\rVert", 'form="prefix">‖</mo>'),
        (r"[0.5,\,-0.3]", '<mo form="prefix">−</mo>'),
        (r"\begin{aligned}a&=b\\c&=d\end{aligned}", "<mtr>"),
        (r"\bar x", '<mover accent="true"><mi>x</mi><mo stretchy="false" class="bar">‾</mo>'),
        (r"\Bigl(\frac ab\Bigr)^2", '<msup><mrow><mo stretchy="true" fence="true" form="prefix">(</mo><mfrac>'),
        (r"\tilde{x}", '<mo stretchy="false">˜</mo>'),
        (r"\alpha x", "<mi>𝛼</mi>"),
        (r"x<y", "<mo>&lt;</mo>"),
        (r"\log p_y", 'log</mi><mspace width="0.17em"/><msub>'),
        (r"\log_2 x", '<msub><mi mathvariant="normal">log</mi><mn>2</mn></msub>'),
        (r"\lim_{n}x", '<msub><mi mathvariant="normal">lim</mi><mrow>'),
        (r"2\ln k", '<mn>2</mn><mspace width="0.17em"/><mi mathvariant="normal">ln'),
        (r"\det(A)", '<mi mathvariant="normal">det</mi><mo stretchy="false">('),
        (r"x_{\le l}", '<mo lspace="0" rspace="0">≤</mo>'),
        (r"-\infty", '<mi mathvariant="normal">∞</mi>'),
        (r"\lVert J_l\rVert", '<mo stretchy="false" fence="true" form="prefix">‖</mo>'),
        (r"\left\|\frac ab\right\|", '<mo stretchy="true" fence="true" form="prefix">‖</mo>'),
    ],
)
def test_what_the_converter_does_otherwise(latex: str, piece: str) -> None:
    assert piece in mathml(latex)


def test_a_difference_is_no_sign() -> None:
    assert "<mo>−</mo>" in mathml("x-1")


@pytest.mark.parametrize("latex", [r"\frac{1}{", r"\nonsense x", "a & b", r"\left(x", "x^1^2", "{"])
def test_wrong_latex_is_refused(latex: str) -> None:
    with pytest.raises(ValueError, match="the formula"):
        mathml(latex)
