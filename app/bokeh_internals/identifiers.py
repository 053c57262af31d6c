"""Gives models the same identifiers each time a picture is drawn.

The page keeps the models of a prerendered picture, and a session updates them: both must use the same identifiers.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count

from bokeh.core.types import ID
from bokeh.model import model
from bokeh.util.serialization import make_id

_names: ContextVar[Iterator[str] | None] = ContextVar("names", default=None)


def _make_id() -> ID:
    names = _names.get()
    return make_id() if names is None else ID(next(names))


setattr(model, "make_id", _make_id)  # noqa: B010 - the name under which models look for it


@contextmanager
def identified(place: str) -> Iterator[None]:
    """Give models created inside the `with` block the ids `place~1`, `place~2` and so on, in order of creation."""
    token = _names.set(f"{place}~{number}" for number in count(1))
    try:
        yield
    finally:
        _names.reset(token)
