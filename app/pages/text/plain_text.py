"""HTML → text where no markup is allowed: formulas become text that can be read aloud."""

import re
import unicodedata
from html import escape
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from markupsafe import Markup

MATH = re.compile(r"<math\b.*?</math>", re.DOTALL)
RAISED = str.maketrans("0123456789+−-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
NUMBER = re.compile(r"[−+-]?\d+")
ATOM = re.compile(r"[\d.,]*|[^\W\d_]+′?|[⊤*]|√\([^()]*\)")
"""A part of a fraction or root that needs no parentheses: a number, a letter, a word, a sign"""
POWER = re.compile(r"<sup>([−+-]?\d+)</sup>")


def without_formulas(html: str) -> str:
    """The HTML with formulas and powers as text: 10⁻³, h_l, 1/√(2N). Raises ParseError for MathML that is not XML."""
    html = POWER.sub(lambda match: match[1].translate(RAISED), html)
    return MATH.sub(lambda match: escape(spoken(ElementTree.fromstring(match[0])), quote=False), html)


def formula_name(html: str) -> Markup:
    """The attribute with a name for an element that contains nothing but a formula; empty for any other.

    Programs that do not read MathML find no name in such an element.
    """
    if not MATH.search(html) or MATH.sub("", html).strip():
        return Markup("")
    return Markup(' aria-label="{}"').format(Markup(without_formulas(html)).striptags())


def spoken(part: Element) -> str:
    """A piece of MathML as a line of text."""
    inside = [spoken(child) for child in part]
    match part.tag, inside:
        case "msup", [base, above]:
            return base + _above(above)
        case "msub", [base, below]:
            return f"{base}_{_one(below)}"
        case (("msubsup" | "munderover"), [base, below, above]):
            return f"{base}_{_one(below)}{_above(above)}"
        case "munder", [base, below]:
            return f"{base}_{_one(below)}"
        case "mover", [base, _accent]:
            return base
        case "mfrac", [upper, lower] if part.get("linethickness") == "0":  # a binomial, inside its own parentheses
            return f"{upper} choose {lower}"
        case "mfrac", [upper, lower]:
            return f"{_one(upper)}/{_one(lower)}"
        case "msqrt", _:
            return f"√{_one(''.join(inside))}"
        case "mspace", _:
            return " "
        case (("mtr" | "mtd"), _):
            return "".join(inside) + (" " if part.tag == "mtd" else "; ")
    return unicodedata.normalize("NFKC", part.text or "") + "".join(inside)


def _one(text: str) -> str:
    return text if ATOM.fullmatch(text) else f"({text})"


def _above(text: str) -> str:
    return text.translate(RAISED) if NUMBER.fullmatch(text) else f"^{_one(text)}"
