"""The run that one session has: opened when its reader wants it, given back when the settings are others."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from app.runs import jobs
from sims.contract.simulation import Simulation, Training

SPEEDS = (0.1, 1.0)
"""Shares of the full speed that can be asked for."""


class RunController:
    """The run of a session and how it stands; none where nothing is trained, or nobody has asked for it yet."""

    def __init__(
        self,
        open_run: jobs.Open | None,
        deliver: Callable[[jobs.Update], Awaitable[None]],
        watched: Callable[[], bool],
    ) -> None:
        self.run: jobs.Run | None = None
        self.status = jobs.Status("ready")
        self._open_run, self._deliver, self._watched = open_run, deliver, watched
        self._speed = 1.0
        self._resume = False
        self._skipped = -1
        """The generation of the run whose end was shown before it was reached"""

    @property
    def playing(self) -> bool:
        """Whether it goes on by itself."""
        return self.run is not None and self.run.playing

    def opened(self, simulation: Simulation, begun: bytes | None = None) -> jobs.Run | None:
        """The run of these settings; None where nothing is trained, or where `status` says why it cannot be."""
        if self.run is None and isinstance(simulation, Training) and self._open_run:
            try:
                self.run = self._open_run(type(simulation), simulation.settings(), self._deliver, self._watched, begun)
                self.run.speed = self._speed
            except jobs.Busy as busy:
                self.status = jobs.Status("failed", message=str(busy))
        return self.run

    def play(self, simulation: Simulation) -> None:
        """Let it go on, or begin."""
        run = self.opened(simulation)
        if run:
            run.play()

    def restart(self, simulation: Simulation) -> None:
        """Begin it anew with these settings."""
        if self.run:
            self.run.restart(simulation.settings())
        else:
            self.opened(simulation)

    def drive(self, action: str, message: Mapping[str, Any], simulation: Simulation) -> None:
        """Do what a page asks of a run; what has no sense as it stands is not done."""
        run = self.run
        if action == "play":
            self.play(simulation)
        elif action == "step":
            run = self.opened(simulation)
            if run:
                self._skipped = -1  # the reader goes on from where the run is, not from the end that was shown
                run.step()
        elif action == "pause" and run:
            run.pause()
        elif action == "speed":
            self._set_speed(message.get("share"))
        elif action == "unseen" and run and run.playing:
            self._resume = True
            run.pause()
        elif action == "seen" and run and self._resume:
            self._resume = False
            run.play()

    def _set_speed(self, share: Any) -> None:
        if isinstance(share, int | float) and SPEEDS[0] <= share <= SPEEDS[1]:
            self._speed = float(share)
            if self.run:
                self.run.speed = self._speed

    def skip(self) -> None:
        """Its end is shown before it is reached: it stays where it is, and what is still under way is late."""
        if self.run:
            self.run.pause()
            self._skipped = self.run.generation

    @property
    def skipped(self) -> bool:
        """Whether it stands where its end was skipped to: a frame that comes now comes too late."""
        return self.run is not None and not self.run.playing and self.run.generation == self._skipped

    def leave(self) -> None:
        """Settings have changed and nothing plays: what was run so far is over."""
        self.close()
        self.run = None
        self._resume = False
        self.status = jobs.Status("ready")

    def close(self) -> None:
        """Give it back."""
        if self.run:
            self.run.close()
