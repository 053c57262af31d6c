"""Splits a chunk into pieces: shares the parts of a divisible state among workers by cost, and merges the results."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from app.runs.work import ChunkRequest
from sims.chunks.chunk import Chunk

MOST_PIECES = 16
"""The most pieces that a chunk is split into, however many workers are idle."""


def split(work: ChunkRequest, workers: int) -> list[ChunkRequest]:
    """At most `workers` pieces of about equal cost; the request itself if it is not worth splitting, or cannot be
    split."""
    pieces = min(workers, len(work.state or ()), MOST_PIECES)
    if pieces < 2 or not work.steps:
        return [work]
    state: dict[str, Any] = dict(work.state or {})
    shares: list[list[str]] = [[] for _ in range(pieces)]
    loads = [0.0] * pieces
    for name in sorted(state, key=lambda name: -work.costs.get(name, 1.0)):
        least = loads.index(min(loads))
        shares[least].append(name)
        loads[least] += work.costs.get(name, 1.0)
    return [replace(work, state={name: state[name] for name in share}, draw=False) for share in shares if share]


def frame_request(work: ChunkRequest, pieces: Sequence[Chunk]) -> ChunkRequest:
    """The rest of the work when all pieces are done: one frame of all parts, in their original order."""
    after = {name: part for piece in pieces for name, part in piece.state.items()}
    return replace(work, state={name: after[name] for name in work.state or ()}, steps=0)


def merge(pieces: Sequence[Chunk], whole: Chunk) -> Chunk:
    """Merge pieces computed at the same time, and the chunk with their common frame, into one chunk."""
    slowest = max(pieces, key=lambda piece: piece.seconds)
    costs = {name: cost for piece in pieces for name, cost in piece.costs.items()}
    return Chunk(whole.state, whole.frame, slowest.seconds + whole.seconds, slowest.stepping, costs)
