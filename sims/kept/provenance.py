"""Identifies the code that made a result: a short hash of its definition and of everything in the project it can reach.

A definition is a function, a class without its methods, a method, or a constant at the top level of a module. What it
uses is read off its syntax tree (`normal_form`). A version changes when something changes that can affect a number: an
operator, a constant, a table, a data file, a library. It does not change with what only people see: comments,
docstrings, annotations, labels and docs of parameters, words of exceptions, what a local variable called `sentence`
holds, and the names of modules, definitions and local variables; nor with methods that nothing in reach can call.

A method of a class counts if its name is read somewhere in the reached code, literally or composed at run time, or if
Python itself calls it. If a class derives from another library's class, all its methods count. The same holds for the
names in a module that is passed on like a value.

A table is a constant whose value is a dict with texts as keys. If the reached code only looks up its keys, an entry
counts if its key is a text or a name somewhere in that code, or in the arguments of the result. A table can name
constants, as `{"sgd": SGD}` does. A branch `if x == SGD` counts only if the reached code mentions that constant
elsewhere, for instance in an entry that counts. So a new optimizer makes no result of the other optimizers stale.

Known limits: names of methods and keys of tables that come from a data file or are composed of single letters, and
modules that are found by a name made at run time.
"""

import ast
import hashlib
import importlib.metadata
import re
import sys
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from sims.kept.normal_form import FUNCTIONS, WORDS, Form, Place, dotted, form, imported, is_text
from sims.paths import ROOT

Definition = tuple[str, str]
"""The dotted name of a module, and a name that it defines"""

LIBRARIES = ("numpy", "numba", "torch")
"""Their versions belong to the hash: another release may round differently."""

DRAWING_LIBRARIES = ("bokeh", "panel", "param")

REST = ""
"""Name for the other statements of a module, which run at import: they count for each of its definitions."""

PRESENTING = (
    "describe", "disclosure", "next_link", "listing", "listing_repeats", "atlas", "verb", "title", "about", "to_pandas",
    "_repr_mimebundle_",
)  # fmt: skip
"""Members of a simulation that only describe its numbers, or export them"""

PRESENTERS = (("sims.contract.simulation", "Simulation", ""), ("sims.contract.frame", "Frame", ""))
"""The classes that have such members"""

ENTRIES = ("compute", "start", "advance", "frame", "reread", "settings", "restarts")
"""Members of a simulation that produce its results"""

UNSEEN = "sims.kept."
"""Prefix of the modules that keep results, and do not make any"""

CLOSED_BASES = (
    "param.Parameterized", "typing.Protocol", "typing.NamedTuple", "typing.Generic", "abc.ABC",
    "enum.Enum", "enum.StrEnum", "enum.IntEnum", "Exception", "ValueError", "RuntimeError", "object",
)  # fmt: skip
"""Base classes that call no methods of a subclass, except special methods with double underscores"""

QUIET_DECORATORS = (
    "property", "staticmethod", "classmethod", "abstractmethod", "cached_property", "cache", "lru_cache", "override",
    "final", "setter",
)  # fmt: skip
"""Decorators that do not call the decorated method by themselves"""

REGISTERING = ("overload", "overload_method", "overload_attribute", "register_model", "lower_builtin", "lower_cast")
"""Numba's decorators that register a definition with the compiler"""

CALCULATION = ("sims.contract.calculation", "calculation", "")
"""The decorator that lets the prose refer to a function"""

DIVERGENCE = ("sims.contract.frame", "Divergence", "")
"""All fields of this dataclass are words for readers, except the step."""

WHOLE, CHOOSING, CHOSEN = "whole", "choosing", "chosen"
"""How much of the reached code counts: all of it; all but those entries of tables and branches that are not chosen; or
all but these and the options of parameters"""

TABLE = re.compile(r"^\w+(: [^=\n]+)? = \{", re.MULTILINE)
"""The beginning of a table at the top level of a module"""

