"""Everything that changes in a picture reaches the browser as one message, so that it is never seen half changed."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bokeh.document import Document
from bokeh.document.events import DocumentPatchedEvent


@contextmanager
def one_message(document: Document) -> Iterator[None]:
    """Hold back changes of the document, which must be locked, and send them together at the end.

    Bokeh sends a message for each change, and Panel joins them only for documents that it has laid out itself.
    """
    session: Any = getattr(document.session_context, "session", None)
    manager = document.callbacks
    if session is None or manager.hold_value:
        yield
        return
    document.hold("combine")
    try:
        yield
    finally:
        held = list(manager._held_events)
        manager._held_events = []
        document.unhold()
        patches = [each for each in held if isinstance(each, DocumentPatchedEvent)]
        for each in held:
            if each not in patches:
                manager.trigger_on_change(each)
        if patches:
            for connection in session._subscribed_connections:
                message = connection.protocol.create("PATCH-DOC", patches)
                session._pending_writes.append(connection._socket.send_message(message))
