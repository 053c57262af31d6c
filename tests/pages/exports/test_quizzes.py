"""Questions for learning platforms: files whose structure is checked strictly, and which mark as the pages do."""

import io
import json
import re
import zipfile
from dataclasses import asdict, replace
from functools import cache
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from app.pages.document.worksheet import Question
from app.pages.exports.moodle import TYPES, moodle
from app.pages.exports.qti import MANIFEST, PACKAGE, QTI, TEST, qti
from app.pages.exports.quiz import CHOICE, NUMBER, ORDER, YES_NO, Choice, Item, items, plain, restored
from app.pages.exports.quiz_files import FORMATS, quiz_file
from app.pages.files import quiz_names
from tests.pages.exports.structure import Form, check
from tests.site import CHAPTERS, site
from tests.tiers import first

WORD = r"[A-Za-z_][\w.-]*"
NUMERAL = r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?"
POINTER = re.compile(
    r"\b((this|next|first) (page|picture|figure)|the (picture|figure)|(recipe|picture|figure) below)\b"
)
TEXT = Form(text=True)
HTML = {"format": "html|moodle_auto_format"}
INLINE = r"(?:em |strong |code |sub |sup |br )*"
FLOW = r"(?:em |strong |code |sub |sup |br |p )*"
MARKUP = {
    **{name: Form(INLINE, text=True) for name in ("em", "strong", "code", "sub", "sup", "br")},
    "p": Form(r"(?:em |strong |code |sub |sup |br |textEntryInteraction )*", text=True),
}

MOODLE = {
    "quiz": Form(r"(?:question )+"),
    "question": Form(
        r"category |"
        r"name questiontext generalfeedback defaultgrade penalty hidden idnumber (?:"
        r"single shuffleanswers answernumbering (?:answer ){2,}|answer answer |answer |"
        r"shuffleanswers (?:subquestion ){2,})",
        {"type": "category|multichoice|truefalse|numerical|matching"},
    ),
    "category": Form("text "),
    "name": Form("text "),
    "questiontext": Form("text ", HTML),
    "generalfeedback": Form("text ", HTML),
    "answer": Form(r"text (?:tolerance )?(?:feedback )?", optional={"fraction": "100|0", **HTML}),
    "subquestion": Form("text answer ", HTML),
    "feedback": Form("text ", HTML),
    **dict.fromkeys(("text", "tolerance", "defaultgrade", "penalty", "hidden", "idnumber"), TEXT),
    **dict.fromkeys(("single", "shuffleanswers", "answernumbering"), TEXT),
}

ITEM = {
    "assessmentItem": Form(
        r"responseDeclaration (?:outcomeDeclaration ){2}itemBody responseProcessing (?:modalFeedback )*",
        {"identifier": WORD, "title": ".+", "adaptive": "false", "timeDependent": "false"},
    ),
    "responseDeclaration": Form(
        "correctResponse ",
        {"identifier": "RESPONSE", "cardinality": "single|ordered", "baseType": "identifier|float"},
    ),
    "correctResponse": Form(r"(?:value )+"),
    "outcomeDeclaration": Form(
        r"(?:defaultValue )?",
        {"identifier": "SCORE|FEEDBACK", "cardinality": "single", "baseType": "float|identifier"},
    ),
    "defaultValue": Form("value "),
    "value": TEXT,
    "itemBody": Form(r"choiceInteraction |orderInteraction |p p "),
    "choiceInteraction": Form(
        r"prompt (?:simpleChoice ){2,}",
        {"responseIdentifier": "RESPONSE", "shuffle": "true|false", "maxChoices": "1"},
    ),
    "orderInteraction": Form(
        r"prompt (?:simpleChoice ){2,}", {"responseIdentifier": "RESPONSE", "shuffle": "true|false"}
    ),
    "prompt": Form(INLINE, text=True),
    "simpleChoice": Form(FLOW, {"identifier": WORD}, text=True),
    "textEntryInteraction": Form(required={"responseIdentifier": "RESPONSE"}, optional={"expectedLength": r"\d+"}),
    "responseProcessing": Form("responseCondition setOutcomeValue "),
    "responseCondition": Form("responseIf "),
    "responseIf": Form("(?:match|equal) setOutcomeValue "),
    "match": Form("variable correct "),
    "equal": Form("variable correct ", {"toleranceMode": "absolute", "tolerance": f"{NUMERAL} {NUMERAL}"}),
    "variable": Form(required={"identifier": "RESPONSE"}),
    "correct": Form(required={"identifier": "RESPONSE"}),
    "setOutcomeValue": Form("(?:baseValue|variable) ", {"identifier": "SCORE|FEEDBACK"}),
    "baseValue": Form(required={"baseType": "float|identifier"}, text=True),
    "modalFeedback": Form("div ", {"outcomeIdentifier": "FEEDBACK", "identifier": WORD, "showHide": "show"}),
    "div": Form(FLOW, text=True),
    **MARKUP,
}

