"""Items as a QTI 2.1 content package: a manifest, a test, and one file for each item."""

import io
import zipfile
from collections.abc import Sequence
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from app.pages.exports.quiz import CHOICE, NUMBER, ORDER, YES_NO, Choice, Item

CONTENT_TYPE = "application/zip"

QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"
MANIFEST, TEST = "imsmanifest.xml", "test.xml"

DAY_ONE = (2000, 1, 1, 0, 0, 0)
"""The time of every file in the package, so that the same questions are the same bytes"""


def qti(items: Sequence[Item], title: str) -> bytes:
    """The package as a ZIP file; `title` is that of its test."""
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, element in (
            (MANIFEST, _manifest(items)),
            (TEST, _test(items, title)),
            *((_file(item), _item(item)) for item in items),
        ):
            ElementTree.indent(element)
            body = ElementTree.tostring(element, encoding="utf-8", xml_declaration=True)
            archive.writestr(zipfile.ZipInfo(name, DAY_ONE), body, zipfile.ZIP_DEFLATED)
    return package.getvalue()


def _name(item: Item) -> str:
    """The identifier of an item: letters, digits, and what XML names may have besides."""
    return f"item-{item.id.replace('.', '-')}"


def _file(item: Item) -> str:
    return f"items/{_name(item)}.xml"


def _manifest(items: Sequence[Item]) -> Element:
    manifest = Element("manifest", xmlns=PACKAGE, identifier="manifest-one-plus-sign")
    metadata = SubElement(manifest, "metadata")
    SubElement(metadata, "schema").text = "QTIv2.1 Package"
    SubElement(metadata, "schemaversion").text = "1.0.0"
    SubElement(manifest, "organizations")
    resources = SubElement(manifest, "resources")
    test = SubElement(resources, "resource", identifier="test", type="imsqti_test_xmlv2p1", href=TEST)
    SubElement(test, "file", href=TEST)
    for item in items:
        SubElement(test, "dependency", identifierref=_name(item))
    for item in items:
        kind = "imsqti_item_xmlv2p1"
        resource = SubElement(resources, "resource", identifier=_name(item), type=kind, href=_file(item))
        SubElement(resource, "file", href=_file(item))
    return manifest


def _test(items: Sequence[Item], title: str) -> Element:
    test = Element("assessmentTest", xmlns=QTI, identifier="test-one-plus-sign", title=title)
    part = SubElement(test, "testPart", identifier="part", navigationMode="nonlinear", submissionMode="individual")
    section = SubElement(part, "assessmentSection", identifier="section", title=title, visible="true")
    for item in items:
        SubElement(section, "assessmentItemRef", identifier=_name(item), href=_file(item))
    return test


def _item(item: Item) -> Element:
    element = Element(
        "assessmentItem",
        xmlns=QTI,
        identifier=_name(item),
        title=item.id,
        adaptive="false",
        timeDependent="false",
    )
    options = [Choice("Yes", item.answer == 1), Choice("No", item.answer != 1)] if item.kind == YES_NO else item.options
    names = [f"option-{number}" for number in range(1, len(options) + 1)]
    right = {
        CHOICE: [name for name, option in zip(names, options, strict=True) if option.right],
        YES_NO: [name for name, option in zip(names, options, strict=True) if option.right],
        ORDER: names,
        NUMBER: [f"{item.answer:.6g}"],
    }[item.kind]
    response = SubElement(
        element,
        "responseDeclaration",
        identifier="RESPONSE",
        cardinality="ordered" if item.kind == ORDER else "single",
        baseType="float" if item.kind == NUMBER else "identifier",
    )
    correct = SubElement(response, "correctResponse")
    for value in right:
        SubElement(correct, "value").text = value
    for name, base in (("SCORE", "float"), ("FEEDBACK", "identifier")):
        outcome = SubElement(element, "outcomeDeclaration", identifier=name, cardinality="single", baseType=base)
        if name == "SCORE":
            SubElement(SubElement(outcome, "defaultValue"), "value").text = "0"
    _body(SubElement(element, "itemBody"), item, options, names)
    _processing(SubElement(element, "responseProcessing"), item)
    _feedback(element, item, options, names)
    return element


def _body(body: Element, item: Item, options: Sequence[Choice], names: Sequence[str]) -> None:
    if item.kind == NUMBER:
        paragraph = _filled("p", item.question + item.where)
        body.append(paragraph)
        entry = SubElement(SubElement(body, "p"), "textEntryInteraction", responseIdentifier="RESPONSE")
        entry.set("expectedLength", "12")
        entry.tail = f" {item.unit}" if item.unit else None
        return
    order = item.kind == ORDER
    settings = {"responseIdentifier": "RESPONSE", "shuffle": "true" if item.kind != YES_NO else "false"}
    if not order:
        settings["maxChoices"] = "1"
    interaction = SubElement(body, "orderInteraction" if order else "choiceInteraction", settings)
    interaction.append(_filled("prompt", item.question + item.where))
    for name, option in zip(names, options, strict=True):
        choice = _filled("simpleChoice", option.text)
        choice.set("identifier", name)
        interaction.append(choice)


def _processing(processing: Element, item: Item) -> None:
    condition = SubElement(processing, "responseCondition")
    matched = SubElement(condition, "responseIf")
    if item.kind == NUMBER:
        test = SubElement(
            matched, "equal", toleranceMode="absolute", tolerance=f"{item.tolerance:.3g} {item.tolerance:.3g}"
        )
    else:
        test = SubElement(matched, "match")
    SubElement(test, "variable", identifier="RESPONSE")
    SubElement(test, "correct", identifier="RESPONSE")
    scored = SubElement(matched, "setOutcomeValue", identifier="SCORE")
    SubElement(scored, "baseValue", baseType="float").text = "1"
    shown = SubElement(processing, "setOutcomeValue", identifier="FEEDBACK")
    if item.kind in (CHOICE, YES_NO):
        SubElement(shown, "variable", identifier="RESPONSE")
    else:
        SubElement(shown, "baseValue", baseType="identifier").text = "option-all"


def _feedback(element: Element, item: Item, options: Sequence[Choice], names: Sequence[str]) -> None:
    """One explanation for each option, or the same for all answers."""
    single = item.kind in (CHOICE, YES_NO)
    texts = [option.because or item.because for option in options] if single else [item.because]
    for name, text in zip(names if single else ["option-all"], texts, strict=True):
        if text:
            shown = SubElement(element, "modalFeedback", outcomeIdentifier="FEEDBACK", identifier=name, showHide="show")
            inside = _filled("div", text)
            shown.append(inside)


def _filled(tag: str, html: str) -> Element:
    """An element around HTML of ours. Raises ParseError if that is not well-formed."""
    return ElementTree.fromstring(f"<{tag}>{html}</{tag}>")