ROUNDS = 4
"""How many rounds of hashing mix the hashes of references into a definition's own. If a reference is replaced by
another definition, the first round shows it; if by a twin (same text, other references), the second does."""


@dataclass
class Module:
    """The top level of a module: its definitions, the names it imports, and its other statements."""

    name: str
    text: str = ""
    definitions: dict[str, list[ast.stmt]] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    """Name → dotted name of what it refers to"""
    effects: list[str] = field(default_factory=list)
    """Modules that it imports as a whole, possibly for their effects at import"""


@cache
def _parsed(text: str) -> ast.Module:
    """Parse a module. Nobody may change the result: versions for numbers and for figures are made from the same one."""
    return ast.parse(text)


class Provenance:
    """Versions of the code of one tree.

    `root` is the folder that contains the packages, `packages` are those that are followed. With `words`, what readers
    see and the drawing libraries count, too: for figures rather than numbers.
    """

    def __init__(self, root: Path = ROOT, packages: tuple[str, ...] = ("sims",), *, words: bool = False) -> None:
        self.root, self.packages, self.words = root, packages, words
        self.data = root / "sims" / "data" / "files"
        self.module = cache(self._module)
        self.version = cache(self._version)
        self._digest = cache(self._digest_of)
        self.source = cache(self._source)
        self.form = cache(self._form)
        self.choices = cache(self._choices)
        self._hash = cache(self._hash_of)
        self._declared: dict[Place, list[str] | None] = {}
        self._words: dict[Place, dict[str, int | None]] = {}

    def _version(self, *definitions: Definition, texts: frozenset[str] | None = None, everything: bool = False) -> str:
        """Return twelve hexadecimal digits for one or more definitions.

        `texts` are those in the arguments of a result, which may be keys of tables. Of parameters, only the defaults
        count then; without them, the options count, too, since any could be the argument. With `everything`, so do the
        entries of tables and the branches that these definitions do not choose: for compiled code, which can be called
        with any choice. Raises KeyError if there is no such definition.
        """
        for module, name in definitions:
            if name not in self.module(module).definitions:
                raise KeyError(f"{module} defines no {name}")
        if everything or self.words:
            return self._digest(definitions, WHOLE)[0]
        if texts is None:
            return self._digest(definitions, CHOOSING)[0]
        without, keys = self._digest(definitions, CHOSEN)
        return self._digest(definitions, CHOSEN, texts & (self._keys | keys))[0] if texts & keys else without

    def _digest_of(
        self, definitions: tuple[Definition, ...], detail: str, texts: frozenset[str] = frozenset()
    ) -> tuple[str, set[str]]:
        """Return the version, and the names that a text in the arguments could choose: keys of tables that are not
        looked up, and, if attributes are read by names that are not literals, methods that nothing else calls."""
        reach = _Reach(self, definitions, detail, texts)
        if reach.reads_words and not self.words:  # with `words`, they count already
            reach = _Reach(self, definitions, detail, texts, labels=True)
        labels = {place: self._hash(form) for place, form in reach.places.items()}
        uses = {place: [used for used in reach.uses[place] if used in labels] for place in labels}
        for _round in range(ROUNDS):
            labels = {
                place: hashlib.sha256(labels[place] + b"".join(map(labels.__getitem__, uses[place]))).digest()
                for place in labels
            }
        digest = hashlib.sha256(b"".join(labels[root] for root in reach.roots))
        digest.update(b"".join(sorted(labels.values())))
        digest.update(self._libraries)
        return digest.hexdigest()[:12], reach.unused_names()

    def reached(self, module: str, name: str) -> set[Place]:
        """Return the definition itself and everything in the project that it can reach, directly or indirectly."""
        return set(_Reach(self, [(module, name)]).places)

    # Modules

    def _source(self, module: str) -> Path | None:
        """Return the file of a module, given its dotted name: from the tree, or loaded from elsewhere (as in tests)."""
        base = self.root.joinpath(*module.split("."))
        in_tree = next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)
        loaded = getattr(sys.modules.get(module), "__file__", None)
        if in_tree or not loaded or Path(loaded).is_relative_to(ROOT / module.partition(".")[0]):
            return in_tree
        return Path(loaded)

    def _module(self, name: str) -> Module:
        path = self.source(name)
        if path is None:
            raise KeyError(f"there is no module {name}")
        module, rest = Module(name, path.read_text(encoding="utf-8")), list[ast.stmt]()
        for node in _parsed(module.text).body:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                module.imports |= dict(imported(node))
                whole = [] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
                module.effects += [
                    import_name for import_name in whole if import_name.partition(".")[0] in self.packages
                ]
            elif isinstance(node, (*FUNCTIONS, ast.ClassDef)):
                module.definitions.setdefault(node.name, []).append(node)
                if _registers(node):
                    rest.append(node)
            elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and any(_targets(node)):
                for assignment in _one_by_one(node):
                    for target in _targets(assignment):
                        module.definitions.setdefault(target, []).append(assignment)
            elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                # Such a name is not only for types if the module's `__getattr__` imports it when it is used.
                for inner in node.body:
                    if isinstance(inner, (ast.Import, ast.ImportFrom)):
                        module.imports |= dict(imported(inner))
            elif not is_text(node) and not _is_main(node):
                rest.append(node)
        module.definitions[REST] = rest
        return module

    def resolve(self, names: list[str]) -> tuple[Place | str, list[str]] | None:
        """Resolve a dotted name, through packages that import it from elsewhere: to a definition and the attributes
        that follow; to a whole module; or to a dotted name in another library. None for modules that keep results."""
        text = ".".join(names)
        if names[0] not in self.packages:
            return text, []
        if f"{text}.".startswith(UNSEEN):
            return None
        for count in range(len(names), 0, -1):
            name = ".".join(names[:count])
            if self.source(name) is None:
                continue
            module, rest = self.module(name), names[count:]
            if not rest:
                return (name, REST, ""), []
            if rest[0] in module.definitions:
                return (name, rest[0], ""), rest[1:]
            if rest[0] in module.imports:
                return self.resolve([*module.imports[rest[0]].split("."), *rest[1:]])
            break
        return text, []

    def module_names(self, module: str) -> set[str]:
        """Return the names that a module defines or imports."""
        return {*self.module(module).definitions, *self.module(module).imports} - {REST}

    # Definitions

    def members(self, place: Place) -> list[str]:
        """Return the names of the methods of a class; none for anything else."""
        return list(dict.fromkeys(node.name for node in self._class_body(place) if isinstance(node, FUNCTIONS)))

    def method_decorators(self, place: Place, member: str) -> list[str]:
        """Return the unqualified names of the decorators of a method."""
        nodes = [
            method for method in self._class_body(place) if isinstance(method, FUNCTIONS) and method.name == member
        ]
        calls = [decorator for node in nodes for decorator in node.decorator_list]
        return [_last_name(call.func if isinstance(call, ast.Call) else call) for call in calls]

    def bases(self, place: Place) -> list[Place | str]:
        """Return the base classes of a class; "" for an expression that is not a name."""
        around = _Surroundings(self, self.module(place[0]))
        parents = []
        for node in self.module(place[0]).definitions[place[1]]:
            for base in node.bases if isinstance(node, ast.ClassDef) else ():
                names = dotted(base.value if isinstance(base, ast.Subscript) else base)
                target = around.resolve(names, {}) if names else None
                parents.append(target[0] if target else ".".join(names))
        return parents

    def calls_unknown(self, place: Place) -> bool:
        """Whether a class derives from another library's class, which may call any of its methods."""
        return any(
            base not in CLOSED_BASES if isinstance(base, str) else self.calls_unknown(base)
            for base in self.bases(place)
        )

    def _class_body(self, place: Place) -> list[ast.stmt]:
        nodes = self.module(place[0]).definitions[place[1]]
        return [inner for node in nodes if isinstance(node, ast.ClassDef) for inner in node.body]

    def _form(
        self, place: Place, detail: str = WHOLE, without: frozenset[Place] = frozenset(), labels: bool = False
    ) -> Form:
        """Return the form of a definition, without the branches that it takes for the constants in `without`.

        Unless it is to be whole, a table comes without its entries, each of which is a definition of its own.
        """
        module_name, name, member = place
        module = self.module(module_name)
        nodes: Iterable[ast.AST] = module.definitions[name]
        class_names = set[str]()
        if detail != WHOLE and (table := self._tables.get((module_name, name))):
            nodes = [table[member]] if member else [ast.Dict([], [])]
            member = name
        elif member:
            body = self._class_body(place)
            nodes = [method for method in body if isinstance(method, FUNCTIONS) and method.name == member]
            class_names = {bound for node in body for bound in _bound_in_class(node)}
        else:
            nodes = [
                self._without_methods(definition, self.is_presenting(place))
                if isinstance(definition, ast.ClassDef)
                else definition
                for definition in nodes
            ]
        around = _Surroundings(self, module)
        if without:
            nodes = [_Pruner(around, without).visit(deepcopy(node)) for node in nodes]
        return form(
            nodes,
            "" if member else name,
            around,
            words=self.words,
            labels=labels,
            choices=detail != CHOSEN,
            class_names=class_names,
        )

    # Tables, and the branches that their constants choose

    @cached_property
    def _tables(self) -> dict[Definition, dict[str, ast.expr]]:
        """All tables of the packages, each as key → value."""
        files = [path for package in self.packages for path in (self.root / package).rglob("*.py")]
        # Parsing takes much longer than this search.
        files = [path for path in files if TABLE.search(path.read_text(encoding="utf-8"))]
        parts = (path.relative_to(self.root).with_suffix("").parts for path in files)
        modules = {".".join(part).removesuffix(".__init__") for part in parts}
        return {
            (name, definition): table
            for name in modules
            for definition, nodes in self.module(name).definitions.items()
            if (table := _table(nodes))
        }

    @cached_property
    def _keys(self) -> frozenset[str]:
        return frozenset(key for table in self._tables.values() for key in table)

    @cached_property
    def _named_constants(self) -> frozenset[Place]:
        """The constants that tables name."""
        return frozenset(
            constant
            for (module, _name), table in self._tables.items()
            for value in table.values()
            if (constant := _Surroundings(self, self.module(module)).constant(value))
        )

    def keys(self, place: Place) -> list[str]:
        """Return the keys of a table; none for anything else."""
        return list(self._tables.get(place[:2], ()))

    def is_constant(self, place: Place) -> bool:
        """Whether a definition assigns one literal."""
        nodes = self.module(place[0]).definitions[place[1]]
        return len(nodes) == 1 and isinstance(nodes[0], ast.Assign) and isinstance(nodes[0].value, ast.Constant)

    def _choices(self, place: Place) -> frozenset[Place]:
        """Return the constants, named by tables, for which a function or method has branches of their own."""
        module_name, name, member = place
        if not any(constant in self.module(module_name).text for _module, constant, _member in self._named_constants):
            return frozenset()
        nodes = self._class_body(place) if member else self.module(module_name).definitions[name]
        functions = [node for node in nodes if isinstance(node, FUNCTIONS) and node.name == (member or name)]
        around = _Surroundings(self, self.module(module_name))
        tests = [inner for node in functions for inner in ast.walk(node) if isinstance(inner, ast.If)]
        chosen_by = {constant for test in tests if (constant := around.chosen_by(test))}
        return self._named_constants & chosen_by

    def is_presenting(self, place: Place) -> bool:
        """Whether a class is a simulation or a frame, whose members in `PRESENTING` are for readers."""
        parents = [base for base in self.bases(place) if not isinstance(base, str)]
        return not self.words and (place in PRESENTERS or any(map(self.is_presenting, parents)))

    def _without_methods(self, node: ast.ClassDef, is_presenting: bool) -> ast.ClassDef:
        hidden = PRESENTING if is_presenting else ()
        body = [
            statement
            for statement in node.body
            if not isinstance(statement, FUNCTIONS) and not any(name in hidden for name in _bound_in_class(statement))
        ]
        return ast.ClassDef(node.name, node.bases, node.keywords, body, node.decorator_list)

    def _hash_of(self, text: Form) -> bytes:
        digest = hashlib.sha256(text.text.encode())
        for path in sorted(data_file for data_file in self._data_files if data_file.name in text.texts):
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.digest()

    @cached_property
    def _libraries(self) -> bytes:
        names = (*LIBRARIES, *(DRAWING_LIBRARIES if self.words else ()))
        return "".join(f"{name}={importlib.metadata.version(name)}\0" for name in names).encode()

    @cached_property
    def _data_files(self) -> list[Path]:
        return list(self.data.glob("*"))

    def declares(self, place: Place) -> list[str] | None:
        """Return the names of the positional arguments, as far as they are known, if a call of this definition declares
        a parameter: if it is a class of parameters, or a function that returns one. None for any other definition."""
        if place not in self._declared:
            self._declared[place] = None  # ends the recursion for a function that returns a call of itself
            self._declared[place] = self._declares(place)
        return self._declared[place]

    def _declares(self, place: Place) -> list[str] | None:
        bases = self.bases(place)
        if "param.Parameterized" in bases:
            return None
        own = [base for base in bases if not isinstance(base, str)]
        if any(isinstance(base, str) and base.startswith("param.") for base in bases) or any(
            self.declares(base) is not None for base in own
        ):
            return []
        around = _Surroundings(self, self.module(place[0]))
        for node in self.module(place[0]).definitions[place[1]]:
            if not isinstance(node, FUNCTIONS):
                continue
            returned = [inner.value for inner in ast.walk(node) if isinstance(inner, ast.Return)]
            if any(isinstance(value, ast.Call) and around.declares(value.func) is not None for value in returned):
                return [posonlyarg.arg for posonlyarg in node.args.posonlyargs + node.args.args]
        return None

    def words_of(self, place: Place) -> dict[str, int | None]:
        """Return the parameters of a function, or fields of a dataclass, that hold only words for readers, each with
        its place among the positional ones."""
        if place not in self._words:
            self._words[place] = {}  # ends the recursion for a function that calls itself
            self._words[place] = self._words_of(place)
        return self._words[place]

    def _words_of(self, place: Place) -> dict[str, int | None]:
        nodes = self.module(place[0]).definitions[place[1]]
        if len(nodes) != 1 or place[2]:
            return {}
        [node] = nodes
        if isinstance(node, ast.ClassDef):
            if not self._is_record(node):
                return {}
            fields = [
                part.target.id
                for part in node.body
                if isinstance(part, ast.AnnAssign)
                and isinstance(part.target, ast.Name)
                and "ClassVar" not in ast.unparse(part.annotation)
            ]
            words = (*WORDS, "quantity") if place == DIVERGENCE else WORDS
            return {name: fields.index(name) for name in words if name in fields}
        if not isinstance(node, FUNCTIONS) or node.decorator_list:
            return {}
        positional = [parameter.arg for parameter in (*node.args.posonlyargs, *node.args.args)]
        names = [*positional, *(parameter.arg for parameter in node.args.kwonlyargs)]
        read = self.form(place).reads
        return {
            name: positional.index(name) if name in positional else None
            for name in WORDS
            if name in names and name not in read
        }

    def _is_record(self, node: ast.ClassDef) -> bool:
        """Whether a class is a dataclass or a named tuple without bases of its own."""
        decorators = [ast.unparse(decorator).partition("(")[0] for decorator in node.decorator_list]
        bases = [ast.unparse(base) for base in node.bases]
        return (decorators == ["dataclass"] and not bases) or (not decorators and bases == ["NamedTuple"])


