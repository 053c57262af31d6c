"""Identifiers of models that come out the same whenever a picture is drawn.

The page keeps the models of a picture that was made ahead, and a session drives them: both must call them the same.
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
    """Models that are made meanwhile are called `place~1`, `place~2` and so on, in the order in which they are made."""
    token = _names.set(f"{place}~{number}" for number in count(1))
    try:
        yield
    finally:
        _names.reset(token)
