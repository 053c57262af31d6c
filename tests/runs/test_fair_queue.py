"""Turns, places, and nothing kept of readers who have left."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.runs.fair_queue import FairQueue


def queue_of(*items: str) -> FairQueue[str]:
    """Items are named by their reader and a number: a1, b1."""
    queue: FairQueue[str] = FairQueue()
    for item in items:
        queue.add(item[0], item)
    return queue


def drain(queue: FairQueue[str]) -> list[str]:
    items = []
    while queue:
        items.append(queue.pop())
    return items


def test_readers_take_turns_and_their_items_keep_their_order() -> None:
    assert drain(queue_of("a1", "a2", "a3", "b1", "c1", "b2")) == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_who_was_served_longest_ago_comes_first() -> None:
    queue = queue_of("a1", "a2", "a3", "b1")
    assert [queue.pop(), queue.pop(), queue.pop()] == ["a1", "b1", "a2"]
    queue.add("b", "b2")
    assert queue.pop() == "b2"


def test_a_discarded_item_does_not_come_up() -> None:
    queue = queue_of("a1", "b1", "a2")
    queue.discard("a", "a1")
    queue.discard("b", "b1")
    queue.discard("c", "c1")
    assert drain(queue) == ["a2"]


def test_nothing_comes_out_of_an_empty_queue() -> None:
    with pytest.raises(IndexError, match="nothing waits"):
        queue_of().pop()


def test_a_forgotten_reader_counts_as_new() -> None:
    queue = queue_of("a1", "b1", "b2")
    assert [queue.pop(), queue.pop()] == ["a1", "b1"]
    queue.remove("b")
    assert not queue
    queue.add("a", "a2")
    queue.add("b", "b3")
    assert queue.pop() == "b3"


@given(st.lists(st.sampled_from("abcd")), st.integers(0, 10))
def test_the_announced_order_is_the_order(readers: list[str], served_before: int) -> None:
    queue: FairQueue[tuple[str, int]] = FairQueue()
    for number, reader in enumerate(readers):
        queue.add(reader, (reader, number))
    for _ in range(min(served_before, len(readers))):
        queue.pop()
    announced = queue.order()
    assert announced == [queue.pop() for _ in announced]
    assert not queue
