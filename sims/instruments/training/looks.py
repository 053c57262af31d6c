"""Schedules looks at a run: one every fixed number of steps, however the run is split into chunks."""

from collections.abc import Iterator


def to_looks(step: int, last: int, every: int) -> Iterator[tuple[int, bool]]:
    """Yield, from `step` to `last`, how many steps to take at once, and whether a look (one every `every` steps) is due
    after them."""
    while step < last:
        count = min(every - step % every, last - step)
        step += count
        yield count, step % every == 0
