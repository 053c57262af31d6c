"""Rooms of class mode: who is in them, what they have answered, and how far their teacher has shown it.

A room lives in the memory of one server, and nothing of it anywhere else. Nobody in it has a name: a member is a random
token, and answers leave the room without it.
"""

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

SIGNS = "CDFGHJKMNPQRTWX34679"
"""Letters and digits that are not taken for each other, and make no words"""

LENGTH = 6
MEMBERS = 120
"""Who may be in one room: three classes, or a lecture's front rows"""
QUESTIONS = 24
"""Questions whose answers a room keeps; of more, those asked first are forgotten"""
LASTING = 4 * 3600.0
"""Seconds after which a room ends"""
UNHEARD = 30 * 60.0
"""Seconds after which a room ends whose teacher's page was not heard of"""
HERE = 60.0
"""Seconds for which a member counts as there: its page asks for news every 20"""
AWAY = 600.0
"""Seconds after which an absent member of a full room gives its place to another"""
GATHERED = 0.4
"""Seconds for which changes are gathered before a room is told: 30 answers within a moment are one piece of news"""

REMEMBERED = 200
"""Rooms of which it is known why they have ended"""

ASKED, SHOWN, SOLVED = range(3)
"""How far a question is: answers come in, the room sees them, the result is out"""

GONE = "This room has ended, or there never was one with this code."
CLOSED = "The teacher has closed the room."
LATE = "The result is out already."


class RoomError(Exception):
    """A request that a room does not follow: the status of the answer, and a word for the page."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message


@dataclass
class Question:
    """What a room has answered to one question: token of a member → its answer, as JSON would hold it."""

    answers: dict[str, Any] = field(default_factory=dict)
    stage: int = ASKED

    def seen_by(self, token: str) -> dict[str, Any]:
        """What a member is told: its own answer, the number of all, and all of them once they are shown."""
        answers = sorted(self.answers.values(), key=repr) if self.stage else None
        return {
            "count": len(self.answers),
            "stage": self.stage,
            "answers": answers,
            "mine": self.answers.get(token),
        }


class Room:
    """One room. `key` is what its teacher knows and nobody else."""

    def __init__(self, code: str, clock: Callable[[], float]) -> None:
        self.code, self.key = code, secrets.token_urlsafe(18)
        self.ended = ""
        """Why it has ended; empty while it is open"""
        self.place = ""
        """Where its teacher has called it: an address within the site"""
        self._clock = clock
        self._opened = self._heard = clock()
        self._members: OrderedDict[str, float] = OrderedDict()
        self._questions: OrderedDict[tuple[str, str], Question] = OrderedDict()
        self._calls = 0
        self.version = 1
        self._waiting: set[asyncio.Future[None]] = set()
        self._gathering = False

    @property
    def has_expired(self) -> bool:
        """Whether its time has come."""
        now = self._clock()
        return now - self._opened > LASTING or now - self._heard > UNHEARD

    @property
    def member_count(self) -> int:
        """Members whose pages were heard of lately."""
        now = self._clock()
        return sum(now - heard <= HERE for heard in self._members.values())

    def join(self) -> str:
        """The token of one more member. Raises Denied where the room is full."""
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
        """Note that a page with this token is there; whether it is the teacher's. Raises Denied for a stranger's."""
        if secrets.compare_digest(token.encode(), self.key.encode()):
            self._heard = self._clock()
            return True
        if token not in self._members:
            raise RoomError(404, GONE)
        self._members[token] = self._clock()
        self._members.move_to_end(token)
        return False

    def leave(self, token: str) -> None:
        """A member goes; what it has answered stays, since the room may have seen it."""
        self._members.pop(token, None)
        self._changed()

    def answer(self, token: str, page: str, exercise: str, answer: Any) -> None:
        """Take the answer of a member; a second one changes nothing. Raises Denied once the result is out."""
        question = self._question(page, exercise)
        if question.stage == SOLVED:
            raise RoomError(409, LATE)
        if token not in question.answers:
            question.answers[token] = answer
            self._changed()

    def show(self, page: str, exercise: str, stage: int) -> None:
        """Go on with a question; there is no way back."""
        question = self._question(page, exercise)
        if stage > question.stage:
            question.stage = stage
            self._changed()

    def call(self, place: str) -> None:
        """Invite everybody to an address of the site."""
        self.place = place
        self._calls += 1
        self._changed()

    def close(self, why: str) -> None:
        """End the room, and tell everybody who waits."""
        self.ended = why
        self._wake()

    def seen_by(self, token: str, page: str) -> dict[str, Any]:
        """The news of a page for a member."""
        return {
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

    def next_change(self, since: int) -> asyncio.Future[None]:
        """Is done when there is something newer than this version."""
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
    """All rooms of a server, at most `limit` of them."""

    def __init__(self, limit: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit, self._clock = limit, clock
        self._open: dict[str, Room] = {}
        self._ended: OrderedDict[str, str] = OrderedDict()
        """Why the last rooms have ended, for pages that were between two requests just then"""

    def __len__(self) -> int:
        return len(self._open)

    def new_code(self) -> str:
        """A code for a room that is still to be opened. Raises Denied where this server has no rooms, or none left."""
        self.tidy()
        if not self._limit:
            raise RoomError(403, "This server has no rooms.")
        if len(self._open) >= self._limit:
            raise RoomError(503, "All rooms of this server are taken just now; try again in a while.")
        return "".join(secrets.choice(SIGNS) for _ in range(LENGTH))

    def open(self, code: str) -> Room:
        """The new room of this code. Raises Denied where there is no room left, or it is taken."""
        self.new_code()
        if code in self._open:
            raise RoomError(409, "This room is taken.")
        self._ended.pop(code, None)
        room = self._open[code] = Room(code, self._clock)
        return room

    def find(self, code: str) -> Room:
        """The room of this code. Raises Denied where there is none, with the reason where there was one lately."""
        self.tidy()
        try:
            return self._open[code]
        except KeyError:
            raise RoomError(404, self._ended.get(code, GONE)) from None

    def close(self, room: Room, why: str = CLOSED) -> None:
        """End a room; nothing of it is left but why."""
        self._open.pop(room.code, None)
        self._ended[room.code] = why
        if len(self._ended) > REMEMBERED:
            self._ended.popitem(last=False)
        room.close(why)

    def tidy(self) -> None:
        """End the rooms whose time has come."""
        for room in [room for room in self._open.values() if room.has_expired]:
            self.close(room, GONE)