class _Surroundings:
    """Resolves the names in one module."""

    def __init__(self, provenance: Provenance, module: Module) -> None:
        self.provenance, self.module = provenance, module

    def resolve(self, names: list[str], imports: dict[str, str]) -> tuple[Place | str, list[str]] | None:
        sources = {**self.module.imports, **imports}
        if names[0] in sources:
            return self.provenance.resolve([*sources[names[0]].split("."), *names[1:]])
        if names[0] in self.module.definitions:
            return (self.module.name, names[0], ""), names[1:]
        return None

    def declares(self, function: ast.expr) -> list[str] | None:
        names = dotted(function)
        resolved = self.resolve(names, {}) if names else None
        if resolved is None or (resolved[1] and not isinstance(resolved[0], str)):
            return None
        target = resolved[0]
        if isinstance(target, str):
            return [] if target.startswith("param.") else None
        return self.provenance.declares(target)

    def words_of(self, function: ast.expr, imports: dict[str, str]) -> dict[str, int | None]:
        resolved = self.resolve(dotted(function), imports)
        if resolved is None or isinstance(resolved[0], str) or resolved[1]:
            return {}
        return self.provenance.words_of(resolved[0])

    def constant(self, node: ast.expr) -> Place | None:
        """Return the constant of the project that an expression names; None for anything else."""
        names = dotted(node)
        target, rest = (names and self.resolve(names, {})) or ("", [])
        return target if not isinstance(target, str) and not rest and self.provenance.is_constant(target) else None

    def chosen_by(self, node: ast.If) -> Place | None:
        """Return the constant in a test such as `optimizer == SGD`; None for any other test."""
        test = node.test
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
            return self.constant(test.comparators[0])
        return None

    def registers_calculation(self, decorator: ast.expr) -> bool:
        names = dotted(decorator.func if isinstance(decorator, ast.Call) else decorator)
        resolved = self.resolve(names, {}) if names else None
        return resolved is not None and resolved[0] == CALCULATION and not self.provenance.words


