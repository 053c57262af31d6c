"""The concept inventory in a room: what a member may send, and what the room makes of it."""

from typing import Any

import pytest

from app.server.classroom import rooms
from app.server.classroom.room_inventory import ENOUGH, InventoryCounts, Items, items, rounds
from app.server.classroom.rooms import FEW, FULL, SENT, Room, RoomError
from tests.site import html_of, site

KNOWN: Items = {
    ("A", "sum"): ("product", "", "floor"),
    ("B", "sum"): ("", "product"),
    ("A", "cut"): ("", "product"),
    ("B", "cut"): ("floor", ""),
}
RIGHT = {"A-sum": 2, "B-sum": 1, "A-cut": 1, "B-cut": 2}
NOTHING: dict[str, str | None] = {"sum": None, "cut": None}
ALL: dict[str, str | None] = {"sum": "", "cut": ""}
ONCE: dict[str, str | None] = {"sum": "product", "cut": "product"}


def test_the_page_has_the_items_and_misconceptions_of_the_file() -> None:
    concepts = site().concepts
    assert items(html_of("inventory")) == {
        (item.form, item.concept): [option.believes for option in item.options] for item in concepts.items.values()
    }


@pytest.mark.parametrize("first", ["A", "B"])
def test_the_form_that_came_first_is_the_round_before(first: str) -> None:
    answers = {"A-sum": 1, "A-cut": 0, "B-sum": 1, "B-cut": 1}
    in_round = {"A": {"sum": "product", "cut": None}, "B": {"sum": "", "cut": "floor"}}
    assert rounds(KNOWN, first, answers) == (in_round[first], in_round["B" if first == "A" else "A"])


@pytest.mark.parametrize("first", [None, "C", "", 0, ["A"], {"A": 1}, "AB"])
def test_a_first_form_that_there_is_not_is_refused(first: Any) -> None:
    with pytest.raises(ValueError, match="the form that came first"):
        rounds(KNOWN, first, RIGHT)


@pytest.mark.parametrize(
    "answers",
    [
        None,
        [],
        "A-sum",
        {},
        {**RIGHT, "A-more": 1},
        {name: option for name, option in RIGHT.items() if name != "B-cut"},
        {**RIGHT, "A-sum": 4},
        {**RIGHT, "A-sum": -1},
        {**RIGHT, "A-sum": True},
        {**RIGHT, "A-sum": 1.0},
        {**RIGHT, "A-sum": "1"},
        {**RIGHT, "A-sum": None},
        {**RIGHT, "A-sum": [1]},
        {**RIGHT, "A-sum": 10**400},
        {**RIGHT, "A-sum": float("nan")},
    ],
)
def test_anything_but_an_answer_to_every_item_is_refused(answers: Any) -> None:
    with pytest.raises(ValueError, match="expected"):
        rounds(KNOWN, "A", answers)


def test_a_page_without_items_takes_nothing() -> None:
    with pytest.raises(ValueError, match="every item"):
        rounds(items("<p>The page cannot be made.</p>"), "A", {})


def test_right_and_wrong_before_and_after_are_counted_and_who_chose_a_misconception_once() -> None:
    counts = InventoryCounts()
    members = [(ONCE, ALL)] * 5 + [(NOTHING, NOTHING)] * 2 + [(ALL, ALL)] * 2 + [(ALL, {"sum": "floor", "cut": ""})]
    for before, after in members:
        counts.add(before, after)
    assert counts.show()
    assert counts.table == {
        "people": 10,
        "concepts": {"sum": [[2, 1], [5, 2]], "cut": [[3, 0], [5, 2]]},
        "misconceptions": {"product": [5, 0], "floor": [0, 1]},
    }


def test_every_table_is_about_ten_people_more_than_the_one_before() -> None:
    counts = InventoryCounts()
    shown = []
    for people in range(1, 3 * ENOUGH):
        counts.add(ALL, ALL)
        if people != ENOUGH and counts.show():
            shown.append(people)
        assert counts.table is None or counts.table["people"] == shown[-1], "a table does not change by itself"
    assert shown == [ENOUGH + 1, 2 * ENOUGH + 1]


def refused(act: Any, *arguments: Any) -> tuple[int, str]:
    with pytest.raises(RoomError) as refusal:
        act(*arguments)
    return refusal.value.status, refusal.value.message


def test_a_member_sends_once_and_only_the_teacher_sees_the_table() -> None:
    room = Room("CCCCCC", lambda: 0.0)
    tokens = [room.join() for _ in range(ENOUGH)]
    for token in tokens[1:]:
        room.count_inventory(token, ALL, ALL)
    assert refused(room.count_inventory, tokens[1], NOTHING, ALL) == (409, SENT)
    assert refused(room.show_inventory) == (409, FEW)
    assert room.seen_by(tokens[0], "inventory")["inventory"] == {"sent": 9, "mine": False, "table": None}
    room.count_inventory(tokens[0], ALL, ALL)
    room.show_inventory()
    assert room.seen_by(tokens[0], "inventory")["inventory"] == {"sent": 10, "mine": True, "table": None}
    assert room.seen_by(room.key, "inventory")["inventory"]["table"]["people"] == ENOUGH
    assert "inventory" not in room.seen_by(room.key, "degradation")
    assert room.rows() == []


def test_who_comes_back_again_and_again_fills_no_memory() -> None:
    room = Room("CCCCCC", lambda: 0.0)
    for _ in range(rooms.MEMBERS):
        token = room.join()
        room.count_inventory(token, ALL, ALL)
        room.leave(token)
    assert refused(room.count_inventory, room.join(), ALL, ALL) == (429, FULL)
