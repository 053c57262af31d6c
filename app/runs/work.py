"""One chunk of work, and what a scheduler may expect of those who do it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from sims.chunks.chunk import Chunk
from sims.contract.simulation import Training

CHUNK_LIMIT = 20.0
"""Seconds after which a chunk counts as hanging. A chunk is meant to last a fraction of a second."""

TOO_LONG = "This step took too long and was ended. Smaller settings may work."


@dataclass(frozen=True)
class ChunkRequest:
    """The arguments of one `sims.contract.simulation.run_chunk`, and what its parts have cost the last time.

    `state` is what a chunk before it has brought, or some of its parts; only the backend reads more than their names.
    """

    simulation: type[Training]
    settings: Mapping[str, Any]
    state: Mapping[str, Any] | None
    steps: int
    draw: bool = True
    costs: Mapping[str, float] = field(default_factory=dict)


class ChunkFailed(Exception):
    """The chunk itself is at fault, and would be again; the text is for the page."""


class WorkerDied(Exception):
    """The process that computed the chunk has ended: killed, out of memory, crashed. It may have been the chunk."""


class Backend(Protocol):
    """Workers that compute chunks."""

    @property
    def workers(self) -> int:
        """How many chunks are computed at the same time."""

    async def run(self, work: ChunkRequest, *, alone: bool = False) -> Chunk:
        """Compute one chunk. Raises ChunkFailed or WorkerDied.

        A chunk that is run `alone` takes no other with it if its worker dies, and no other takes it. Cancelling gives
        the chunk up, and returns when its worker is free again.
        """

    def pack(self, state: Mapping[str, Any]) -> bytes:
        """The state that a chunk has brought, as bytes: on any other server the same kind of workers takes them."""

    def unpack(self, packed: bytes) -> Mapping[str, Any]:
        """The state of these bytes, for the next chunk. Raises ValueError where these workers cannot take it."""

    def warm(self) -> None:
        """Start all workers in the background."""

    def close(self) -> None:
        """End all workers."""
