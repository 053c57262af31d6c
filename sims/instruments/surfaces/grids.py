"""Square grids that refine each other: every value of a coarse one is kept in the finer ones."""

from functools import cache

import numpy as np

SIZES = (6, 11, 21, 41, 81)
"""Points along a side, from coarse to fine; each is twice the one before, less one."""


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
    """a and b (n, 2), each from −span to span, of the points `first` to `last` in their order; rows go along b."""
    rows_columns = order(finest)[first:last]
    return (rows_columns[:, ::-1] / (finest - 1) * 2 - 1) * span


def complete(count: int) -> int:
    """The size of the finest grid of which all points are among the first `count`; 0 where there is none."""
    return max((size for size in SIZES if size**2 <= count), default=0)


def grid(values: np.ndarray, finest: int, size: int) -> np.ndarray:
    """The grid (size, size) from values in their order, of which there are at least size²."""
    filled = np.empty((size, size))
    apart = (finest - 1) // (size - 1)
    rows, columns = order(finest)[: size**2].T // apart
    filled[rows, columns] = values[: size**2]
    return filled


def picture(values: np.ndarray, finest: int) -> np.ndarray:
    """The grid that is being filled, as it stands: a point still to come has the value of its coarse neighbor.

    A flat block, never a smooth passage between two known points. Needs all points of the coarsest grid.
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
