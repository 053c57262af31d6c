"""Bokeh asks the same two questions about its properties thousands of times for one picture; here it remembers.

Both answers depend on a class or a property alone, which never change once they are defined. Imported for its effect,
which halves the time in which a session is opened.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from bokeh.core.has_props import HasProps
from bokeh.core.property.bases import ParameterizedProperty

_overridden = HasProps.__dict__["_overridden_defaults"].__func__
_unstable = ParameterizedProperty._may_have_unstable_default

UNSTABLE = "_may_have_unstable"


@cache
def _overridden_once(kind: type[HasProps]) -> Mapping[str, Any]:
    return dict(_overridden(kind))


def _unstable_once(self: ParameterizedProperty[Any]) -> bool:
    known = self.__dict__.get(UNSTABLE)
    if known is None:
        known = self.__dict__[UNSTABLE] = _unstable(self)
    return bool(known)


def _overridden_of(kind: type[HasProps]) -> Mapping[str, Any]:
    return _overridden_once(kind)


setattr(HasProps, "_overridden_defaults", classmethod(_overridden_of))  # noqa: B010 - a method of another's class
setattr(ParameterizedProperty, "_may_have_unstable_default", _unstable_once)  # noqa: B010
