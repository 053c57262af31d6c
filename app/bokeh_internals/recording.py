"""Records changes of a document as data instead of sending them to a browser."""

from typing import Any

from bokeh.core.serialization import Serializer
from bokeh.document import Document
from bokeh.document.events import DocumentPatchedEvent


def record(document: Document) -> None:
    """Start to hold back a document's changes; a browser is assumed to have everything it holds now."""
    document.models.flush_synced()
    document.hold("combine")


def recorded(document: Document) -> list[Any]:
    """The changes and messages that a document has held back, in the form of the events of a Bokeh patch."""
    events = [event for event in document.callbacks._held_events if isinstance(event, DocumentPatchedEvent)]
    serializer = Serializer(references=document.models.synced_references, deferred=False)
    encoded: list[Any] = serializer.encode(events)
    return encoded
