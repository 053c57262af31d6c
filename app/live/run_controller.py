"""The run of one session: opened when its reader wants it, closed when the settings change."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from app.runs import jobs
from sims.contract.simulation import Simulation, Training

SPEEDS = (0.1, 1.0)
"""Limits of the share of full speed that can be asked for."""


class RunController:
    """Controls the run of a session; there is none where nothing is trained, or nobody has asked for it yet."""

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
        """The generation of the run whose final frame was shown early"""

    @property
    def playing(self) -> bool:
        """Whether the run continues by itself."""
        return self.run is not None and self.run.playing

    @property
    def duration(self) -> float | None:
        """Estimate of the seconds that the whole run takes; None where there is none, or it has begun."""
        return self.run.duration if self.run else None

    def opened(self, simulation: Simulation, begun: bytes | None = None) -> jobs.Run | None:
        """The run of these settings; None where nothing is trained, or where it cannot be opened: `status` says why."""
        if self.run is None and isinstance(simulation, Training) and self._open_run:
            try:
                self.run = self._open_run(type(simulation), simulation.settings(), self._deliver, self._watched, begun)
                self.run.speed = self._speed
            except jobs.Busy as busy:
                self.status = jobs.Status("failed", message=str(busy))
        return self.run

    def _ready_run(self, simulation: Simulation) -> jobs.Run | None:
        """The run of these settings, begun again if it has failed; None as in `opened`."""
        run = self.opened(simulation)
        if run and run.status.state == "failed":
            run.restart(simulation.settings())
        return run

    def play(self, simulation: Simulation) -> None:
        """Let the run continue, or start it."""
        run = self._ready_run(simulation)
        if run:
            run.play()

    def restart(self, simulation: Simulation) -> None:
        """Restart the run with these settings."""
        if self.run:
            self.run.restart(simulation.settings())
        else:
            self.opened(simulation)

    def drive(self, action: str, message: Mapping[str, Any], simulation: Simulation) -> None:
        """Apply a page's request to the run; a request that makes no sense in its present state is ignored."""
        run = self.run
        if action == "play":
            self.play(simulation)
        elif action == "step":
            run = self._ready_run(simulation)
            if run:
                self._skipped = -1  # the reader continues from where the run is, not from the end that was shown
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
        """Pause and ignore frames in flight: the cached final frame is being shown."""
        if self.run:
            self.run.pause()
            self._skipped = self.run.generation

    @property
    def skipped(self) -> bool:
        """Whether the page skipped to the end of this run: frames that arrive now are too late."""
        return self.run is not None and not self.run.playing and self.run.generation == self._skipped

    def leave(self) -> None:
        """Close the run if the settings have changed and it is not playing."""
        self.close()
        self.run = None
        self._resume = False
        self.status = jobs.Status("ready")

    def close(self) -> None:
        """Close the run."""
        if self.run:
            self.run.close()
