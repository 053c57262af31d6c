"""Reduces a definition to a text that contains only what can change its results, and lists what it refers to.

It leaves out comments, docstrings, annotations, layout and imports. Names of local variables become numbers. References
to the same project become numbers, too: indices into `Form.references`. So a definition keeps its text when it moves to
another file, or when something that it uses is renamed.
"""

import ast
import builtins
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Protocol

Place = tuple[str, str, str]
"""A definition: the dotted name of its module, its own name, and the name of a method, or "" for all but the methods"""

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
READS_BY_NAME = ("getattr", "hasattr", "attrgetter", "methodcaller")
"""Functions that take the name of an attribute as a text"""

COMPOSES = ("join", "replace", "lower", "upper", "strip", "removeprefix", "removesuffix")
"""Methods of a text that return another one"""

SEES_LOCAL_NAMES = ("locals", "vars", "dir", "eval", "exec")
"""Functions that see the names of local variables, if they are called without an object"""

PRESENTED = ("label", "doc", "precedence")
"""Keywords of a parameter that affect only what readers see"""

DEFAULT = "default"
"""The keyword of a parameter that affects results whose arguments are known"""

WORDS = ("label", "sentence", "cause", "what_to_try")
"""Fields of dataclasses, and parameters of functions, that hold words for readers"""

SKIPPED_FIELDS = ("annotation", "returns", "type_comment", "type_params", "ctx", "kind", "simple")
NOTHING = (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.Pass)


@dataclass(frozen=True)
class Form:
    """What a definition does, as a normalized text, and what it may use."""

    text: str
    references: tuple[Place, ...]
    beyond_lookups: frozenset[Place]
    """Those references that it uses in other ways than to look up one key, as in `TABLE[key]` or `key in TABLE`"""
    attributes: frozenset[str]
    """Names of attributes that it reads, and all texts in it that could be such a name"""
    patterns: frozenset[str]
    """Regular expressions for names of attributes that it composes at run time"""
    own_patterns: frozenset[str]
    """The same for attributes of `self`"""
    reads_by_name: bool
    """Whether it reads attributes whose names are not literals"""
    texts: frozenset[str]
    """All text constants in it"""
    reads: frozenset[str]
    """Local names that it reads"""

    @cached_property
    def words(self) -> frozenset[str]:
        """All texts and names in it that could be a key of a table."""
        return self.texts | frozenset(re.findall(r"[^\W\d]\w*", self.text))


class Surroundings(Protocol):
    """The module around a definition."""

    def resolve(self, names: list[str], imports: dict[str, str]) -> "tuple[Place | str, list[str]] | None":
        """Return what a dotted name refers to outside of its function (a definition of the project, or a dotted name of
        another library), and the attributes that follow it. None for a builtin."""

    def declares(self, function: ast.expr) -> list[str] | None:
        """Return the names of the positional arguments, as far as they are known, if a call of this function declares a
        parameter for readers. None for any other function."""

    def registers_calculation(self, decorator: ast.expr) -> bool:
        """Whether a decorator only lets the prose refer to the function."""

    def words_of(self, function: ast.expr, imports: dict[str, str]) -> Mapping[str, int | None]:
        """Return the parameters of a function of the project that hold only words for readers (`WORDS`), each with its
        place among the positional ones. Empty for any other function."""


@dataclass
class _Scope:
    """Names that a function, comprehension or class binds."""

    tokens: dict[str, str] = field(default_factory=dict)
    """Name → its text in the normal form"""
    imports: dict[str, str] = field(default_factory=dict)
    module_names: set[str] = field(default_factory=set)
    """Names that the function declares as global"""
    is_class: bool = False
    unread: set[str] = field(default_factory=set)
    """Names that nothing reads but what is left out, so that the texts assigned to them are left out, too"""


def form(
    nodes: Iterable[ast.AST],
    own_name: str,
    around: Surroundings,
    *,
    words: bool,
    labels: bool,
    choices: bool,
    class_names: set[str],
) -> Form:
    """Return the form of a definition, given as its statements.

    `words` keeps what readers see: labels, docs, and docstrings of classes. `labels` keeps arguments called as in
    `WORDS`, too. `choices` keeps the bounds and options of parameters, and not only their defaults. `class_names` are
    the names that the class of a method binds, which its decorators and defaults may use.
    """
    printer = _Printer(own_name, around, words, labels, choices)
    if class_names:
        printer.scopes.append(_Scope({name: name for name in class_names}, is_class=True))
    return printer.form(nodes)


def imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """Yield each name that an import binds, and the dotted name that it refers to."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            yield alias.asname or alias.name, f"{node.module}.{alias.name}"
        elif alias.asname:
            yield alias.asname, alias.name
        else:
            yield alias.name.partition(".")[0], alias.name.partition(".")[0]


def dotted(node: ast.AST) -> list[str]:
    """Return the names in an expression such as `a.b.c`; empty for anything else."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return [node.id, *reversed(names)] if isinstance(node, ast.Name) else []


def is_text(node: ast.AST) -> bool:
    """Whether a statement is only a string, such as a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


class _Printer:
    """Writes syntax trees as text, and collects what they refer to."""

    def __init__(self, own_name: str, around: Surroundings, words: bool, labels: bool, choices: bool) -> None:
        self.own_name, self.around = own_name, around
        self.words, self.labels, self.choices = words, labels or words, choices
        self.scopes: list[_Scope] = []
        self.references: dict[Place, int] = {}
        self.beyond_lookups: set[Place] = set()
        self.attributes: set[str] = set()
        self.patterns: set[str] = set()
        self.own_patterns: set[str] = set()
        self.reads_by_name = False
        self.texts: set[str] = set()
        self.reads: set[str] = set()
        self._locals = 0

    def form(self, nodes: Iterable[ast.AST]) -> Form:
        text = ";".join(filter(None, map(self.write, nodes)))
        identifiers = {word for word in self.texts if word.isidentifier()}
        return Form(
            text,
            tuple(self.references),
            frozenset(self.beyond_lookups),
            frozenset(self.attributes | identifiers),
            frozenset(self.patterns),
            frozenset(self.own_patterns),
            self.reads_by_name,
            frozenset(self.texts),
            frozenset(self.reads),
        )

    def write(self, node: object) -> str:
        """Return any part of a syntax tree as text; "" for what cannot change a result."""
        if isinstance(node, list):
            return ",".join(filter(None, map(self.write, node)))
        if not isinstance(node, ast.AST):
            return repr(node)
        if isinstance(node, NOTHING) or is_text(node):
            return ""
        special: Callable[[ast.AST], str] | None = getattr(self, f"_write_{type(node).__name__}", None)
        return special(node) if special else self._plain(node)

    def _plain(self, node: ast.AST, *but: str) -> str:
        parts = [
            f"{name}={self.write(value)}"
            for name, value in ast.iter_fields(node)
            if name not in SKIPPED_FIELDS and name not in but and value is not None and value != []
        ]
        return f"{type(node).__name__}({' '.join(parts)})"

    # Names

    def _write_Name(self, node: ast.Name) -> str:
        return self._name([node.id], is_read=isinstance(node.ctx, ast.Load))

    def _write_Attribute(self, node: ast.Attribute) -> str:
        names = dotted(node)
        if names:
            return self._name(names)
        self.attributes.add(node.attr)
        return f"{self.write(node.value)}.{node.attr}"

    def _name(self, names: list[str], looks_up: bool = False, is_read: bool = True) -> str:
        token, imports = self._looked_up(names[0])
        # A local name first, as Python looks it up; then the definition itself; then its module; then the builtins.
        if token:
            if is_read:
                self.reads.add(token)
            self.attributes.update(names[1:])
            return ".".join([token, *names[1:]])
        if names == [self.own_name]:
            return "@self"
        resolved = self.around.resolve(names, imports)
        target, rest = resolved or (names[0], names[1:])
        if not isinstance(target, str):
            if not looks_up and rest != ["get"]:
                self.beyond_lookups.add(target)
            target = f"@{self.references.setdefault(target, len(self.references))}"
            self.attributes.update(rest)
        elif not resolved:
            self.attributes.update(rest)
            if not hasattr(builtins, target):
                target = f"?{target}"
        return ".".join([target, *rest])

    def _looked_up(self, name: str) -> tuple[str, dict[str, str]]:
        """Return the text of a name that an enclosing function binds, or "", and these functions' import of it."""
        imports: dict[str, str] = {}
        for depth, scope in enumerate(reversed(self.scopes)):
            # Functions inside a class do not see its names; only the class's own statements do.
            if scope.is_class and depth:
                continue
            if name in scope.module_names:
                break
            if name in scope.tokens:
                return scope.tokens[name], {}
            if name in scope.imports:
                imports = {name: scope.imports[name]}
                break
        return "", imports

    def _token(self) -> str:
        self._locals += 1
        return f"${self._locals}"

    # Functions

    def _write_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
        decorators = [
            decorator for decorator in node.decorator_list if not self.around.registers_calculation(decorator)
        ]
        outside = f"{self.write(decorators)} {self.write(node.args.defaults)} {self._some(node.args.kw_defaults)}"
        name = node.name
        if name == self.own_name and not self.scopes:
            name = "@self"
        elif self.scopes and not self.scopes[-1].is_class:
            name = self._looked_up(name)[0] or name
        # Names of parameters stay: callers may pass them by keyword.
        scope = self._function_scope(node)
        parameters = ",".join(f"{kind}{parameter.arg}" for kind, parameter in _parameters(node.args))
        self.scopes.append(scope)
        if not self.labels:
            self._find_unread(node, scope)
        inside = self.write(node.body)
        self.scopes.pop()
        return f"{type(node).__name__}({name} ({parameters}) {outside} {inside})"

    _write_AsyncFunctionDef = _write_FunctionDef

    def _find_unread(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: _Scope) -> None:
        """Find the local variables that get only texts, and that nothing reads but what is left out."""
        candidates = {name for name in _given_texts(node) if scope.tokens.get(name, "").startswith("$")}
        while found := candidates - scope.unread:
            trial = _Printer(self.own_name, self.around, self.words, self.labels, self.choices)
            trial.scopes, trial._locals = self.scopes, self._locals
            trial.write(node.body)
            unread = {name for name in found if scope.tokens[name] not in trial.reads}
            if not unread:
                break
            scope.unread |= unread

    def _is_unread(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and bool(self.scopes) and node.id in self.scopes[-1].unread

    def _write_Lambda(self, node: ast.Lambda) -> str:
        outside = f"{self.write(node.args.defaults)} {self._some(node.args.kw_defaults)}"
        scope = _Scope({parameter.arg: parameter.arg for _kind, parameter in _parameters(node.args)})
        parameters = ",".join(f"{kind}{parameter.arg}" for kind, parameter in _parameters(node.args))
        self.scopes.append(scope)
        inside = self.write(node.body)
        self.scopes.pop()
        return f"Lambda(({parameters}) {outside} {inside})"

    def _some(self, defaults: list[ast.expr | None]) -> str:
        return ",".join(self.write(default) if default else "-" for default in defaults)

    def _function_scope(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> _Scope:
        scope = _Scope({parameter.arg: parameter.arg for _kind, parameter in _parameters(node.args)})
        bound, keeps_names = _bound_in_function(node), _keeps_names(node)
        scope.imports = bound.imports
        scope.module_names = bound.module_names
        for name in bound.names:
            if name not in scope.tokens and name not in bound.elsewhere:
                scope.tokens[name] = name if keeps_names else self._token()
        return scope

    def _write_comprehension_of(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> str:
        # The first iterable is evaluated outside of the comprehension's scope.
        first = self.write(node.generators[0].iter)
        bound = _Bound()
        for generator in node.generators:
            bound.visit(generator.target)
        self.scopes.append(_Scope({name: self._token() for name in bound.names}))
        rest = [
            f"{self.write(part.target)} {self.write(part.iter) if index else ''} {self.write(part.ifs)} {part.is_async}"
            for index, part in enumerate(node.generators)
        ]
        element = self._plain(node, "generators")
        self.scopes.pop()
        return f"{element} for {first} {'; '.join(rest)}"

    _write_ListComp = _write_SetComp = _write_DictComp = _write_GeneratorExp = _write_comprehension_of

    def _write_ClassDef(self, node: ast.ClassDef) -> str:
        outside = f"{self.write(node.decorator_list)} {self.write(node.bases)} {self.write(node.keywords)}"
        bound = _Bound()
        for statement in node.body:
            bound.visit(statement)
        name = node.name
        if name == self.own_name and not self.scopes:
            name = "@self"
        elif self.scopes and not self.scopes[-1].is_class:
            name = self._looked_up(name)[0] or name
        doc = ast.get_docstring(node) if self.words else None
        self.scopes.append(_Scope({key: key for key in bound.names}, bound.imports, is_class=True))
        inside = self.write(node.body)
        self.scopes.pop()
        return f"ClassDef({name} {outside} {doc or ''} {inside})"

    # Statements and expressions

    def _write_AnnAssign(self, node: ast.AnnAssign) -> str:
        """Keep an annotation in a class, where it can declare a field; elsewhere it does nothing."""
        if self.scopes and self.scopes[-1].is_class:
            kind = node.annotation.value if isinstance(node.annotation, ast.Subscript) else node.annotation
            role = (dotted(kind) or [""])[-1]
            return f"Field({role if role in ('ClassVar', 'InitVar') else ''} {self._plain(node)})"
        if node.value is None:
            return ""
        return f"Assign(targets={self.write(node.target)} value={self.write(node.value)})"

    def _write_Assign(self, node: ast.Assign) -> str:
        if all(map(self._is_unread, node.targets)):
            return ""
        target = node.targets[0]
        if (
            isinstance(target, ast.Tuple)
            and isinstance(node.value, ast.Tuple)
            and any(map(self._is_unread, target.elts))
        ):
            return f"Assign({self._columns(target, [node.value])})"
        return self._plain(node)

    def _write_For(self, node: ast.For) -> str:
        """Leave out the columns of a loop over tuples that hold only words."""
        if not (isinstance(node.target, ast.Tuple) and any(map(self._is_unread, node.target.elts))):
            return self._plain(node)
        rows = node.iter.elts if isinstance(node.iter, (ast.Tuple, ast.List)) else []
        return f"For({self._columns(node.target, rows)} {self.write(node.body)} {self.write(node.orelse)})"

    def _columns(self, target: ast.Tuple, rows: list[ast.expr]) -> str:
        kept = [index for index, name in enumerate(target.elts) if not self._is_unread(name)]
        values = [[row.elts[index] for index in kept] for row in rows if isinstance(row, ast.Tuple)]
        return f"{self.write([target.elts[index] for index in kept])} in {'; '.join(map(self.write, values))}"

    def _write_Raise(self, node: ast.Raise) -> str:
        """Leave out the words of an exception: what raises one makes no result."""
        if self.words or not isinstance(node.exc, ast.Call):
            return self._plain(node)
        return f"Raise({self.write(node.exc.func)} {self.write(node.cause) if node.cause else ''})"

    def _write_Call(self, node: ast.Call) -> str:
        self._look_for_names(node)
        arguments, keywords = list(node.args), node.keywords
        names = None if self.words else self.around.declares(node.func)
        if names is not None and not self.choices and (default := _default(node, names)):
            return f"{self.write(node.func)}({self.write(default)})"
        if names is not None:
            hidden = [index for index, name in enumerate(names) if name in PRESENTED]
            arguments = [argument for index, argument in enumerate(arguments) if index not in hidden]
            keywords = [_without_labels(keyword) for keyword in keywords if keyword.arg not in PRESENTED]
        elif not self.labels and (words := self._words_of(node.func)):
            starred = next(
                (i for i, argument in enumerate(arguments) if isinstance(argument, ast.Starred)), len(arguments)
            )
            hidden = [index for index in words.values() if index is not None and index < starred]
            arguments = [argument for index, argument in enumerate(arguments) if index not in hidden]
            keywords = [keyword for keyword in keywords if keyword.arg not in words]
        return f"{self.write(node.func)}({self.write(arguments)} {self.write(keywords)})"

    def _words_of(self, function: ast.expr) -> Mapping[str, int | None]:
        names = dotted(function)
        token, imports = self._looked_up(names[0]) if names else ("", {})
        return {} if token or not names else self.around.words_of(function, imports)

    def _write_Subscript(self, node: ast.Subscript) -> str:
        value = self._looked_into(node.value) if isinstance(node.ctx, ast.Load) else self.write(node.value)
        return f"{value}[{self.write(node.slice)}]"

    def _write_Compare(self, node: ast.Compare) -> str:
        sides = [node.left, *node.comparators]
        written = [self.write(node.left)]
        for operator, side in zip(node.ops, sides[1:], strict=True):
            inside = isinstance(operator, (ast.In, ast.NotIn))
            written += [type(operator).__name__, self._looked_into(side) if inside else self.write(side)]
        return f"Compare({' '.join(written)})"

    def _looked_into(self, node: ast.expr) -> str:
        """Write an expression of which only one item is used, or of which is asked whether it has an item."""
        names = dotted(node)
        return self._name(names, looks_up=True) if names else self.write(node)

    def _write_keyword(self, node: ast.keyword) -> str:
        return f"{node.arg or '**'}={self.write(node.value)}"

    def _write_Constant(self, node: ast.Constant) -> str:
        if isinstance(node.value, str):
            self.texts.add(node.value)
        return f"{type(node.value).__name__}:{node.value!r}"

    def _write_JoinedStr(self, node: ast.JoinedStr) -> str:
        self._keep_pattern(_pattern(node))
        return self._plain(node)

    def _write_BinOp(self, node: ast.BinOp) -> str:
        self._keep_pattern(_pattern(node))
        return self._plain(node)

    def _write_ExceptHandler(self, node: ast.ExceptHandler) -> str:
        return f"{self._plain(node, 'name')} as {self._binding(node.name)}"

    def _write_MatchAs(self, node: ast.MatchAs) -> str:
        return f"{self._plain(node, 'name')} as {self._binding(node.name)}"

    def _write_MatchStar(self, node: ast.MatchStar) -> str:
        return f"MatchStar({self._binding(node.name)})"

    def _write_MatchMapping(self, node: ast.MatchMapping) -> str:
        return f"{self._plain(node, 'rest')} rest {self._binding(node.rest)}"

    def _binding(self, name: str | None) -> str:
        return self._name([name]) if name else ""

    # Names that are put together at run time

    def _keep_pattern(self, pattern: str) -> None:
        literal = pattern.replace(ANYTHING, "")
        if ANYTHING in pattern and re.fullmatch(r"\w*[A-Za-z]{2}\w*", literal):
            self.patterns.add(pattern)

    def _look_for_names(self, node: ast.Call) -> None:
        called = dotted(node.func)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "format":
            self._keep_pattern(_pattern(node))
        if not called or called[-1] not in READS_BY_NAME:
            return
        # `getattr` and `hasattr` take the name second, after the object; the others take only names.
        at = 1 if called[-1] in ("getattr", "hasattr") else 0
        for name in node.args[at : at + 1] if at else node.args:
            if isinstance(name, ast.Constant):
                continue
            self.reads_by_name = True
            pattern = _pattern(name)
            # A name in a variable is one of the texts around it; one that is put together here could be any.
            is_composed = getattr(getattr(name, "func", None), "attr", "") in COMPOSES
            if pattern not in ("", ANYTHING) or is_composed:
                owner = dotted(node.args[0]) if at else []
                (self.own_patterns if owner in (["self"], ["cls"]) else self.patterns).add(pattern)


def _given_texts(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """Return the local variables of a function to which it assigns nothing but texts."""
    texts, others = set[str](), set[str]()

    def assign(target: ast.expr, values: list[ast.expr]) -> None:
        if isinstance(target, ast.Name):
            (texts if values and all(map(_is_words, values)) else others).add(target.id)
        elif isinstance(target, ast.Tuple) and not any(isinstance(part, ast.Starred) for part in target.elts):
            rows = [value.elts for value in values if isinstance(value, ast.Tuple)]
            fits = len(rows) == len(values) and all(len(row) == len(target.elts) for row in rows)
            for index, part in enumerate(target.elts):
                assign(part, [row[index] for row in rows] if fits else [])
        else:
            others.update(inner.id for inner in ast.walk(target) if isinstance(inner, ast.Name))

    handled = set[ast.AST]()
    for inner in ast.walk(function):
        if isinstance(inner, ast.Assign):
            for target in inner.targets:
                assign(target, [inner.value])
                handled.update(ast.walk(target))
        elif isinstance(inner, ast.For):
            rows = inner.iter.elts if isinstance(inner.iter, (ast.Tuple, ast.List)) else []
            assign(inner.target, rows)
            handled.update(ast.walk(inner.target))
        elif isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load) and inner not in handled:
            others.add(inner.id)
    return texts - others


def _is_words(node: ast.expr) -> bool:
    """Whether an expression is a text that is written there, perhaps with values in it."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Add) and _is_words(node.left) and _is_words(node.right)
    if isinstance(node, ast.IfExp):
        return _is_words(node.body) and _is_words(node.orelse)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


ANYTHING = ".+"


def _pattern(node: ast.expr) -> str:
    """Return a regular expression for the possible values of a string expression; ANYTHING if they are unknown."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.escape(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_pattern(value) for value in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _pattern(node.left) + _pattern(node.right)
    template = None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        template = node.left
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        template = node.func.value
    if isinstance(template, ast.Constant) and isinstance(template.value, str):
        return ANYTHING.join(re.escape(part) for part in re.split(r"\{[^}]*\}|%\w", template.value))
    return ANYTHING


def _default(node: ast.Call, names: list[str]) -> ast.expr | None:
    """Return the default in the declaration of a parameter, given the names of the positional arguments (none for a
    class of parameters, whose first one is the default); None if it is not written there."""
    at = names.index(DEFAULT) if DEFAULT in names else None if names else 0
    positional = {index: argument for index, argument in enumerate(node.args) if not isinstance(argument, ast.Starred)}
    named = [keyword.value for keyword in node.keywords if keyword.arg == DEFAULT]
    return named[0] if named else None if at is None else positional.get(at)


def _without_labels(keyword: ast.keyword) -> ast.keyword:
    """Return the options of a choice without their labels for readers."""
    if keyword.arg == "objects" and isinstance(keyword.value, ast.Dict):
        return ast.keyword(keyword.arg, ast.List(keyword.value.values))
    if keyword.arg == "objects" and isinstance(keyword.value, ast.DictComp):
        return ast.keyword(keyword.arg, ast.ListComp(keyword.value.value, keyword.value.generators))
    return keyword


def _parameters(arguments: ast.arguments) -> Iterator[tuple[str, ast.arg]]:
    """Yield the parameters of a function, each with a mark for its kind."""
    yield from (("/", posonlyarg) for posonlyarg in arguments.posonlyargs)
    yield from (("", arg) for arg in arguments.args)
    if arguments.vararg:
        yield "*", arguments.vararg
    yield from (("=", kwonlyarg) for kwonlyarg in arguments.kwonlyargs)
    if arguments.kwarg:
        yield "**", arguments.kwarg


class _Bound(ast.NodeVisitor):
    """Collects the names that statements bind in their own scope, in order."""

    def __init__(self) -> None:
        self.names: dict[str, None] = {}
        self.imports: dict[str, str] = {}
        self.module_names: set[str] = set()
        self.elsewhere: set[str] = set()
        """Names that are not local variables: global and nonlocal ones, and imports"""

    def visit_Name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            self.names[node.id] = None

    def _definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        self.names[node.name] = None

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _definition

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Skip lambdas: they bind nothing in this scope."""

    def _comprehension(self, node: ast.expr) -> None:
        for inner in ast.walk(node):
            if isinstance(inner, ast.NamedExpr):
                self.visit(inner.target)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        self.imports |= dict(imported(node))
        self.elsewhere |= set(self.imports)

    visit_Import = visit_ImportFrom = _import

    def visit_Global(self, node: ast.Global) -> None:
        self.module_names |= set(node.names)
        self.elsewhere |= set(node.names)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        self.elsewhere |= set(node.names)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self.names[node.name] = None
        self.generic_visit(node)

    def _capture(self, node: ast.MatchAs | ast.MatchStar) -> None:
        if node.name:
            self.names[node.name] = None
        self.generic_visit(node)

    visit_MatchAs = visit_MatchStar = _capture

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        if node.rest:
            self.names[node.rest] = None
        self.generic_visit(node)


# Both look at a function again for every tree and every kind of version that contains it.


@cache
def _bound_in_function(node: ast.FunctionDef | ast.AsyncFunctionDef) -> _Bound:
    bound = _Bound()
    for statement in node.body:
        bound.visit(statement)
    return bound


@cache
def _keeps_names(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function looks at the names of its local variables, so that they cannot be renamed."""
    return any(
        isinstance(inner, ast.Call)
        and isinstance(inner.func, ast.Name)
        and inner.func.id in SEES_LOCAL_NAMES
        and (not inner.args or inner.func.id in ("eval", "exec"))
        for inner in ast.walk(node)
    )
