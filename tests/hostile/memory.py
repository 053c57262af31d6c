"""How much memory a process takes."""

from pathlib import Path


class Memory:
    """From now on. Linux counts the highest value, so that what was taken and given back shows too."""

    def __init__(self, process: int) -> None:
        self._folder = Path(f"/proc/{process}")
        (self._folder / "clear_refs").write_text("5")
        self._before = self._read("VmRSS")

    @property
    def most(self) -> float:
        """MB that it has taken more at any time than at the beginning."""
        return self._read("VmHWM") - self._before

    def _read(self, name: str) -> float:
        lines = (self._folder / "status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1024
