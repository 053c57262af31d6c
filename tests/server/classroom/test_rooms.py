"""Rooms: who is in them, what they forget, and when they end."""

import asyncio
from collections.abc import Callable

import pytest

from app.server.classroom import rooms
from app.server.classroom.rooms import ASKED, CLOSED, GONE, SHOWN, SIGNS, SOLVED, Room, RoomError, Rooms


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def house(clock: Clock) -> Rooms:
    return Rooms(3, clock)


def denied(act: Callable[[], object]) -> tuple[int, str]:
    with pytest.raises(RoomError) as refusal:
        act()
    return refusal.value.status, refusal.value.message


def question(room: Room, token: str) -> dict[str, object]:
    return dict(room.seen_by(token, "degradation")["questions"]["p"])


def test_a_code_has_signs_that_are_not_taken_for_each_other(house: Rooms) -> None:
    codes = {house.new_code() for _ in range(50)}
    assert len(codes) == 50
    assert all(len(code) == rooms.LENGTH and set(code) <= set(SIGNS) for code in codes)
    assert not set(SIGNS) & set("AEIOU01258BSVZ")


def test_a_server_has_so_many_rooms_and_a_closed_one_makes_room(house: Rooms) -> None:
    opened = [house.open(house.new_code()) for _ in range(3)]
    assert denied(house.new_code)[0] == denied(lambda: house.open("CCCCCC"))[0] == 503
    house.close(opened[0])
    assert len(house) == 2
    house.open(house.new_code())
    assert opened[0].ended == CLOSED
    assert denied(lambda: house.find(opened[0].code)) == (404, CLOSED)


def test_a_server_may_have_none() -> None:
    assert denied(Rooms(0).new_code) == (403, "This server has no rooms.")


def test_a_code_that_is_taken_or_unknown_is_refused(house: Rooms) -> None:
    house.open("CCCCCC")
    assert denied(lambda: house.open("CCCCCC"))[0] == 409
    assert denied(lambda: house.find("DDDDDD")) == (404, GONE)


def test_a_room_ends_some_hours_after_it_was_opened(house: Rooms, clock: Clock) -> None:
    room = house.open("CCCCCC")
    until = clock.now + rooms.LASTING
    while clock.now < until - 60:
        clock.now += 600
        room.check_in(room.key)
    clock.now = until + 1
    room.check_in(room.key)
    assert denied(lambda: house.find("CCCCCC")) == (404, GONE)
    assert (room.ended, len(house)) == (GONE, 0)


def test_a_room_whose_teacher_is_gone_ends_though_others_are_there(house: Rooms, clock: Clock) -> None:
    room = house.open("CCCCCC")
    token = room.join()
    clock.now += rooms.UNHEARD - 1
    room.check_in(token)
    assert house.find("CCCCCC") is room
    clock.now += 2
    room.check_in(token)
    assert denied(lambda: house.find("CCCCCC"))[0] == 404


def test_who_is_there_is_who_was_heard_of_lately(clock: Clock) -> None:
    room = Room("CCCCCC", clock)
    first, second = room.join(), room.join()
    assert room.member_count == 2
    clock.now += rooms.HERE + 1
    assert not room.check_in(first)
    assert room.member_count == 1
    room.leave(first)
    assert room.member_count == 0
    assert denied(lambda: room.check_in(first)) == (404, GONE)
    assert not room.check_in(second)
    assert room.check_in(room.key)


def test_a_full_room_gives_the_place_of_somebody_long_gone(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "MEMBERS", 2)
    room = Room("CCCCCC", clock)
    first = room.join()
    second = room.join()
    assert denied(room.join)[0] == 429
    clock.now += rooms.AWAY + 1
    room.check_in(first)
    room.join()
    assert denied(lambda: room.check_in(second))[0] == 404
    assert not room.check_in(first)


def test_answers_are_counted_first_then_shown_and_never_with_who_gave_them(clock: Clock) -> None:
    room = Room("CCCCCC", clock)
    one, other = room.join(), room.join()
    room.answer(one, "degradation", "p", 3)
    room.answer(other, "degradation", "p", 1)
    assert question(room, one) == {"count": 2, "stage": ASKED, "answers": None, "mine": 3}
    room.show("degradation", "p", SHOWN)
    assert question(room, room.key) == {"count": 2, "stage": SHOWN, "answers": [1, 3], "mine": None}
    assert one not in repr(room.seen_by(other, "degradation"))
    assert room.seen_by(one, "shortcut")["questions"] == {}


def test_who_leaves_takes_along_the_answers_that_nobody_has_seen(clock: Clock) -> None:
    room = Room("CCCCCC", clock)
    one, other = room.join(), room.join()
    for token in (one, other):
        for name in ("p", "q"):
            room.answer(token, "degradation", name, 2)
    room.show("degradation", "p", SHOWN)
    room.leave(one)
    again = room.join()
    room.answer(again, "degradation", "q", 1)
    questions = room.seen_by(room.key, "degradation")["questions"]
    assert questions["p"]["answers"] == [2, 2]
    assert questions["q"]["count"] == room.member_count == 2


def test_an_answer_is_given_once_and_not_when_the_result_is_out(clock: Clock) -> None:
    room = Room("CCCCCC", clock)
    one, other = room.join(), room.join()
    room.answer(one, "degradation", "p", 3)
    room.answer(one, "degradation", "p", 1)
    room.show("degradation", "p", SOLVED)
    assert denied(lambda: room.answer(other, "degradation", "p", 1))[0] == 409
    room.show("degradation", "p", SHOWN)
    assert question(room, one) == {"count": 1, "stage": SOLVED, "answers": [3], "mine": 3}


def test_a_room_keeps_so_many_questions(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "QUESTIONS", 2)
    room = Room("CCCCCC", clock)
    token = room.join()
    for name in ("a", "b", "c"):
        room.answer(token, "degradation", name, 1)
    assert list(room.seen_by(token, "degradation")["questions"]) == ["b", "c"]


def test_news_wait_until_there_are_some_and_come_together(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "GATHERED", 0.0)

    async def story() -> None:
        room = Room("CCCCCC", clock)
        token = room.join()
        assert room.next_change(0).done()
        waiting = [room.next_change(room.version) for _ in range(3)]
        left = waiting.pop()
        left.cancel()
        room.answer(token, "degradation", "p", 1)
        room.call("shortcut#p-copy")
        assert not any(future.done() for future in waiting)
        await asyncio.gather(*waiting)
        assert room.seen_by(token, "degradation")["place"] == "shortcut#p-copy"
        assert room.seen_by(token, "degradation")["calls"] == 1
        last = room.next_change(room.version)
        room.close(CLOSED)
        await last
        assert room.next_change(room.version).done()

    asyncio.run(story())
