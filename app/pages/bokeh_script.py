"""The script that draws: of the bundles of Bokeh and Panel, the modules that our pictures need, as one file.

A bundle is a list of modules by number or name, which name what they require. Its catalogs (`main`, `models/index` and
such) do nothing but require every model there is and register it. So the modules of `MODELS` are kept, with whatever
they require, and all others become empty: of these a catalog registers nothing. What is kept stays as it was published,
to the letter, under the license that stands in front of each bundle.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

BUNDLES = (
    ("bokeh", "server/static/js/bokeh.min.js"),
    ("bokeh", "server/static/js/bokeh-widgets.min.js"),
    ("panel", "dist/panel.min.js"),
)
"""Package and file, in the order in which they run"""

MODELS = frozenset(
    (
        "AllIndices",
        "AllLabels",
        "Arrow",
        "BasicTickFormatter",
        "BasicTicker",
        "Bezier",
        "Button",
        "CDSView",
        "CategoricalAxis",
        "CategoricalScale",
        "CategoricalTickFormatter",
        "CategoricalTicker",
        "Checkbox",
        "ColorBar",
        "Column",
        "ColumnDataSource",
        "CustomSelect",
        "DataRange1d",
        "DocumentConfig",
        "FactorRange",
        "Figure",
        "FixedTicker",
        "GlyphRenderer",
        "Grid",
        "HArea",
        "HBar",
        "HTML",
        "HoverTool",
        "Image",
        "InlineStyleSheet",
        "Legend",
        "LegendItem",
        "Line",
        "LinearAxis",
        "LinearColorMapper",
        "LinearScale",
        "LogAxis",
        "LogColorMapper",
        "LogScale",
        "LogTickFormatter",
        "LogTicker",
        "MultiLine",
        "NoOverlap",
        "Notifications",
        "NumeralTickFormatter",
        "Patches",
        "PrintfTickFormatter",
        "Quad",
        "Quadratic",
        "RadioButtonGroup",
        "Range1d",
        "Rect",
        "Scatter",
        "Segment",
        "Selection",
        "Slider",
        "Spacer",
        "Span",
        "Text",
        "TextInput",
        "Title",
        "Toggle",
        "Toolbar",
        "UnionRenderers",
        "VArea",
        "VBar",
        "VSpan",
        "VeeHead",
    )
)
"""Every model that a picture may hold, by its name without a package"""

ALWAYS = ("index", "client/connection", "protocol/message")
"""Modules of Bokeh that our scripts ask for themselves: `Bokeh.embed`, `Bokeh.index`, and those of a session"""

CATALOG = re.compile(r"main|models/(?:\w+/)*(?:main|index)")
BEGINNING = re.compile(r'^(?:"?(?P<name>\w+)"?: )?function _\((?P<require>[\w$]+)', re.MULTILINE)
END = re.compile(r'\n(?:\]|\}), "?(?P<entry>\w+)"?, (?P<aliases>\{.*?\}), \{\}\);\}\);\s*$')
EMPTY = "function _(_){},\n"


@dataclass(frozen=True)
class Module:
    """One module of a bundle: its lines, and what it calls the function that requires others."""

    source: str
    require: str

    def required(self) -> Iterable[str]:
        """What it may require, as it names it."""
        calls = re.finditer(rf'(?<![\w$.]){re.escape(self.require)}\((?:(\d+)|"([^"]+)")\)', self.source)
        return {number or name.removeprefix("@bokehjs/") for number, name in (call.groups() for call in calls)}

    def models(self) -> set[str]:
        """The models that it defines."""
        return set(re.findall(r'\.__name__="(\w+)"', self.source))


@dataclass(frozen=True)
class Bundle:
    """A bundle: what stands in front of its modules, the modules by number or name, and what stands behind them."""

    before: str
    modules: Mapping[str, Module]
    after: str
    entry: str
    aliases: Mapping[str, str]

    def with_only(self, needed: set[str]) -> str:
        """The same, where the modules that are not needed are empty."""
        kept = (
            module.source if name in needed else module.source[: module.source.index("function")] + EMPTY
            for name, module in self.modules.items()
        )
        return self.before + "".join(kept) + self.after


def read(text: str) -> Bundle:
    """A bundle of Bokeh's linker, minified. Raises ValueError where it is not written as expected."""
    end = END.search(text)
    begin = list(BEGINNING.finditer(text))
    if end is None or not begin:
        raise ValueError("this is no bundle of Bokeh's linker, or it has another form now")
    places = [each.start() for each in begin] + [end.start() + 1]
    modules = {
        each["name"] or str(number): Module(text[places[number] : places[number + 1]], each["require"])
        for number, each in enumerate(begin)
    }
    aliases = {name: str(identifier) for name, identifier in json.loads(end["aliases"]).items()}
    return Bundle(text[: places[0]], modules, text[end.start() + 1 :], end["entry"], aliases)


def needed(bundles: Sequence[Bundle], models: Iterable[str]) -> set[str]:
    """The modules, by number or name, without which these models cannot be drawn.

    A call that only looks as if it required a module keeps one too many. Raises ValueError where no bundle defines a
    model.
    """
    modules = {name: module for bundle in bundles for name, module in bundle.modules.items()}
    aliases = {alias: name for bundle in reversed(bundles) for alias, name in bundle.aliases.items()}
    catalogs = {name for bundle in bundles for alias, name in bundle.aliases.items() if CATALOG.fullmatch(alias)}
    catalogs |= {bundle.entry for bundle in bundles}
    requires = {
        name: {aliases.get(each, each) for each in module.required()} & modules.keys()
        for name, module in modules.items()
    }
    defined = {name: module.models() for name, module in modules.items()}
    missing = set(models) - set().union(*defined.values())
    if missing:
        raise ValueError(f"no bundle defines {', '.join(sorted(missing))}")

    found: set[str] = set()
    waiting = [aliases[each] for each in ALWAYS] + [name for name in modules if not defined[name].isdisjoint(models)]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += requires[name]
    listed = [bundle.entry for bundle in bundles]
    while listed:
        name = listed.pop()
        if name not in found:
            found.add(name)
            listed += requires[name] & catalogs
    return found


def version() -> str:
    """What the file depends on, as a text that is another when the file is."""
    return f"{metadata.version('bokeh')} {metadata.version('panel')} {Path(__file__).read_text(encoding='utf-8')}"


@cache
def script() -> bytes:
    """The file; made once by each process, in about a tenth of a second."""
    bundles = [read((package(owner) / name).read_text(encoding="utf-8")) for owner, name in BUNDLES]
    names = needed(bundles, MODELS)
    return "\n".join(bundle.with_only(names) for bundle in bundles).encode()


def package(name: str) -> Path:
    """The folder of an installed package."""
    spec = find_spec(name)  # importing Panel takes seconds
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(name)
    return Path(spec.origin).parent
