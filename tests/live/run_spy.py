"""A stand-in for a run, which takes note of what it is told."""

from collections.abc import Mapping
from typing import Any

from app.runs.run import Status


class RunSpy:
    """Takes note of what a run is told."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.settings: Mapping[str, Any] = {}
        self.playing = False
        self.speed = 1.0
        self.generation = 1
        self.status = Status("ready")
        self.begun: bytes | None = None
        self.duration: float | None = None

    def packed(self) -> bytes | None:
        return b"state"

    def restart(self, settings: Mapping[str, Any]) -> None:
        self.told.append("restart")
        self.settings = settings
        self.generation += 1

    def pause(self) -> None:
        self.told.append("pause")
        self.playing = False

    def play(self) -> None:
        self.told.append("play")
        self.playing = True

    def step(self) -> None:
        self.told.append("step")

    def close(self) -> None:
        self.told.append("close")
