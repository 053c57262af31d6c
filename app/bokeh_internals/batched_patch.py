"""Sends all changes of a picture to the browser as one message, so that a half-changed picture is never seen."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bokeh.core.serialization import Buffer, BytesRep, Serializer
from bokeh.document import Document
from bokeh.document.events import DocumentPatchedEvent
from bokeh.protocol.messages.patch_doc import patch_doc
from bokeh.util.serialization import make_id

from app.bokeh_internals.column_diff import changed_columns
from app.settings import plain_bokeh

INLINE = 4096
"""Largest array, in bytes, that is sent inside the JSON text. Sent separately, an array takes two more messages, which
cost more than this; a picture has forty arrays, most of them of a few hundred bytes."""


class Inlining(Serializer):
    """Serializer that writes short arrays into the text, in base 64, and leaves the others to Bokeh."""

    def _encode_bytes(self, obj: bytes | memoryview) -> BytesRep:
        if memoryview(obj).nbytes > INLINE:
            return super()._encode_bytes(obj)
        return BytesRep(type="bytes", data=Buffer(make_id(), obj).to_base64())


def message_of(document: Document, patches: list[DocumentPatchedEvent]) -> patch_doc:
    """A message with these changes. From then on, the models they refer to count as known to the page."""
    serializer = Inlining(references=document.models.synced_references)
    message = patch_doc(patch_doc.create_header(), {}, {"events": serializer.encode(patches)})
    document.models.flush_synced(lambda model: not serializer.has_ref(model))
    message.add_buffers(*serializer.buffers)
    return message


@contextmanager
def batched_patch(document: Document) -> Iterator[None]:
    """Hold back changes of the document, which must be locked, and send them together at the end.

    Bokeh sends one message per change, and Panel joins them only for documents that it has laid out itself. With
    `SKIP_PLAIN_BOKEH` they send their own messages.
    """
    session: Any = getattr(document.session_context, "session", None)
    manager = document.callbacks
    if session is None or manager.hold_value or plain_bokeh():
        yield
        return
    document.hold("combine")
    try:
        yield
    finally:
        events = list(manager._held_events)
        manager._held_events = []
        document.unhold()
        for event in events:
            if not isinstance(event, DocumentPatchedEvent):
                manager.trigger_on_change(event)
        connected = bool(session._subscribed_connections)
        patches = changed_columns(
            document, [event for event in events if isinstance(event, DocumentPatchedEvent)], connected
        )
        if patches and connected:
            message = message_of(document, patches)
            for connection in session._subscribed_connections:
                session._pending_writes.append(connection._socket.send_message(message))
