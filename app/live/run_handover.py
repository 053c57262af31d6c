"""What a session leaves of its run, what the next one finds of it, and how its page is told."""

from app.runs import suspended_runs
from app.runs.run import Run
from sims.contract.frame import Frame
from sims.contract.simulation import Simulation
from sims.kept import results

GOES_ON = "The connection was lost; the run has gone on from step {}."
BEGINS_ANEW = "The connection was lost, and nothing of the run was kept: it has begun anew."


class RunHandover:
    """The run of one figure of one reader, the `owner`, from session to session; nobody's is not kept."""

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self._awaited = ""
        """The run of which its page had a picture, and has none yet of what comes after"""

    def stash(self, simulation: Simulation, run: Run | None) -> str:
        """Have it at hand for the next session, and return its name; empty where there is nothing to keep."""
        packed = run.packed() if run and self.owner else None
        if packed is None:
            return ""
        name = suspended_runs.key(self.owner, simulation)
        suspended_runs.stash(name, packed)
        return name

    def load(self, simulation: Simulation) -> bytes | None:
        """What an earlier session has left, if anything."""
        return suspended_runs.load(suspended_runs.key(self.owner, simulation)) if self.owner else None

    def expect(self, simulation: Simulation | None) -> None:
        """A page is back that had a picture of the run with these settings, or wants another."""
        self._awaited = results.name(simulation) if simulation else ""

    def notes(self, simulation: Simulation, frame: Frame) -> list[str]:
        """What the page is told with the first picture of that run after it came back; nothing with any other."""
        awaited, self._awaited = self._awaited, ""
        if not awaited or awaited != results.name(simulation):
            return []
        return [GOES_ON.format(frame.step) if frame.step else BEGINS_ANEW]
