"""Items as Moodle XML, which Moodle imports into its question bank."""

from collections.abc import Iterable
from html import unescape
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from app.pages.exports.quiz import CHOICE, NUMBER, ORDER, YES_NO, Item

CONTENT_TYPE = "application/xml; charset=utf-8"

TYPES = {CHOICE: "multichoice", YES_NO: "truefalse", NUMBER: "numerical", ORDER: "matching"}
"""Kind → type of question. Only newer versions of Moodle can put things in order, all can match them with places."""


def moodle(items: Iterable[Item], site: str) -> bytes:
    """The file of these items, in a category for the site with one for each page."""
    quiz = Element("quiz")
    page = ""
    for item in items:
        if item.page != page:
            page = item.page
            name = f"$course$/top/{_segment(site)}/{_segment(page)}"
            _text(SubElement(SubElement(quiz, "question", type="category"), "category"), name)
        _question(quiz, item)
    ElementTree.indent(quiz)
    return ElementTree.tostring(quiz, encoding="utf-8", xml_declaration=True) + b"\n"


def _segment(name: str) -> str:
    """A part of a category's path, in which one slash separates and two stand for one."""
    return name.replace("/", "//")


def _question(quiz: Element, item: Item) -> None:
    question = SubElement(quiz, "question", type=TYPES[item.kind])
    _text(SubElement(question, "name"), item.id)
    _html(question, "questiontext", item.question + (f" ({item.unit})" if item.unit else "") + item.where)
    _html(question, "generalfeedback", item.because)
    for name, value in (("defaultgrade", "1"), ("penalty", "0.3333333"), ("hidden", "0"), ("idnumber", item.id)):
        SubElement(question, name).text = value
    if item.kind == CHOICE:
        for name, value in (("single", "true"), ("shuffleanswers", "true"), ("answernumbering", "abc")):
            SubElement(question, name).text = value
        for option in item.options:
            answer = SubElement(question, "answer", fraction="100" if option.right else "0", format="html")
            SubElement(answer, "text").text = option.text
            _html(answer, "feedback", option.because)
    elif item.kind == YES_NO:
        for word, right in (("true", item.answer == 1), ("false", item.answer != 1)):
            answer = SubElement(question, "answer", fraction="100" if right else "0", format="moodle_auto_format")
            SubElement(answer, "text").text = word
            _html(answer, "feedback", "")
    elif item.kind == NUMBER:
        answer = SubElement(question, "answer", fraction="100", format="moodle_auto_format")
        SubElement(answer, "text").text = f"{item.answer:.6g}"
        SubElement(answer, "tolerance").text = f"{item.tolerance:.3g}"
        _html(answer, "feedback", "")
    else:
        SubElement(question, "shuffleanswers").text = "true"
        for place, option in enumerate(item.options, 1):
            part = _html(question, "subquestion", option.text)
            _text(SubElement(part, "answer"), str(place))


def _text(parent: Element, words: str) -> None:
    SubElement(parent, "text").text = unescape(words)


def _html(parent: Element, name: str, html: str) -> Element:
    element = SubElement(parent, name, format="html")
    SubElement(element, "text").text = html
    return element
