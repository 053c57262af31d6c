"""Passes an unfinished run from a session to the next one, and tells the page what became of it."""

from app.runs import suspended_runs
from app.runs.run import Run
from sims.contract.frame import Frame
from sims.contract.simulation import Simulation
from sims.kept import results

RUN_KEPT = "Your run was kept, up to step {}."
BEGINS_ANEW = "The server has nothing of the run that was shown: it has begun anew."


class RunHandover:
    """Hands over the run of one figure of one reader, the `owner`, between sessions; without an owner nothing is
    kept."""

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self._awaited = ""
        """The run that a returning page showed before; empty once the page has its first picture after that"""

    def stash(self, simulation: Simulation, run: Run | None) -> str:
        """Keep the run for the next session, and return the name it is kept under; empty if there is nothing to
        keep."""
        packed = run.packed() if run and self.owner else None
        if packed is None:
            return ""
        name = suspended_runs.key(self.owner, simulation)
        suspended_runs.stash(name, packed)
        return name

    def load(self, simulation: Simulation) -> bytes | None:
        """The run that an earlier session has stashed, if any."""
        return suspended_runs.load(suspended_runs.key(self.owner, simulation)) if self.owner else None

    def expect(self, simulation: Simulation | None) -> None:
        """Note that a page is back that had shown the run with these settings; None if it wants other settings."""
        self._awaited = results.name(simulation) if simulation else ""

    def notes(self, simulation: Simulation, frame: Frame) -> list[str]:
        """Notes for the first picture of that run after its page came back: whether it continued or restarted; else
        empty."""
        awaited, self._awaited = self._awaited, ""
        if not awaited or awaited != results.name(simulation):
            return []
        return [RUN_KEPT.format(frame.step) if frame.step else BEGINS_ANEW]
