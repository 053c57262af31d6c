"""Rooms of class mode: their members, the answers, and how much of them the teacher has revealed.

A room exists in the memory of one server only. Nobody in it has a name: a member is a random token, and answers are
shown to the room without tokens.
"""

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from app.pages.files.sources import INVENTORY
from app.server.classroom.room_inventory import ENOUGH, InventoryCounts, Round

SIGNS = "CDFGHJKMNPQRTWX34679"
"""Letters and digits that are not mistaken for each other, and do not form words"""

LENGTH = 6
MEMBERS = 120
"""Most members of one room: three classes, or a lecture's front rows"""
QUESTIONS = 500
"""Most questions whose answers a room keeps, more than the site has; beyond that, the oldest are dropped"""
LASTING = 4 * 3600.0
"""Seconds after which a room ends"""
UNHEARD = 30 * 60.0
"""Seconds without a request from the teacher's page after which a room ends"""
HERE = 60.0
"""Seconds after its last request for which a member counts as present: its page asks for news every 20"""
AWAY = 600.0
"""Seconds of absence after which a member of a full room loses its place to a new one"""
GATHERED = 0.4
"""Seconds for which changes are collected before waiting pages are notified: 30 answers at once are one update"""

REMEMBERED = 200
"""Ended rooms for which the reason is remembered"""

ASKED, SHOWN, SOLVED = range(3)
"""The stages of a question: answers are collected, the room sees them, the result is shown"""

GONE = "This room has ended, or there never was one with this code."
CLOSED = "The teacher has closed the room."
LATE = "The result is out already."
SENT = "Your answers are in the table of this room already."
FULL = f"The table of this room is full: it has {MEMBERS} people."
FEW = f"A table needs {ENOUGH} people who are not in the one before."