TESTS = {
    "assessmentTest": Form("testPart ", {"identifier": WORD, "title": ".+"}),
    "testPart": Form(
        "assessmentSection ",
        {"identifier": WORD, "navigationMode": "nonlinear|linear", "submissionMode": "individual|simultaneous"},
    ),
    "assessmentSection": Form(r"(?:assessmentItemRef )+", {"identifier": WORD, "title": ".+", "visible": "true|false"}),
    "assessmentItemRef": Form(required={"identifier": WORD, "href": r"items/[\w-]+\.xml"}),
}

CONTENTS = {
    "manifest": Form("metadata organizations resources ", {"identifier": WORD}),
    "metadata": Form("schema schemaversion "),
    "organizations": Form(),
    "resources": Form(r"(?:resource )+"),
    "resource": Form(
        r"file (?:dependency )*",
        {"identifier": WORD, "type": "imsqti_(?:item|test)_xmlv2p1", "href": r"[\w/-]+\.xml"},
    ),
    "file": Form(required={"href": r"[\w/-]+\.xml"}),
    "dependency": Form(required={"identifierref": WORD}),
    "schema": TEXT,
    "schemaversion": TEXT,
}

MADE = [
    Item("a.q1", "A & B", CHOICE, "x &lt; <em>y</em>?", "", [Choice("no", False, "Why."), Choice("yes", True)]),
    Item("a.p1", "A & B", YES_NO, "Does it?", "<p>It does.<br/>Often.</p>", answer=1.0),
    Item("b.p2", "C", NUMBER, "How many?", "<p>See α.</p>", answer=0.0123, tolerance=0.00123, unit="nats"),
    Item("b.p3", "C", ORDER, "In which order?", "", [Choice("one"), Choice("two"), Choice("three")]),
]
"""One item of each kind"""


@cache
def of(slug: str) -> list[Item]:
    return items(slug, site().library.titles.get(slug, slug), site().page(slug).worksheet)


def assert_moodle(exported: list[Item]) -> Element:
    quiz = ElementTree.fromstring(moodle(exported, "One plus sign"))
    check(quiz, MOODLE)
    questions = [question for question in quiz if question.get("type") != "category"]
    assert [question.get("type") for question in questions] == [TYPES[item.kind] for item in exported]
    for question, item in zip(questions, exported, strict=True):
        fractions = [answer.get("fraction") for answer in question.findall("answer")]
        assert fractions.count("100") == (item.kind != ORDER)
        # What a browser shows is HTML that is well-formed.
        for text in question.iter("text"):
            if text.text and item.id not in text.text:
                ElementTree.fromstring(f"<div>{text.text}</div>")
    return quiz


def assert_qti(exported: list[Item]) -> dict[str, Element]:
    archive = zipfile.ZipFile(io.BytesIO(qti(exported, "One plus sign")))
    assert archive.testzip() is None
    parsed = {name: ElementTree.fromstring(archive.read(name)) for name in archive.namelist()}
    check(parsed[MANIFEST], CONTENTS, PACKAGE)
    check(parsed[TEST], TESTS, QTI)
    listed = {file.get("href") for file in parsed[MANIFEST].iter(f"{{{PACKAGE}}}file")}
    assert listed == set(parsed) - {MANIFEST}
    referred = [reference.get("href") for reference in parsed[TEST].iter(f"{{{QTI}}}assessmentItemRef")]
    assert referred == [name for name in parsed if name not in (MANIFEST, TEST)]
    identifiers = [resource.get("identifier") for resource in parsed[MANIFEST].iter(f"{{{PACKAGE}}}resource")]
    assert len(set(identifiers)) == len(identifiers)
    for name in referred:
        item = parsed[str(name)]
        check(item, ITEM, QTI)
        offered = {choice.get("identifier") for choice in item.iter(f"{{{QTI}}}simpleChoice")}
        right = [value.text for value in item.find(f".//{{{QTI}}}correctResponse") or ()]
        assert right
        assert not offered or set(right) <= offered
    return parsed


def test_every_kind_is_written_for_both() -> None:
    assert_moodle(MADE)
    parsed = assert_qti(MADE)
    assert list(parsed)[2:] == [f"items/item-{name}.xml" for name in ("a-q1", "a-p1", "b-p2", "b-p3")]


@pytest.mark.parametrize("slug", first(4, CHAPTERS))
def test_the_questions_of_a_page_are_written_for_both(slug: str) -> None:
    assert of(slug)
    assert_moodle(of(slug))
    assert_qti(of(slug))


