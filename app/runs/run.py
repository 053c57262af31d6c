"""One training that a reader controls: what to do next, and which updates its page gets."""

import asyncio
import logging
import math
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from app.runs.pace import Load, Pace
from app.runs.work import ChunkRequest
from sims.chunks.chunk import Chunk
from sims.contract.frame import Frame
from sims.contract.simulation import Training

log = logging.getLogger(__name__)

TRIALS = 3
"""Chunks that are tried and dropped to estimate how long a run takes: the first may load compiled code, and the next
ones get longer"""

BEFORE_TRIALS = 0.5
"""Seconds that the first frame has to stay before chunks are tried: a reader who drags a slider starts many runs"""

Phase = Literal["ready", "running", "waiting", "paused", "finished", "diverged", "failed", "retried"]


@dataclass(frozen=True)
class Status:
    """The state of a run.

    - ready: at step 0 and not playing; running; finished: the last step is reached
    - paused: it stays at the step of its last frame; no other frame is on its way
    - diverged: it has ended, and its last frame says what overflowed
    - waiting: all workers are busy and `place` runs are before it (reported only after a while)
    - retried: a worker died and the chunk is recomputed from the same state, with the same result
    - failed: `message` says why; only a restart helps
    """

    state: Phase
    place: int = 0
    message: str = ""


@dataclass(frozen=True)
class Update:
    """An update of a run: its status, and the frame if there is a new one."""

    frame: Frame | None
    status: Status


Open = Callable[[type[Training], Mapping[str, Any], Callable[[Update], Any], Callable[[], bool], bytes | None], "Run"]
"""A function that opens a run, given: simulation class, settings, callback for updates, callback that says whether
somebody watches, and the packed state of an earlier run with these settings, if any. Raises Busy."""


class Scheduler(Protocol):
    """What a run needs from the scheduler that opened it."""

    def load(self, more: int = 0) -> Load:
        """The load of the workers, with so many more runs that train."""

    def schedule(self, run: "Run") -> None:
        """Give the run its next chunk as soon as it may have one."""

    def dequeue(self, run: "Run") -> None:
        """Remove the run from the queue; a chunk in flight may end."""

    def cancel(self, run: "Run") -> None:
        """Remove the run from the queue and cancel its chunk in flight."""

    def pack(self, state: Mapping[str, Any]) -> bytes:
        """Serialize a state so that it can be loaded again."""

    def remove(self, run: "Run") -> None:
        """Forget a closed run."""


