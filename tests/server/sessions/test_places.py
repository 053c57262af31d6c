"""Places are fair: by address, by reader, and to those who look."""

import pytest

from app.runs.jobs import Busy
from app.server.sessions.places import HIDDEN, PLAYING, SessionSlot, SessionSlots


class Crowd:
    """Readers of one server, and who was sent away."""

    def __init__(self, limit: int, per_reader: int = 16) -> None:
        self.places = SessionSlots(limit, per_reader)
        self.left: list[SessionSlot] = []

    def come(self, address: str, reader: str, rank: int | None = None) -> SessionSlot:
        place = self.places.acquire(address, reader)
        place.leave = lambda: self.left.append(place)
        if rank is not None:
            place.rank = lambda: rank
        return place


def test_one_reader_has_no_more_than_a_share() -> None:
    crowd = Crowd(limit=100, per_reader=3)
    for _ in range(3):
        crowd.come("a", "one")
    with pytest.raises(Busy, match="3 live simulations"):
        crowd.come("a", "one")
    crowd.come("b", "one")
    crowd.come("a", "two")
    assert crowd.left == []


def test_a_reader_with_a_full_share_goes_on_with_the_place_of_a_hidden_figure() -> None:
    crowd = Crowd(limit=100, per_reader=2)
    first, second = crowd.come("a", "one"), crowd.come("a", "one", HIDDEN)
    third = crowd.come("a", "one")
    assert crowd.left == [second]
    with pytest.raises(Busy):
        crowd.come("a", "one")
    crowd.places.release(first)
    crowd.come("a", "one")
    assert third not in crowd.left


def test_a_flood_from_one_address_gives_way_to_everybody_else() -> None:
    crowd = Crowd(limit=6)
    flood = [crowd.come("flood", str(number)) for number in range(6)]
    others = [crowd.come(address, "one") for address in "abc"]
    assert crowd.left == flood[:3]
    fourth, fifth = crowd.come("d", "one"), crowd.come("e", "one")
    assert crowd.left == flood[:5]
    with pytest.raises(Busy, match="Reading works"):
        crowd.come("f", "one")
    crowd.places.release(others[0])
    crowd.come("f", "one")
    assert not {*others, fourth, fifth} & set(crowd.left)


def test_a_class_behind_one_address_shares_by_reader() -> None:
    crowd = Crowd(limit=6)
    greedy = [crowd.come("school", "greedy") for _ in range(5)]
    crowd.come("school", "one")
    crowd.come("school", "two")
    crowd.come("school", "three")
    assert crowd.left == greedy[:2]
    crowd.come("school", "one")
    assert crowd.left == greedy[:3]
    with pytest.raises(Busy):
        crowd.come("school", "one")


def test_what_is_hidden_goes_first_and_what_trains_goes_last() -> None:
    crowd = Crowd(limit=4)
    playing = crowd.come("a", "one", PLAYING)
    standing = crowd.come("a", "one")
    hidden = crowd.come("a", "one", HIDDEN)
    crowd.come("a", "one", PLAYING)
    crowd.come("b", "one")
    crowd.come("b", "two")
    assert crowd.left == [hidden, standing]
    with pytest.raises(Busy):
        crowd.come("b", "three")
    playing.rank = lambda: HIDDEN
    crowd.come("b", "three")
    assert crowd.left == [hidden, standing, playing]


def test_a_place_that_was_given_away_is_not_given_back_twice() -> None:
    crowd = Crowd(limit=2)
    first = crowd.come("a", "one")
    crowd.come("a", "one")
    crowd.come("b", "one")
    assert crowd.left == [first]
    crowd.places.release(first)
    with pytest.raises(Busy):
        crowd.come("c", "one")