@pytest.mark.parametrize("slug", first(4, CHAPTERS))
def test_no_closed_question_of_a_page_is_left_out(slug: str) -> None:
    expected_questions = [
        item for item in site().page(slug).worksheet if isinstance(item, Question) and item.kind != "draw"
    ]
    assert [item.id for item in of(slug)] == [f"{slug}.{question.id}" for question in expected_questions]
    for item, question in zip(of(slug), expected_questions, strict=True):
        if item.kind == CHOICE:
            assert [option.right for option in item.options] == [option.right for option in question.options]
        if item.kind == NUMBER:
            assert item.answer == question.value


def test_a_number_has_a_tolerance_in_both() -> None:
    quiz = assert_moodle(MADE)
    answer = quiz.find("question[@type='numerical']/answer")
    assert answer is not None
    assert [answer.findtext("text"), answer.findtext("tolerance")] == ["0.0123", "0.00123"]
    equal = assert_qti(MADE)["items/item-b-p2.xml"].find(f".//{{{QTI}}}equal")
    assert equal is not None
    assert equal.get("tolerance") == "0.00123 0.00123"


def test_an_item_has_the_address_of_its_figure_if_the_site_has_one() -> None:
    question = replace(MADE[2], figure="ball")
    for slug, suffix, expected in (("b", "", "b"), ("b", ".html", "b.html"), ("home", ".html", "")):
        pages = [[asdict(replace(question, id=f"{slug}.p2"))]]
        xml = quiz_file("moodle.xml", pages, "S", "https://e.org/s/", suffix).decode()
        assert f"How many? (nats)&lt;br/&gt;Figure: https://e.org/s/{expected}#ball<" in xml
        package = zipfile.ZipFile(io.BytesIO(quiz_file("qti.zip", pages, "S", "https://e.org/s/", suffix)))
        assert f"<br />Figure: https://e.org/s/{expected}#ball<".encode() in package.read(f"items/item-{slug}-p2.xml")
        assert b"Figure" not in quiz_file("moodle.xml", pages, "S", "")


@pytest.mark.parametrize("slug", first(4, ["home", *CHAPTERS]))
def test_no_question_points_at_what_only_its_page_has(slug: str) -> None:
    for item in of(slug):
        for text in (item.question, *(option.text for option in item.options)):
            assert not POINTER.search(text), item.id


def test_the_figure_that_asks_a_question_is_with_its_item() -> None:
    figures = {item.id: item.figure for item in of("landscape")}
    assert figures["landscape.p-random"] == "ball"
    assert figures["landscape.q1"] == ""


def test_an_order_is_matched_with_its_places() -> None:
    parts = assert_moodle(MADE).findall("question[@type='matching']/subquestion")
    assert [(part.findtext("text"), part.findtext("answer/text")) for part in parts] == [
        ("one", "1"),
        ("two", "2"),
        ("three", "3"),
    ]


def test_the_same_questions_are_the_same_bytes() -> None:
    assert qti(MADE, "T") == qti(MADE, "T")
    assert [asdict(restored(json.loads(json.dumps(asdict(item))))) for item in MADE] == [
        {**asdict(item), "options": [asdict(option) for option in item.options]} for item in MADE
    ]


def test_formulas_are_text_and_links_are_gone() -> None:
    formula = "<math><mrow><mi>x</mi><mo>&lt;</mo><mn>2</mn></mrow></math>"
    html = f'<p>See <a href="x">it</a>: {formula} <em class="a">now</em></p>'
    assert plain(html) == "<p>See it: x&lt;2 <em>now</em></p>"
    assert plain("1&nbsp;×<br class='a'>2") == "1 ×<br/>2"


def test_files_have_the_names_that_pages_link() -> None:
    assert set(FORMATS) == set(quiz_names.FORMATS)
    assert quiz_file("moodle.xml", [[], []], "T", "") == b""
    for ending in FORMATS:
        assert quiz_names.FILE.fullmatch(f"{quiz_names.of_page('degradation')}.{ending}")
        assert quiz_file(ending, [[asdict(item) for item in MADE]], "T", "")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (' cardinality="single"', ""),
        ("<prompt>", "<prompt><b/>"),
        ('shuffle="true"', 'shuffle="maybe"'),
        ("</itemBody>", "words</itemBody>"),
    ],
)
def test_the_check_of_structure_is_strict(before: str, after: str) -> None:
    archive = zipfile.ZipFile(io.BytesIO(qti(MADE, "T")))
    text = archive.read("items/item-a-q1.xml").decode()
    assert before in text
    with pytest.raises(AssertionError):
        check(ElementTree.fromstring(text.replace(before, after, 1)), ITEM, QTI)
