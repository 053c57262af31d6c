"""When a run is looked at: every so many steps, however it is cut into chunks."""

from collections.abc import Iterator


def to_looks(step: int, last: int, every: int) -> Iterator[tuple[int, bool]]:
    """From `step` to `last`: how many steps to take at once, and whether a look, one every `every` steps, is due behind
    them."""
    while step < last:
        count = min(every - step % every, last - step)
        step += count
        yield count, step % every == 0
