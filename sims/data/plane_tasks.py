"""Tasks in the plane as a reader chooses them: points that are drawn, with more noise or less, or the reader's own."""

from sims.data.datasets import Source, source

TASKS = {
    "Spirals": "spirals",
    "Disk and ring": "rings",
    "XOR": "xor",
    "Moons": "moons",
    "Four clouds": "blobs",
    "Digits in two components": "digits_plane",
    "Your own points": "own",
}
"""Words → name"""

SPREADS = {"spirals": "noise", "rings": "noise", "xor": "noise", "moons": "noise", "blobs": "spread"}
"""Task whose points are drawn → what its dataset calls their spread around their places"""

USUAL = "usual"
NOISES = {"As the task has it": USUAL, "None": "0", "0.1": "0.1", "0.2": "0.2", "0.4": "0.4"}
"""Words → standard deviation around those places"""


def plane_task(task: str, noise: str, points: str) -> Source:
    """The source of a task; `points` are the reader's own, and `noise` changes only points that are drawn."""
    if task == "own":
        return source("own", points=points)
    if noise == USUAL or task not in SPREADS:
        return source(task)
    return source(task, **{SPREADS[task]: float(noise)})
