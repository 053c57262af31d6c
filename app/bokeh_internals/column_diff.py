"""Sends only the data-source columns that changed since the last message.

Bokeh sends a source's complete data whenever they are set, and the browser then redraws every plot that shows them.
Most of a picture stays the same when a control moves.
"""

from collections.abc import Iterable, Mapping
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from bokeh.document import Document
from bokeh.document.events import ColumnDataChangedEvent, DocumentChangedEvent, DocumentPatchedEvent

Columns = Mapping[str, Any]


def changed_columns(
    document: Document, events: Iterable[DocumentPatchedEvent], heard: bool
) -> list[DocumentPatchedEvent]:
    """The same changes without the columns already sent. Columns sent while no page was connected count as unsent."""
    sent = _sent_to(document)
    if not heard:
        for event in events:
            sent.forget(event)
        return []
    return [rest for event in events if (rest := sent.left(event))]


def reset(document: Document) -> None:
    """Forget what was sent: a new page has connected, which may have any of it or nothing."""
    _sent_to(document).reset()


def _sent_to(document: Document) -> "_Known":
    sent = _KNOWN.get(document)
    if sent is None:
        sent = _KNOWN[document] = _Known()
        document.on_change(sent.forget)
    return sent


class _Known:
    """The columns of every source as they were last sent."""

    def __init__(self) -> None:
        self._sent_columns: dict[str, Columns] = {}

    def left(self, event: DocumentPatchedEvent) -> DocumentPatchedEvent | None:
        """The part of a change that still has to be sent; None where that is nothing."""
        if not isinstance(event, ColumnDataChangedEvent) or event.data is not None or event.cols is not None:
            self.forget(event)
            return event
        data: Columns = getattr(event.model, event.attr)
        columns = {name: _fixed(values) for name, values in data.items()}
        before = self._sent_columns.get(event.model.id)
        self._sent_columns[event.model.id] = columns
        if before is None or before.keys() != columns.keys():
            return event
        changed = [name for name, values in columns.items() if values != before[name]]
        if not changed:
            return None
        return ColumnDataChangedEvent(event.document, event.model, event.attr, cols=changed, setter=event.setter)

    def reset(self) -> None:
        self._sent_columns.clear()

    def forget(self, event: DocumentChangedEvent) -> None:
        """Forget a source that has changed in another way: all of it is sent the next time."""
        model = getattr(event, "model", None)
        if model is not None:
            self._sent_columns.pop(model.id, None)


_KNOWN: WeakKeyDictionary[Document, _Known] = WeakKeyDictionary()


def _fixed(values: Any) -> Any:
    """A comparable snapshot of a column; arrays of numbers are compared bit by bit."""
    if isinstance(values, np.ndarray) and values.dtype.kind != "O":
        return values.dtype.str, values.shape, values.tobytes()
    if isinstance(values, list | tuple | np.ndarray):
        return [_fixed(value) for value in values]
    return values
