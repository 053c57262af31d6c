"""A strict check of the structure of XML: for each element its attributes, its children in their order, and its text.

No validator of schemas is among the packages, so the parts of the schemas that our files use are written down here.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element


@dataclass(frozen=True)
class Form:
    """What an element may be. `children`: a regular expression over the names of the children, a space after each.

    `required`, `optional`: attribute → regular expression of its value. `text`: whether words may be between children.
    """

    children: str = ""
    required: Mapping[str, str] = field(default_factory=dict)
    optional: Mapping[str, str] = field(default_factory=dict)
    text: bool = False


def check(element: Element, forms: Mapping[str, Form], space: str = "") -> None:
    """Check an element and all below it; `space` is their namespace."""
    assert element.tag.startswith(f"{{{space}}}" if space else ""), element.tag
    name = bare(element.tag)
    assert name in forms, f"<{name}> is not in the format"
    form = forms[name]
    for attribute in form.required:
        assert attribute in element.attrib, f"<{name}> lacks {attribute}"
    for attribute, value in element.attrib.items():
        pattern = {**form.required, **form.optional}.get(attribute)
        assert pattern is not None, f"<{name}> has {attribute}"
        assert re.fullmatch(pattern, value), f"{attribute} of <{name}> is {value!r}"
    children = "".join(f"{bare(child.tag)} " for child in element)
    assert re.fullmatch(form.children, children), f"<{name}> holds {children!r}"
    if not form.text:
        words = [element.text, *(child.tail for child in element)]
        assert not any(word and word.strip() for word in words), f"<{name}> holds words"
    for child in element:
        check(child, forms, space)


def bare(tag: str) -> str:
    return tag.rpartition("}")[2]
