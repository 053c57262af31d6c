"""One chunk of work, and the interface of the backends that compute it."""

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
    """The arguments of one `sims.contract.simulation.run_chunk`, and what its parts cost the last time.

    `state` is the result of an earlier chunk, or some parts of it; only the backend reads more than their names.
    """

    simulation: type[Training]
    settings: Mapping[str, Any]
    state: Mapping[str, Any] | None
    steps: int
    draw: bool = True
    costs: Mapping[str, float] = field(default_factory=dict)


class ChunkFailed(Exception):
    """The chunk itself is at fault, and would fail again; the text is for the page."""


class WorkerDied(Exception):
    """The process that computed the chunk has ended: killed, out of memory, crashed. The chunk may be the cause."""


class Backend(Protocol):
    """Workers that compute chunks."""

    @property
    def workers(self) -> int:
        """How many chunks are computed at the same time."""

    async def run(self, work: ChunkRequest, *, alone: bool = False) -> Chunk:
        """Compute one chunk. Raises ChunkFailed or WorkerDied.

        If a chunk that is run `alone` kills its worker, no other chunk is lost, and no other chunk can cost it its
        worker. Cancelling gives the chunk up, and returns when its worker is free again.
        """

    def pack(self, state: Mapping[str, Any]) -> bytes:
        """Serialize the state that a chunk returned; any other server with the same kind of workers can load it."""

    def unpack(self, packed: bytes) -> Mapping[str, Any]:
        """Load a serialized state for the next chunk. Raises ValueError if these workers cannot read it."""

    def warm(self) -> None:
        """Start all workers in the background."""

    def close(self) -> None:
        """End all workers."""
