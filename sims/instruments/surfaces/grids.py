"""Nested square grids: every point of a coarse grid is also a point of the finer ones."""

from functools import cache

import numpy as np

SIZES = (6, 11, 21, 41, 81)
"""Points along a side, from coarse to fine; each is twice the previous one, minus one."""


@cache
def order(finest: int) -> np.ndarray:
    """Row and column (finest², 2) of every point of the finest grid, those of coarser grids first."""
    covered = np.zeros((finest, finest), bool)
    new_points = []
    for size in SIZES[: SIZES.index(finest) + 1]:
        apart = (finest - 1) // (size - 1)
        new = np.zeros_like(covered)
        new[::apart, ::apart] = True
        new_points.append(np.argwhere(new & ~covered))
        covered |= new
    return np.concatenate(new_points)


def coordinates(finest: int, span: float, first: int, last: int) -> np.ndarray:
    """a and b (n, 2), each from −span to span, of the points `first` to `last` in the `order`; rows go along b."""
    rows_columns = order(finest)[first:last]
    return (rows_columns[:, ::-1] / (finest - 1) * 2 - 1) * span


def complete(count: int) -> int:
    """The size of the finest grid that the first `count` points fill; 0 if they fill none."""
    return max((size for size in SIZES if size**2 <= count), default=0)


def grid(values: np.ndarray, finest: int, size: int) -> np.ndarray:
    """The grid (size, size) from at least size² values in the `order`."""
    filled = np.empty((size, size))
    apart = (finest - 1) // (size - 1)
    rows, columns = order(finest)[: size**2].T // apart
    filled[rows, columns] = values[: size**2]
    return filled


def picture(values: np.ndarray, finest: int) -> np.ndarray:
    """The grid in its present state: a point not yet computed has the value of its coarse neighbor.

    So it shows flat blocks, and never interpolates between two known points. Needs all points of the coarsest grid.
    """
    full_size = complete(len(values))
    filled = grid(values, finest, full_size)
    if len(values) == full_size**2:
        return filled
    size = SIZES[SIZES.index(full_size) + 1]
    filled = filled[np.ix_(np.arange(size) // 2, np.arange(size) // 2)]
    rows, columns = order(finest)[: len(values)].T // ((finest - 1) // (size - 1))
    filled[rows, columns] = values
    return filled
