"""Changes of a document as data, instead of as messages to a browser."""

from typing import Any

from bokeh.core.serialization import Serializer
from bokeh.document import Document
from bokeh.document.events import DocumentPatchedEvent


def record(document: Document) -> None:
    """Have a document hold back its changes from now on; a browser is taken to have everything that it holds now."""
    document.models.flush_synced()
    document.hold("combine")


def recorded(document: Document) -> list[Any]:
    """The changes and messages that a document has held back, in the form of a Bokeh patch's events."""
    events = [event for event in document.callbacks._held_events if isinstance(event, DocumentPatchedEvent)]
    serializer = Serializer(references=document.models.synced_references, deferred=False)
    encoded: list[Any] = serializer.encode(events)
    return encoded