class _Pruner(ast.NodeTransformer):
    """Removes the branches for some constants."""

    def __init__(self, around: _Surroundings, constants: frozenset[Place]) -> None:
        self._around, self._constants = around, constants

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        return node.orelse if self._around.chosen_by(node) in self._constants else node


class _Reach:
    """Everything that some definitions can reach.

    Unless the detail is WHOLE, entries of tables that are not looked up are left out, and so are branches for constants
    that tables name and nothing else mentions. `texts` may be keys, too.
    """

    def __init__(
        self,
        provenance: Provenance,
        definitions: Iterable[Definition],
        detail: str = WHOLE,
        texts: frozenset[str] = frozenset(),
        labels: bool = False,
    ) -> None:
        self._provenance, self._detail, self._labels = provenance, detail, labels
        self.roots: list[Place] = [(module, name, "") for module, name in definitions]
        self.places: dict[Place, Form] = {}
        self.uses: dict[Place, list[Place]] = {}
        """Place → what it uses, in order"""
        # A text in the arguments may be the name of an attribute.
        self._attributes: set[str] = {*ENTRIES, *texts}
        self._patterns: set[str] = set()
        self._own_patterns: set[tuple[Place, str]] = set()
        self._reads_by_name = False
        self._classes: dict[Place, list[str]] = {}
        """Class → its methods that have not been reached yet"""
        self._members: dict[Place, list[Place]] = {}
        """Class → its methods that have been reached; table → its entries"""
        self.tables: dict[Place, list[str]] = {}
        """Table → its keys that have not been reached yet"""
        self._modules: dict[str, set[str]] = {}
        """Module that is used as a value → its names that have not been reached yet"""
        self._words = set(texts)
        self._beyond_lookups: set[Place] = set()
        self._left_out: dict[Place, frozenset[Place]] = {}
        """Function → the constants whose branches are left out"""
        self._derived: dict[Place, set[Place]] = {}
        self._follow(self.roots)
        for root in self.roots:
            self._enter(root)
        # A method that is reached may read names of further methods, so repeat until none is added.
        while self._add_members() or self._add_module_members() or self._add_entries() or self._add_branches():
            pass
        for place, members in self._members.items():
            self.uses[place] += sorted(members)

    def unused_names(self) -> set[str]:
        """Return the keys of tables, and the names of methods if some are read by name, that are not reached."""
        tables, classes = self.tables.values(), self._classes.values() if self._reads_by_name else ()
        return {name for names in (*tables, *classes) for name in names}

    @property
    def reads_words(self) -> bool:
        """Whether the reached code reads words that are for readers: then they count."""
        return not self._attributes.isdisjoint(WORDS)

    def _follow(self, ahead: Iterable[Place]) -> None:
        waiting = list(ahead)
        while waiting:
            place = waiting.pop()
            if place in self.places:
                continue
            if self._detail != WHOLE and (unmentioned := self._provenance.choices(place)):
                self._left_out[place] = unmentioned
            self._read(place)
            waiting += self.uses[place]
            if not place[2] and (methods := self._provenance.members(place)):
                self._classes[place] = methods
            if self._detail != WHOLE and not place[2] and (keys := self._provenance.keys(place)):
                self.tables[place] = keys

    def _read(self, place: Place) -> None:
        """Take up what a definition uses, except for the branches that are left out."""
        module, name, _member = place
        text = self._provenance.form(place, self._detail, self._left_out.get(place, frozenset()), self._labels)
        self.places[place] = text
        self.uses[place] = list(text.references)
        for module_used in [reference[0] for reference in text.references if reference[1] == REST]:
            self._modules.setdefault(module_used, self._provenance.module_names(module_used))
        effects = self._provenance.module(module).effects
        if name == REST:
            self.uses[place] += [(effect, REST, "") for effect in effects]
        elif effects or self._provenance.form((module, REST, "")).text:
            self.uses[place].append((module, REST, ""))
        self._attributes |= text.attributes
        self._patterns |= text.patterns
        self._own_patterns |= {((module, name, ""), own_pattern) for own_pattern in text.own_patterns}
        self._reads_by_name |= text.reads_by_name
        self._words |= text.words
        self._beyond_lookups |= text.beyond_lookups

    def _enter(self, root: Place) -> None:
        """If a root is a class without any of the methods that produce results, reach all of its methods.

        (Methods that produce results are reached anyway: their names are in `_attributes` from the start.)
        """
        methods = self._classes.get(root, [])
        if not any(method in ENTRIES for method in methods):
            self._reach(root, methods)

    def _add_members(self) -> bool:
        """Follow the methods that the reached code may call; return whether there were new ones."""
        before = len(self.places)
        matches = re.compile("|".join(sorted(self._patterns)) or r"(?!)").fullmatch if self._reads_by_name else None
        for place, methods in list(self._classes.items()):
            whole = self._provenance.calls_unknown(place)
            own = [pattern for owner, pattern in self._own_patterns if owner in self._family(place)]
            called = [
                name
                for name in methods
                if (name not in PRESENTING or not self._provenance.is_presenting(place))
                and (
                    self._may_be_called(place, name, whole)
                    or (matches is not None and matches(name))
                    or any(re.fullmatch(pattern, name) for pattern in own)
                )
            ]
            self._reach(place, called)
        return len(self.places) > before

    def _add_module_members(self) -> bool:
        """Follow what the reached code may read from modules that it passes on; return whether it was anything new."""
        before = len(self.places)
        for module, names in list(self._modules.items()):
            for name in sorted(names & self._attributes):
                names.remove(name)
                target = self._provenance.resolve([*module.split("."), name])
                if target and not isinstance(target[0], str):
                    self.uses[(module, REST, "")].append(target[0])
                    self._follow([target[0]])
        return len(self.places) > before

    def _add_entries(self) -> bool:
        """Follow the entries of tables that the reached code may look up; return whether there were new ones."""
        before = len(self.places)
        matches = re.compile("|".join(sorted(self._patterns)) or r"(?!)").fullmatch
        for table, keys in list(self.tables.items()):
            whole = table in self._beyond_lookups or table in self.roots
            for key in [key for key in keys if whole or key in self._words or matches(key)]:
                keys.remove(key)
                entry = (table[0], table[1], key)
                self._members.setdefault(table, []).append(entry)
                self._follow([entry])
        return len(self.places) > before

    def _add_branches(self) -> bool:
        """Read functions again in which a constant that is mentioned by now chooses a branch; return whether there
        were any."""
        chosen = [place for place, constants in self._left_out.items() if constants & set(self.places)]
        for place in chosen:
            self._left_out[place] -= set(self.places)
            self._read(place)
            self._follow(self.uses[place])
        return bool(chosen)

    def _may_be_called(self, place: Place, name: str, whole: bool) -> bool:
        if whole or name in self._attributes or (name.startswith("__") and name.endswith("__")):
            return True
        return any(
            method_decorator not in QUIET_DECORATORS
            for method_decorator in self._provenance.method_decorators(place, name)
        )

    def _reach(self, place: Place, methods: Iterable[str]) -> None:
        for name in methods:
            if name in self._classes[place]:
                self._classes[place].remove(name)
                member = (place[0], place[1], name)
                self._members.setdefault(place, []).append(member)
                self._follow([member])

    def _family(self, place: Place) -> set[Place]:
        """Return a class with its base classes, and the reached classes that derive from it."""
        family = self._ancestors(place)
        return family | {kind for kind in self._classes if place in self._ancestors(kind)}

    def _ancestors(self, place: Place) -> set[Place]:
        if place not in self._derived:
            bases = [base for base in self._provenance.bases(place) if not isinstance(base, str)]
            self._derived[place] = {place}.union(*(self._ancestors(base) for base in bases))
        return self._derived[place]