class RoomError(Exception):
    """A refused request: the HTTP status of the reply, and a message for the page."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message


@dataclass
class Question:
    """The answers of a room to one question: token of a member → its answer, as a JSON value."""

    answers: dict[str, Any] = field(default_factory=dict)
    stage: int = ASKED

    def seen_by(self, token: str) -> dict[str, Any]:
        """What a member may see: its own answer, how many there are, and all of them once they are shown."""
        answers = sorted(self.answers.values(), key=repr) if self.stage else None
        return {
            "count": len(self.answers),
            "stage": self.stage,
            "answers": answers,
            "mine": self.answers.get(token),
        }


class Room:
    """One room. `key` is the token of its teacher."""

    def __init__(self, code: str, clock: Callable[[], float]) -> None:
        self.code, self.key = code, secrets.token_urlsafe(18)
        self.ended = ""
        """Why the room has ended; empty while it is open"""
        self.place = ""
        """The address within the site to which the teacher has called the members"""
        self._clock = clock
        self._opened = self._heard = clock()
        self._members: OrderedDict[str, float] = OrderedDict()
        self._questions: OrderedDict[tuple[str, str], Question] = OrderedDict()
        self._inventory = InventoryCounts()
        self._senders: set[str] = set()
        """Tokens of the members whose answers to the inventory have been counted; what they answered is not kept"""
        self._calls = 0
        self.version = 1
        self._waiting: set[asyncio.Future[None]] = set()
        self._gathering = False

    @property
    def has_expired(self) -> bool:
        """Whether the room has been open, or without its teacher, for too long."""
        now = self._clock()
        return now - self._opened > LASTING or now - self._heard > UNHEARD

    @property
    def member_count(self) -> int:
        """The number of members whose pages have sent a request lately."""
        now = self._clock()
        return sum(now - heard <= HERE for heard in self._members.values())

    def join(self) -> str:
        """Add a member and return its token. Raises RoomError if the room is full."""
        now = self._clock()
        if len(self._members) >= MEMBERS:
            token, heard = next(iter(self._members.items()))
            if now - heard <= AWAY:
                raise RoomError(429, f"This room is full: it has {MEMBERS} members.")
            del self._members[token]
        token = secrets.token_urlsafe(12)
        self._members[token] = now
        self._changed()
        return token

    def check_in(self, token: str) -> bool:
        """Record that a token was used; return whether it is the teacher's. Raises RoomError for an unknown token."""
        if secrets.compare_digest(token.encode(), self.key.encode()):
            self._heard = self._clock()
            return True
        if token not in self._members:
            raise RoomError(404, GONE)
        self._members[token] = self._clock()
        self._members.move_to_end(token)
        return False

    def leave(self, token: str) -> None:
        """Remove a member. Its answers that the room has seen stay. The others go: who comes back may answer again."""
        self._members.pop(token, None)
        for question in self._questions.values():
            if question.stage == ASKED:
                question.answers.pop(token, None)
        self._changed()

    def answer(self, token: str, page: str, exercise: str, answer: Any) -> None:
        """Store the answer of a member, unless it has given one. Raises RoomError once the result is shown."""
        question = self._question(page, exercise)
        if question.stage == SOLVED:
            raise RoomError(409, LATE)
        if token not in question.answers:
            question.answers[token] = answer
            self._changed()

    def show(self, page: str, exercise: str, stage: int) -> None:
        """Move a question to a later stage; an earlier stage is ignored."""
        question = self._question(page, exercise)
        if stage > question.stage:
            question.stage = stage
            self._changed()

    def count_inventory(self, token: str, before: Round, after: Round) -> None:
        """Add a member's two rounds of the inventory to the counts. Raises RoomError for a second pair."""
        if token in self._senders:
            raise RoomError(409, SENT)
        if self._inventory.people >= MEMBERS:
            raise RoomError(429, FULL)
        self._senders.add(token)
        self._inventory.add(before, after)
        self._changed()

    def show_inventory(self) -> None:
        """Let the teacher see the counts so far. Raises RoomError if too few have sent since they were seen last."""
        if not self._inventory.show():
            raise RoomError(409, FEW)
        self._changed()

    def call(self, place: str) -> None:
        """Invite everybody to an address of the site."""
        self.place = place
        self._calls += 1
        self._changed()

    def close(self, why: str) -> None:
        """End the room, and notify all waiting pages."""
        self.ended = why
        self._wake()

    def seen_by(self, token: str, page: str) -> dict[str, Any]:
        """The state of the room for a member, with the questions of one page, or with the inventory on its page."""
        state: dict[str, Any] = {
            "version": self.version,
            "people": self.member_count,
            "place": self.place,
            "calls": self._calls,
            "questions": {
                exercise: question.seen_by(token)
                for (where, exercise), question in self._questions.items()
                if where == page
            },
        }
        if page == INVENTORY:
            table = self._inventory.table if token == self.key else None
            state["inventory"] = {"sent": self._inventory.people, "mine": token in self._senders, "table": table}
        return state

    def rows(self) -> list[tuple[str, str, Any]]:
        """Page, prediction and answer of every answer, sorted, so that no two rows tell that they are one member's."""
        return [
            (page, exercise, answer)
            for (page, exercise), question in self._questions.items()
            for answer in sorted(question.answers.values(), key=repr)
        ]

    def next_change(self, since: int) -> asyncio.Future[None]:
        """A future that is done as soon as the room has a newer version than this, or has ended."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if since < self.version or self.ended:
            future.set_result(None)
        else:
            self._waiting.add(future)
            future.add_done_callback(self._waiting.discard)
        return future

    def _question(self, page: str, exercise: str) -> Question:
        question = self._questions.setdefault((page, exercise), Question())
        if len(self._questions) > QUESTIONS:
            self._questions.popitem(last=False)
        return question

    def _changed(self) -> None:
        self.version += 1
        if self._waiting and not self._gathering:
            self._gathering = True
            asyncio.get_running_loop().call_later(GATHERED, self._wake)

    def _wake(self) -> None:
        self._gathering = False
        for future in list(self._waiting):
            if not future.done():
                future.set_result(None)


class Rooms:
    """The rooms of a server, at most `limit` at a time."""

    def __init__(self, limit: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit, self._clock = limit, clock
        self._open: dict[str, Room] = {}
        self._ended: OrderedDict[str, str] = OrderedDict()
        """Code of a room → why it ended, for pages that were between two requests at that moment"""

    def __len__(self) -> int:
        return len(self._open)

    def new_code(self) -> str:
        """A random code for a room to be opened. Raises RoomError if this server has no rooms, or none left."""
        self.tidy()
        if not self._limit:
            raise RoomError(403, "This server has no rooms.")
        if len(self._open) >= self._limit:
            raise RoomError(503, "All rooms on this server are taken right now; try again in a while.")
        return "".join(secrets.choice(SIGNS) for _ in range(LENGTH))

    def open(self, code: str) -> Room:
        """Open a room with this code. Raises RoomError if no room is left, or the code is taken."""
        self.new_code()
        if code in self._open:
            raise RoomError(409, "This room is taken.")
        self._ended.pop(code, None)
        room = self._open[code] = Room(code, self._clock)
        return room

    def find(self, code: str) -> Room:
        """The room with this code. Raises RoomError if there is none, with the reason if it ended recently."""
        self.tidy()
        try:
            return self._open[code]
        except KeyError:
            raise RoomError(404, self._ended.get(code, GONE)) from None

    def close(self, room: Room, why: str = CLOSED) -> None:
        """End a room and forget everything about it except the reason."""
        self._open.pop(room.code, None)
        self._ended[room.code] = why
        if len(self._ended) > REMEMBERED:
            self._ended.popitem(last=False)
        room.close(why)

    def tidy(self) -> None:
        """End the rooms that have expired."""
        for room in [room for room in self._open.values() if room.has_expired]:
            self.close(room, GONE)
