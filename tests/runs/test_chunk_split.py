"""Parts of a state are shared out by what they cost, and come together in their order."""

from app.runs.chunk_split import MOST_PIECES, frame_request, merge, split
from app.runs.work import ChunkRequest
from sims.chunks.chunk import Chunk
from sims.contract.frame import Frame
from tests.training_example import TrainingExample

STATE = {"a": 1, "b": 2, "c": 3, "d": 4}


def work(state: dict[str, int] | None = STATE, steps: int = 5, **costs: float) -> ChunkRequest:
    return ChunkRequest(TrainingExample, {}, state, steps, costs=costs)


def shares(pieces: list[ChunkRequest]) -> list[set[str]]:
    return [set(piece.state or ()) for piece in pieces]


def test_every_part_is_in_one_piece_with_its_state() -> None:
    pieces = split(work(), 3)
    assert len(pieces) == 3
    states = {name: state for piece in pieces for name, state in (piece.state or {}).items()}
    assert states == STATE
    assert sum(len(piece.state or ()) for piece in pieces) == len(STATE)
    assert all(piece.steps == 5 and not piece.draw for piece in pieces)


def test_pieces_cost_about_the_same() -> None:
    assert shares(split(work(a=5.0, b=1.0, c=2.0, d=2.0), 2)) == [{"a"}, {"b", "c", "d"}]


def test_what_cannot_be_cut_or_is_not_worth_it_stays_whole() -> None:
    for whole, workers in ((work(), 1), (work(), 0), (work(None), 4), (work({"": 1}), 4), (work(steps=0), 4)):
        assert split(whole, workers) == [whole]


def test_there_are_never_more_pieces_than_parts_or_than_is_sensible() -> None:
    assert len(split(work(), 100)) == len(STATE)
    assert len(split(work(dict.fromkeys(map(str, range(100)), 0)), 100)) == MOST_PIECES


def test_the_frame_is_drawn_of_all_parts_in_their_order() -> None:
    pieces = [
        Chunk({"c": 30, "b": 20}, None, 2.0, 1.5, {"c": 1.0, "b": 0.5}),
        Chunk({"d": 40, "a": 10}, None, 1.0, 0.9),
    ]
    last = frame_request(work(), pieces)
    assert last.draw
    assert last.steps == 0
    assert list((last.state or {}).items()) == [("a", 10), ("b", 20), ("c", 30), ("d", 40)]
    whole = merge(pieces, Chunk(dict(last.state or {}), Frame({}), 0.25, 0.0))
    assert whole.seconds == 2.25
    assert whole.stepping == 1.5
    assert whole.costs == {"c": 1.0, "b": 0.5}
    assert whole.frame == Frame({})
