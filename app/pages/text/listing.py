"""Python source as HTML, with few and short class names: a third of the size that a full formatter produces."""

import ast
import textwrap
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from pathlib import Path

from markupsafe import Markup, escape
from pygments import lex
from pygments.lexers import BashLexer, PythonLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, _TokenType

import sims

CLASSES = (
    (Comment, "c"),
    (String, "s"),
    (Number, "m"),
    (Keyword, "k"),
    (Operator.Word, "k"),
    (Name.Builtin.Pseudo, "b"),
    (Name.Decorator, "d"),
    (Name.Function, "f"),
    (Name.Class, "f"),
)
"""Kind of token → class in the style sheet; other kinds stay plain."""

LEXERS = {"python": PythonLexer, "py": PythonLexer, "bash": BashLexer, "shell": BashLexer}


@lru_cache(maxsize=64)
def highlight(source: str, language: str = "python") -> Markup:
    """The source as the content of a `<code>`. A language without a lexer stays plain."""
    if language not in LEXERS:
        return escape(source)
    pieces = ((_class_of(token_type), text) for token_type, text in lex(source, LEXERS[language](stripnl=True)))
    runs = ((name, "".join(text for _, text in group)) for name, group in groupby(pieces, key=lambda piece: piece[0]))
    return Markup("").join(_marked(runs)).rstrip()


def _class_of(token_type: _TokenType) -> str:
    return next((name for token, name in CLASSES if token_type in token), "")


def _marked(runs: Iterator[tuple[str, str]]) -> Iterator[Markup]:
    for name, text in runs:
        yield Markup('<i class="{}">{}</i>').format(name, text) if name and text.strip() else escape(text)


def source_of(path: str) -> str:
    """The source of an object of `sims`, by its dotted path: a module, class, function or calculation.

    The source is read, not imported, so that a page may show code that takes a library seconds to load. Raises
    ValueError if there is no such object.
    """
    names = path.split(".")
    if names[0] != "sims" or not all(names):
        raise ValueError(f"{path} is not in sims")
    for count in range(len(names), 0, -1):
        file = _file_of(names[:count])
        if file is not None:
            return _part(file.read_text(encoding="utf-8"), names[count:], path)
    raise ValueError(f"there is no {path}")


def _file_of(names: list[str]) -> Path | None:
    """The file of a module."""
    bases = [Path(folder).joinpath(*names[1:]) for folder in sims.__path__]
    files = (file for base in bases for file in (base.with_suffix(".py"), base / "__init__.py"))
    return next((file for file in files if file.is_file()), None)


def _part(source: str, names: list[str], path: str) -> str:
    """The source of a class or function in a module's source, decorators included; the whole module without names."""
    node: ast.AST = ast.parse(source)
    for name in names:
        inside = [child for child in getattr(node, "body", []) if getattr(child, "name", None) == name]
        if not inside:
            raise ValueError(f"there is no {path}")
        node = inside[-1]
    if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return source
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    lines = source.splitlines(keepends=True)[first - 1 : node.end_lineno]
    return textwrap.dedent("".join(lines))
