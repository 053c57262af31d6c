"""Names the models of a view that change, by the attributes that lead to them: "_errors.source", "_run.x_range".

A browser that draws without a server (app/static/training) finds the models by these names.
"""

from collections.abc import Iterator
from typing import Any

from bokeh.model import Model
from bokeh.models import Axis, Plot
from bokeh.models.annotations import Legend
from bokeh.models.renderers import GlyphRenderer

WITHIN: dict[type[Model], tuple[str, ...]] = {
    Plot: ("x_range", "y_range", "xaxis", "yaxis", "legend"),
    Axis: ("ticker",),
    Legend: ("items",),
    GlyphRenderer: ("glyph",),
}
"""Kind of model → attributes with further models that a view changes"""


def paths(view: object) -> dict[str, str]:
    """Return path → id of the models that the attributes of a view and of its pictures lead to.

    Items of lists and mappings are named by their place or key: "_gradients._sources.plain"; a key of several parts by
    all of them: "_words.name.ink". A model to which several attributes lead has several paths.
    """
    return dict(_found(view, "", ()))


def _found(value: Any, path: str, inside: tuple[object, ...]) -> Iterator[tuple[str, str]]:
    if any(value is outer for outer in inside):
        return
    if isinstance(value, Model):
        yield path, value.id
    for name, member in _members(value):
        yield from _found(member, f"{path}.{name}" if path else name, (*inside, value))


def _members(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Model):
        for kind, names in WITHIN.items():
            if isinstance(value, kind):
                yield from ((name, getattr(value, name)) for name in names)
    elif isinstance(value, dict):
        yield from ((_text(key), item) for key, item in value.items())
    elif isinstance(value, list | tuple):
        yield from ((str(place), item) for place, item in enumerate(value))
    elif type(value).__module__.startswith("app."):
        yield from vars(value).items()


def _text(key: object) -> str:
    return ".".join(map(str, key)) if isinstance(key, tuple) else str(key)
