"""Tasks in the plane that a reader can choose: random points, with more or less noise, or the reader's own."""

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
"""Label → name of the dataset"""

SPREADS = {"spirals": "noise", "rings": "noise", "xor": "noise", "moons": "noise", "blobs": "spread"}
"""Task with random points → the argument of its dataset for their spread"""

USUAL = "usual"
NOISES = {"As the task has it": USUAL, "None": "0", "0.1": "0.1", "0.2": "0.2", "0.4": "0.4"}
"""Label → standard deviation of the points around their noiseless positions"""


def plane_task(task: str, noise: str, points: str) -> Source:
    """Return the source of a task; `points` are the reader's own, and `noise` changes only random points."""
    if task == "own":
        return source("own", points=points)
    if noise == USUAL or task not in SPREADS:
        return source(task)
    return source(task, **{SPREADS[task]: float(noise)})