class Run:
    """A training on the workers, one chunk at a time. Created by `Jobs.open`; every method returns at once.

    The state stays here, in a form that only workers read, so that any worker can take the next chunk, and a worker
    that dies loses only its chunk. Updates go to `deliver`, one at a time and in order; the next chunk starts after
    `deliver` has returned from the last frame.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        reader: Hashable,
        simulation: type[Training],
        settings: Mapping[str, Any],
        deliver: Callable[[Update], Awaitable[None]],
        watched: Callable[[], bool],
        begun: Mapping[str, Any] | None = None,
    ) -> None:
        self.reader = reader
        self.generation = 0
        self.closed = False
        self.playing = False
        self._scheduler = scheduler
        self._simulation = simulation
        self._settings = dict(settings)
        self._deliver = deliver
        self._is_watched = watched
        self._speed = 1.0
        self._pace = Pace()
        self._outbox: deque[Update] = deque()
        self._delivery: asyncio.Task[None] | None = None
        self._showing = False
        self._rewind(begun)

    def _rewind(self, begun: Mapping[str, Any] | None = None) -> None:
        self.generation += 1
        self.not_before = 0.0
        """Time of the event loop before which no further chunk starts."""
        self._state: Mapping[str, Any] | None = None
        self._begun = begun
        """The packed state of another run with these settings, from which this one starts."""
        self._costs: Mapping[str, float] = {}
        self._step = self._steps = 0
        self._owed = self._lent = 0
        self._stepping = self._trying = False
        self._trials = 0 if self._pace.is_known or self._simulation.verb != Training.verb else TRIALS
        self._ended: Phase | None = None
        self._message = ""
        self._outbox.clear()

    @property
    def simulation(self) -> type[Training]:
        """The class of the simulation that is trained."""
        return self._simulation

    # -- what the reader does ------------------------------------------------------------------------------------

    def play(self) -> None:
        """Continue to the last step. Does nothing if the run has ended, failed or is closed."""
        if not (self.closed or self._ended or self.playing):
            self.playing = True
            self.not_before = 0.0
            self._owed = self._lent = 0
            if not self.starting:  # until then its reader is told what it waits for
                self.report(self.status)
            self._scheduler.schedule(self)

    def pause(self) -> None:
        """Take no further steps, and try none; a chunk in flight is still shown, and the run counts as paused after
        it."""
        if self.closed:
            return
        self._trials = 0
        waited = self.wants_steps
        self.playing = False
        self._owed = self._lent = 0
        self._scheduler.dequeue(self)
        self._scheduler.schedule(self)  # a run without a frame still wants its first one
        if waited and not self.starting:
            self.report(self.status)

    def step(self, n: int = 1) -> None:
        """Take exactly `n` more steps and stop there; steps requested meanwhile add up. Ends playing.

        Raises ValueError if `n` is less than 1.
        """
        if n < 1:
            raise ValueError(f"{n} is not a number of steps to take")
        if not (self.closed or self._ended):
            self.playing = False
            self.not_before = 0.0
            self._owed += n
            self._scheduler.schedule(self)

    def restart(self, settings: Mapping[str, Any] | None = None) -> None:
        """Start over, with new settings or the same; a chunk in flight is dropped. Continues playing if it was."""
        if self.closed:
            return
        if settings is not None and dict(settings) != self._settings:
            self._settings = dict(settings)
            self._pace = Pace()
        self._rewind()
        self._scheduler.cancel(self)
        self._scheduler.schedule(self)

    @property
    def speed(self) -> float:
        """The share of full speed (steps per second): over 0, up to 1."""
        return self._speed

    @speed.setter
    def speed(self, share: float) -> None:
        if not 0 < share <= 1:
            raise ValueError(f"{share} is not over 0 and up to 1")
        self._speed = share
        if not self.closed:
            self.not_before = 0.0
            self._scheduler.dequeue(self)
            self._scheduler.schedule(self)

    def packed(self) -> bytes | None:
        """The state so far, from which another run can continue; None if there is nothing to continue."""
        if self._state is None or self._ended or not self._step:
            return None
        return self._scheduler.pack(self._state)

    def close(self) -> None:
        """End the run and forget the reader's callbacks. Nothing is delivered after this."""
        if self.closed:
            return
        self.closed = True
        self.playing = False
        self._rewind()
        self._scheduler.remove(self)
        if self._delivery and self._delivery is not asyncio.current_task(self._delivery.get_loop()):
            self._delivery.cancel()

    # -- what the scheduler calls --------------------------------------------------------------------------------

    @property
    def status(self) -> Status:
        """The state of the run, except for what only the scheduler knows."""
        if self._ended:
            return Status(self._ended, message=self._message)
        if self.wants_steps or self._stepping:
            return Status("running")
        return Status("paused" if self._step else "ready")

    @property
    def starting(self) -> bool:
        """Whether there is no state yet to continue from."""
        return self._state is None and not self._ended

    @property
    def wants_steps(self) -> bool:
        """Whether steps are to be taken, now or after the first frame."""
        return not (self.closed or self._ended) and (self.playing or self._owed > 0)

    @property
    def wants_trial(self) -> bool:
        """Whether a chunk is to be tried, to estimate how long the run takes."""
        waits = not (self.closed or self._ended or self.starting or self.wants_steps)
        return waits and self._step == 0 and self._trials > 0

    @property
    def duration(self) -> float | None:
        """Estimate of the seconds from the first step to the last one at full speed. None before chunks have been
        tried, once steps are taken, and for a simulation that measures: one step says little about others there."""
        if self._state is None or self._step or self._trials or self._simulation.verb != Training.verb:
            return None
        return self._pace.duration(self._scheduler.load(more=1), self._steps)

    @property
    def wants_work(self) -> bool:
        """Whether there is a chunk to compute and the last frame has been delivered."""
        is_shown = not self._showing and all(update.frame is None for update in self._outbox)
        return not self.closed and is_shown and (self.starting or self.wants_steps or self.wants_trial)

    def is_watched(self) -> bool:
        """Whether a reader is there; if the page's callback raises, nobody is."""
        try:
            return self._is_watched()
        except Exception:
            log.exception("A page could not say whether it is watched")
            return False

    def work(self, load: Load, now: float) -> ChunkRequest:
        """The request for the next chunk, which starts now."""
        if self._state is None:
            return ChunkRequest(self._simulation, self._settings, self._begun, 0)
        if self.wants_trial:
            self._trying = True
            tried = max(1, math.floor(self._pace.steps(load, self._steps)))
            return ChunkRequest(self._simulation, self._settings, self._state, tried, costs=self._costs)
        self._stepping = True
        steps = self._pace.steps(load, self._steps) * self._speed
        self.not_before = now + load.period / min(1.0, steps)
        whole = max(1, math.floor(steps))
        if not self.playing:
            whole = self._lent = min(whole, self._owed)
        return ChunkRequest(self._simulation, self._settings, self._state, whole, costs=self._costs)

    def take_chunk(self, chunk: Chunk) -> None:
        """Take over the state of a chunk and send its frame; a chunk that made no progress ends the run."""
        frame = chunk.frame
        assert frame is not None
        steps = frame.step - self._step
        if self._trying:
            self._pace.learn(steps, chunk)
            self._costs = chunk.costs
            self._trying = False
            self._trials = max(0, self._trials - 1)  # 0 if the run was paused meanwhile
            if not self._trials:
                self.report(self.status)
            return
        if self._state is None and not self.wants_steps:
            self.not_before = asyncio.get_running_loop().time() + BEFORE_TRIALS
        stuck = self._state is not None and steps <= 0
        self._stepping = False
        if self._state is not None:
            self._pace.learn(steps, chunk)
            self._owed -= self._lent
            self._lent = 0
        self._state, self._costs = chunk.state, chunk.costs
        self._step, self._steps = frame.step, frame.steps
        if frame.finished or stuck:
            self._end("diverged" if frame.diverged else "finished")
        self.report(self.status, frame)

    def lose(self) -> None:
        """Forget the chunk in flight, which was given up: the run stays where it was before it."""
        if self._trying:
            self._trying = False
            return
        self._stepping = False
        self.report(self.status)

    def fail(self, message: str) -> None:
        """End the run with a message for its reader; a run that could not continue an earlier one starts over
        instead. A trial that fails ends nothing."""
        if self._trying:
            self._trying = False
            self._trials = 0
            self.report(self.status)
            return
        if self.starting and self._begun is not None:
            log.warning("A run of %s could not be continued and starts over: %s", self._simulation.__name__, message)
            self._begun = None
            return
        self._end("failed", message)
        self.report(self.status)

    def _end(self, state: Phase, message: str = "") -> None:
        self._ended, self._message = state, message
        self.playing = False
        self._owed = self._lent = 0

    # -- updates -------------------------------------------------------------------------------------------------

    def report(self, status: Status, frame: Frame | None = None) -> None:
        """Queue an update for the page after those still in flight; a newer status replaces one that is still
        queued."""
        if self.closed:
            return
        if self._outbox and self._outbox[-1].frame is None:
            self._outbox.pop()
        self._outbox.append(Update(frame, status))
        if self._delivery is None:
            self._delivery = asyncio.get_running_loop().create_task(self._hand_over())

    async def _hand_over(self) -> None:
        while self._outbox:
            update = self._outbox.popleft()
            self._showing = update.frame is not None
            try:
                await self._deliver(update)
            except asyncio.CancelledError:
                self.close()
                raise
            except Exception:
                log.exception("A page could not take an update; its run is closed")
                self.close()
                return
            if self._showing:
                self._showing = False
                self._scheduler.schedule(self)
        self._delivery = None
