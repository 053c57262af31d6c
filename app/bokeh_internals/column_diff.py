"""What of a picture's columns its page does not have yet.

Bokeh tells a source's data anew whenever they are set, and the browser then draws every plot that shows them. Most of a
picture stays as it is when a control moves.
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
    """The same changes without the columns that were told before. What was told while no page heard it stays news."""
    sent = _sent_to(document)
    if not heard:
        for event in events:
            sent.forget(event)
        return []
    return [rest for event in events if (rest := sent.left(event))]


def reset(document: Document) -> None:
    """A page has come that may have any of this or nothing: all of it is news."""
    _sent_to(document).reset()


def _sent_to(document: Document) -> "_Known":
    sent = _KNOWN.get(document)
    if sent is None:
        sent = _KNOWN[document] = _Known()
        document.on_change(sent.forget)
    return sent


class _Known:
    """The columns of every source as they were told last."""

    def __init__(self) -> None:
        self._told: dict[str, Columns] = {}

    def left(self, event: DocumentPatchedEvent) -> DocumentPatchedEvent | None:
        """What is to be told of a change; None where that is nothing."""
        if not isinstance(event, ColumnDataChangedEvent) or event.data is not None or event.cols is not None:
            self.forget(event)
            return event
        data: Columns = getattr(event.model, event.attr)
        columns = {name: _fixed(values) for name, values in data.items()}
        before = self._told.get(event.model.id)
        self._told[event.model.id] = columns
        if before is None or before.keys() != columns.keys():
            return event
        changed = [name for name, values in columns.items() if values != before[name]]
        if not changed:
            return None
        return ColumnDataChangedEvent(event.document, event.model, event.attr, cols=changed, setter=event.setter)

    def reset(self) -> None:
        self._told.clear()

    def forget(self, event: DocumentChangedEvent) -> None:
        """A source has changed in another way: its page gets all of it the next time."""
        model = getattr(event, "model", None)
        if model is not None:
            self._told.pop(model.id, None)


_KNOWN: WeakKeyDictionary[Document, _Known] = WeakKeyDictionary()


def _fixed(values: Any) -> Any:
    """A column as it is now, in a form that can be compared, bit by bit where it is an array of numbers."""
    if isinstance(values, np.ndarray) and values.dtype.kind != "O":
        return values.dtype.str, values.shape, values.tobytes()
    if isinstance(values, list | tuple | np.ndarray):
        return [_fixed(value) for value in values]
    return values
