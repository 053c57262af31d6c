"""YAML whose texts know their line, so that a mistake in one of them can be located."""

from collections.abc import Collection, Mapping
from typing import Any

import yaml

from app.pages.text.errors import Mistake


class LocatedStr(str):
    """A text with the line on which its content begins, counted from 1."""

    line: int = 1

    def at(self, line: int) -> "LocatedStr":
        self.line = line
        return self


class _Loader(yaml.CSafeLoader):
    first_line = 1


def _text(loader: _Loader, node: yaml.ScalarNode) -> LocatedStr:
    below = node.style in ("|", ">")
    return LocatedStr(loader.construct_scalar(node)).at(loader.first_line + node.start_mark.line + below)


def _mapping(loader: _Loader, node: yaml.MappingNode) -> dict[Any, Any]:
    loader.flatten_mapping(node)
    mapping: dict[Any, Any] = {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        if key in mapping:
            raise Mistake(f"the key {key!r} appears twice", loader.first_line + key_node.start_mark.line)
        mapping[key] = loader.construct_object(value_node, deep=True)
    return mapping


_Loader.add_constructor("tag:yaml.org,2002:str", _text)
_Loader.add_constructor("tag:yaml.org,2002:map", _mapping)


def load(text: str, line: int = 1) -> Any:
    """The data in `text`, whose first line is line number `line` of its file. Raises Mistake."""
    loader = _Loader(str(text))  # the parser in C takes no subclass
    loader.first_line = line
    try:
        return loader.get_single_data()
    except yaml.MarkedYAMLError as error:
        below = error.problem_mark.line if error.problem_mark else 0
        where = line + min(below, max(len(text.splitlines()) - 1, 0))
        hint = " (a text that begins with { or ` needs quotation marks around it)" if "{calc}" in text else ""
        raise Mistake(f"this is not YAML: {error.problem}{hint}", where) from None
    finally:
        loader.dispose()


def fields(data: Any, required: Collection[str], optional: Collection[str] = ()) -> Mapping[str, Any]:
    """`data`, if it is a mapping with the required keys and no unknown ones. Raises ValueError if not."""
    if not isinstance(data, Mapping):
        raise ValueError(f"expected {', '.join(required)}, each with a value")
    missing = [key for key in required if key not in data]
    unknown = [str(key) for key in data if key not in required and key not in optional]
    if missing:
        raise ValueError(f"{', '.join(missing)} is missing")
    if unknown:
        raise ValueError(f"unknown: {', '.join(unknown)}; possible: {', '.join([*required, *optional])}")
    return data
