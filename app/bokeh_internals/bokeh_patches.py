"""Caches what Bokeh looks up about its properties thousands of times for one picture.

The answers depend only on a class or a property, and these never change once defined. Besides, no picture of ours lets
glyphs be selected or muted, so renderers get no visuals for these states. Importing this module installs the patches;
they cut the time to open a session by two thirds.
"""

from collections.abc import Callable, Mapping
from contextvars import Context
from copy import copy
from functools import cache, partial
from typing import Any

from bokeh.core.has_props import HasProps
from bokeh.core.property.bases import ParameterizedProperty
from bokeh.core.property.descriptors import PropertyDescriptor
from bokeh.core.property.singletons import Intrinsic, Undefined
from bokeh.model import util
from bokeh.model.model import Model
from bokeh.plotting import _renderer

from app.settings import plain_bokeh

_overridden = HasProps.__dict__["_overridden_defaults"].__func__
_unstable = ParameterizedProperty._may_have_unstable_default
_visit = util.visit_immediate_value_references
_default = PropertyDescriptor.instance_default
_visuals = _renderer.pop_visuals

UNSTABLE = "_may_have_unstable"

UNCHANGING = (str, int, float, type(None), type(Undefined), type(Intrinsic))
"""Types of immutable values, which several models can share"""

UNSEEN = ("nonselection_", "muted_")
"""Prefixes of the names of visuals that no picture shows"""


@cache
def _overridden_once(kind: type[HasProps]) -> Mapping[str, Any]:
    return dict(_overridden(kind))


def _unstable_once(self: ParameterizedProperty[Any]) -> bool:
    unstable = self.__dict__.get(UNSTABLE)
    if unstable is None:
        unstable = self.__dict__[UNSTABLE] = _unstable(self)
    return bool(unstable)


def _overridden_of(kind: type[HasProps]) -> Mapping[str, Any]:
    return _overridden_once(kind)


@cache
def _unstable_properties(kind: type[HasProps]) -> Mapping[str, PropertyDescriptor[Any]]:
    """The properties whose default is created separately for every model, in Bokeh's order."""
    descriptors = {name: kind.lookup(name) for name in kind.properties(_with_props=True)}
    return {name: prop for name, prop in descriptors.items() if prop.has_unstable_default(kind)}  # type: ignore[arg-type]


def _initialize(self: HasProps, **properties: Any) -> None:
    """`HasProps.__init__`, without asking each property of every model whether its default is created per model."""
    super(HasProps, self).__init__()
    self._property_values = {}
    self._unstable_default_values = {}
    self._unstable_themed_values = {}
    for name, value in properties.items():
        if value is not Undefined and value is not Intrinsic:
            setattr(self, name, value)
    for name, descriptor in _unstable_properties(type(self)).items():
        if name not in properties:
            descriptor._get(self)
    self._initialized = True


@cache
def _default_maker(kind: type[HasProps], name: str) -> Callable[[], Any] | None:
    """A function that creates the default of a property, validated as by Bokeh; None where only Bokeh can create it."""
    prop = kind.lookup(name).property
    overridden = kind._overridden_defaults()
    raw = overridden.get(name, prop._default)
    make = raw if callable(raw) else partial(copy, raw)
    # Bokeh would validate every new default, though all are alike: we validate one. It is created in a context of its
    # own, so that it does not use up an identifier of the picture that is being drawn.
    first = Context().run(make)
    if not prop.is_valid(first):
        return None
    admitted = prop.wrap(prop.transform(first))
    shared = not callable(raw) and isinstance(admitted, UNCHANGING)
    return (lambda: admitted) if shared else (lambda: prop.wrap(prop.transform(make())))


def _themed(self: HasProps) -> dict[str, Any] | None:
    return self.__dict__.get("__themed_values__")


def _default_of(self: PropertyDescriptor[Any], model: HasProps) -> Any:
    themed = model.themed_values()
    make = None if themed is not None and self.name in themed else _default_maker(type(model), self.name)
    return _default(self, model) if make is None else make()


def _visit_what_is_set(value: Any, visitor: Callable[[Model], None]) -> None:
    """Visit models as Bokeh does, without creating defaults to search them: `_initialize` has created those."""
    if not isinstance(value, HasProps):
        _visit(value, visitor)
        return
    refer = type(value).properties_with_refs()
    for values in (value._property_values, value._unstable_default_values, value._unstable_themed_values):
        for name in refer & values.keys():
            util.visit_value_and_its_immediate_references(values[name], visitor)


def _visible_visuals(kind: Any, props: Any, *, prefix: str = "", **more: Any) -> Any:
    return None if prefix in UNSEEN else _visuals(kind, props, prefix=prefix, **more)


OURS = (
    (HasProps, "_overridden_defaults", classmethod(_overridden_of)),
    (HasProps, "__init__", _initialize),
    (HasProps, "themed_values", _themed),
    (ParameterizedProperty, "_may_have_unstable_default", _unstable_once),
    (PropertyDescriptor, "instance_default", _default_of),
    (util, "visit_immediate_value_references", _visit_what_is_set),
    (_renderer, "pop_visuals", _visible_visuals),
)
"""Owner, attribute name, and our replacement"""

BOKEHS = tuple((whose, name, vars(whose)[name]) for whose, name, _ours in OURS)
"""Owner, attribute name, and Bokeh's original"""

for _whose, _name, _value in () if plain_bokeh() else OURS:
    setattr(_whose, _name, _value)
