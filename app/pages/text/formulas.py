"""LaTeX → MathML at build time: no script has to load, and a screen reader can walk through the formula."""

import re
import unicodedata
from functools import cache
from typing import Literal

from latex2mathml.converter import convert
from markupsafe import Markup, escape

# The converter does not know these forms, but does know equivalent ones.
SYNONYMS = {
    r"\lVert": r"\left\|",
    r"\rVert": r"\right\|",
    r"\lvert": r"\left|",
    r"\rvert": r"\right|",
    # Its sizes are the same for all contents, and a closing one with an exponent would stretch by itself.
    r"\Bigl": r"\left",
    r"\Bigr": r"\right",
    r"\begin{aligned}": r"\begin{align*}",
    r"\end{aligned}": r"\end{align*}",
}
SCRIPT = {"B": "ℬ", "E": "ℰ", "F": "ℱ", "H": "ℋ", "I": "ℐ", "L": "ℒ", "M": "ℳ", "R": "ℛ"}
"""Script capitals that Unicode has outside its mathematical block."""
SCRIPT_A = 0x1D49C

SLANTED = {letter: 0x1D6FC + letter - 0x3B1 for letter in range(0x3B1, 0x3CA)}
"""Small Greek letters and their italic counterparts for formulas."""

GREEK = re.compile("<mi>([α-ω])</mi>")
CALLIGRAPHIC = re.compile(r'<mi mathvariant="script">([A-Z])</mi>')
UPRIGHT = re.compile(r'(?:<mi mathvariant="normal">[A-Za-z]</mi>){2,}')
ENTITY = re.compile(r"&#x([0-9A-F]+);")
BOLD = re.compile("<mi>([\U0001d400-\U0001d433])</mi>")
BOLD_VARIANT = re.compile('<(m[in]) mathvariant="bold">')
"""Browsers ignore this markup, and our fonts have no Unicode bold digits."""
UPRIGHT_LETTER = re.compile(r"<mi>(&#x000[4-7][0-9A-F];)</mi>")
WORD = re.compile(r"<mi>(\w{2,})</mi>")
SIGN = re.compile(r"((?:^<math[^>]*><mrow>|<mo[^>]*>[,(\[=]</mo>)(?:<mspace[^>]*/>)?<mo)(>[−+]</mo>)")
ACCENT = re.compile(r'<mover>((?:<mrow>)?<mi[^>]*>[^<]*</mi>(?:</mrow>)?)<mo stretchy="\w+">([¯~])</mo>')
ACCENTS = {"¯": "‾", "~": "˜"}
NAME = re.compile(r"<mo[^>]*>([a-z]{2,})</mo>")
APPLIED = re.compile(r"(?<!<msub>)(?<!<msup>)(<mi[^>]*>(?:log|ln|exp|tanh|det|max|min)</mi>)(?=<m[ins])")
MULTIPLIED = re.compile(r"(</m(?:i|n|sub|sup|row)>)(?=<mi[^>]*>(?:log|ln|exp|tanh)</mi>)")
"""A function's name and what is next to it, without parentheses between them"""

THIN = '<mspace width="0.17em"/>'
INFINITY = "<mo>∞</mo>"
BAR = re.compile(r'<mo stretchy="true"( fence="true" form="\w+">[‖|]</mo>)')
RELATION = re.compile("<mrow><mo>([≤≥<>])</mo>")
"""One that has nothing on its left, as in an index"""

LEFT_OVER = re.compile(r"<m[io]>(\\[A-Za-z]+|&)</m[io]>")


@cache
def mathml(latex: str, display: Literal["inline", "block"] = "inline") -> Markup:
    """A formula as MathML. Raises ValueError for LaTeX that is invalid or that the converter does not know."""
    source = latex.strip()
    for word, synonym in SYNONYMS.items():
        source = source.replace(word, synonym)
    try:
        xml = convert(source, display=display)
    except Exception as error:  # the converter raises a dozen kinds of errors for invalid LaTeX
        raise ValueError(f"the formula {latex!r} is wrong: {type(error).__name__}") from None
    unknown = LEFT_OVER.search(xml)
    if unknown:
        raise ValueError(f"the formula {latex!r} uses {unknown[1]}, which cannot be converted")
    xml = xml.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "", 1)
    xml = xml.replace(' display="inline"', "", 1)
    xml = UPRIGHT_LETTER.sub(r'<mi mathvariant="normal">\1</mi>', xml)
    xml = ENTITY.sub(lambda match: str(escape(chr(int(match[1], 16)))), xml)
    xml = GREEK.sub(lambda match: f"<mi>{match[1].translate(SLANTED)}</mi>", xml)
    xml = BOLD.sub(lambda match: f'<mi class="bold">{unicodedata.normalize("NFKC", match[1])}</mi>', xml)
    xml = BOLD_VARIANT.sub(r'<\1 class="bold">', xml)
    xml = CALLIGRAPHIC.sub(lambda match: f"<mi>{_script(match[1])}</mi>", xml)
    xml = UPRIGHT.sub(lambda match: f"<mi>{re.sub('<[^>]*>', '', match[0])}</mi>", xml)
    xml = WORD.sub(r'<mi mathvariant="normal">\1</mi>', xml)
    xml = ACCENT.sub(_accent, xml)
    xml = NAME.sub(r'<mi mathvariant="normal">\1</mi>', xml)
    xml = MULTIPLIED.sub(rf"\1{THIN}", APPLIED.sub(rf"\1{THIN}", xml))
    xml = RELATION.sub(r'<mrow><mo lspace="0" rspace="0">\1</mo>', xml)
    xml = xml.replace(INFINITY, '<mi mathvariant="normal">∞</mi>')
    if r"\left" not in latex:
        xml = BAR.sub(r'<mo stretchy="false"\1', xml)
    return Markup(SIGN.sub(r'\1 form="prefix"\2', xml))


def _accent(match: re.Match[str]) -> str:
    look = ' class="bar"' if match[2] == "¯" else ""
    return f'<mover accent="true">{match[1]}<mo stretchy="false"{look}>{ACCENTS[match[2]]}</mo>'


def _script(letter: str) -> str:
    return SCRIPT.get(letter) or chr(SCRIPT_A + ord(letter) - ord("A"))