def _bound_in_class(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement in a class's body binds."""
    if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        yield from _targets(node)


def _table(nodes: list[ast.stmt]) -> dict[str, ast.expr]:
    """Return the entries of a table, given the statements that define it; none for any other definition."""
    value = nodes[0].value if len(nodes) == 1 and isinstance(nodes[0], (ast.Assign, ast.AnnAssign)) else None
    if not isinstance(value, ast.Dict):
        return {}
    keys = [key.value for key in value.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
    return dict(zip(keys, value.values, strict=True)) if len(keys) == len(value.keys) else {}


def _one_by_one(
    node: ast.Assign | ast.AnnAssign | ast.AugAssign,
) -> Iterator[ast.Assign | ast.AnnAssign | ast.AugAssign]:
    """Yield one assignment for each name in `A, B = 0, 1`, and the statement itself for any other assignment."""
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    names = target.elts if isinstance(target, ast.Tuple) else []
    values = node.value.elts if isinstance(node.value, ast.Tuple) else []
    if names and len(names) == len(values) and all(isinstance(name, ast.Name) for name in names):
        yield from (ast.Assign([name], value) for name, value in zip(names, values, strict=True))
    else:
        yield node


def _targets(node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> Iterator[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for target in targets:
        for inner in ast.walk(target):
            if isinstance(inner, ast.Name):
                yield inner.id


def _registers(node: ast.stmt) -> bool:
    """Whether a decorator registers the definition, so that it is used without being named."""
    decorators = getattr(node, "decorator_list", [])
    return any(
        isinstance(decorator, ast.Call) and _last_name(decorator.func) in REGISTERING for decorator in decorators
    )


def _is_main(node: ast.stmt) -> bool:
    """Whether a statement is a program's main part, which runs neither at import nor for a result."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'"


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


@cache
def here() -> Provenance:
    """Return the versions of the code that is running."""
    return Provenance()


def version(module: str, name: str, *, texts: frozenset[str] | None = None, everything: bool = False) -> str:
    """Return the version of a definition of the code that is running, as `Provenance.version` does.

    Raises KeyError if there is none.
    """
    return here().version((module, name), texts=texts, everything=everything)
