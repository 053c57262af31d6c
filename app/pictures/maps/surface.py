"""Loss surfaces in three dimensions, side by side over the same plane. `static/surface/` draws them from this data."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, Spacer

from app.pictures.base.figures import empty

LEAST, MOST = 6, 81
"""Minimum and maximum number of grid points per side."""

TRACK, BALL = "track", "ball"
"""The two kinds of paths: a static track, and a ball that rolls to the last point."""


@dataclass(frozen=True)
class SurfaceData:
    """The data of the surfaces at one moment.

    - a, b: coordinates of the grid points along the two directions, increasing; shapes (columns,) and (rows,)
    - heights: name → loss at every grid point, (rows, columns), so that `heights[name][row, column]` belongs to
      `(a[column], b[row])`. A missing name is not drawn. Values that are not finite are unresolved: the four cells
      around such a point stay open, and the floor below is hatched. On a logarithmic axis, 0 or less is open as well
    - sentence: a description of the picture for readers who cannot see it
    - logarithmic: whether equal heights mean equal factors
    - tracks: name → points of a trajectory, (points, 3) as (a, b, loss), with the true loss at that point of the
      trajectory, on the surface or not. Each point has a line down to the floor. Points outside of the plane, or not
      finite, interrupt the track
    - balls: name → the path of a ball, as a track. The ball is at the last point. If the path extends the one shown
      before, the ball rolls on along the new part; on a new path it starts at the first point
    - limits: lowest and highest loss of the vertical axis, to keep it fixed; without them it fits all data. A point
      outside of the limits is open
    - apart: whether each surface has its own vertical axis, which fits its data
    - notes: name → a few words below the surface's name
    - words: what is being computed, or was
    """

    a: np.ndarray
    b: np.ndarray
    heights: Mapping[str, np.ndarray]
    sentence: str
    logarithmic: bool = False
    tracks: Mapping[str, np.ndarray] = field(default_factory=dict)
    balls: Mapping[str, np.ndarray] = field(default_factory=dict)
    limits: tuple[float, float] | None = None
    apart: bool = False
    notes: Mapping[str, str] = field(default_factory=dict)
    words: str = ""

    def __post_init__(self) -> None:
        shape = (len(self.b), len(self.a))
        for side, values in (("a", self.a), ("b", self.b)):
            if not LEAST <= len(values) <= MOST:
                raise ValueError(f"{len(values)} points along {side}; {LEAST} to {MOST} can be shown")
            if not (np.isfinite(values).all() and (np.diff(values) > 0).all()):
                raise ValueError(f"the places along {side} do not increase")
        if self.limits is not None and not (
            self.limits[0] < self.limits[1] and (self.limits[0] > 0 or not self.logarithmic)
        ):
            raise ValueError(f"the vertical axis cannot go from {self.limits[0]} to {self.limits[1]}")
        for name, heights in self.heights.items():
            if np.shape(heights) != shape:
                raise ValueError(f"heights of {name!r} have shape {np.shape(heights)} and not {shape}")
        for name, path in self.paths():
            if np.ndim(path) != 2 or np.shape(path)[1] != 3:
                raise ValueError(f"a path of {name!r} has shape {np.shape(path)} and not (points, 3)")

    def paths(self) -> Iterator[tuple[str, np.ndarray]]:
        """All tracks, then all paths of balls."""
        yield from self.tracks.items()
        yield from self.balls.items()

    def range(self, name: str) -> tuple[float, float]:
        """Ends of the vertical axis of a surface; the lower one is positive if it is logarithmic."""
        if self.limits is not None:
            return self.limits
        parts = [np.ravel(height) for key, height in self.heights.items() if self._shares(key, name)]
        parts += [np.reshape(path, (-1, 3))[:, 2] for key, path in self.paths() if self._shares(key, name)]
        values = np.concatenate(parts) if parts else np.empty(0)
        drawable = values[np.isfinite(values) & ((values > 0) | (not self.logarithmic))]
        low, high = (float(drawable.min()), float(drawable.max())) if len(drawable) else (0.1, 1.0)
        if high > low:
            return low, high
        return (low / 2, low * 2) if self.logarithmic else (low - 0.5, low + 0.5)

    def _shares(self, one: str, other: str) -> bool:
        return one == other or not self.apart


class Surface:
    """One or two surfaces with one camera, and one vertical scale or two. Put `model` into the layout, then `show`
    data.

        self._surface = Surface(
            "Loss around the trained networks",
            {"plain": ("plain", "plain"), "residual": ("residual", "residual")},
            axes=("first direction", "second direction"),
            picked=self._picked,
        )
        return [self._surface.model, ...]                            # in View.draw
        self._surface.show(SurfaceData(a, b, {"plain": ...}, "…"))    # in View.update

    The reader turns it by pointer, keys or buttons, and selects a grid point. `picked(row, column)` is called with it,
    so that cross-sections can follow: forward it with `View.change` if it is a parameter of the simulation. `mark`
    shows a point that was chosen elsewhere, without a call.
    """

    def __init__(
        self,
        title: str,
        names: Mapping[str, tuple[str, str]],
        *,
        axes: tuple[str, str] = ("a", "b"),
        height: str = "loss",
        picked: Callable[[int, int], None] | None = None,
    ) -> None:
        """`names`: name of a surface → its label and its palette color. `axes`, `height`: labels of the axes.

        Raises ValueError unless there are 1 or 2 names.
        """
        if not 1 <= len(names) <= 2:
            raise ValueError(f"{len(names)} surfaces side by side; 1 or 2 can be shown")
        self._names = list(names)
        self._picked = picked
        self._setting = False
        self._a = self._b = np.empty(0)
        self._points = empty("a", "b", *map(column_of, self._names))
        self._paths = empty("name", "kind", "a", "b", "height")
        self._scene = empty(*("rows", "columns", "low", "high", "logarithmic", "sentence", "shown", "notes", "words"))
        drawing = {
            "title": title,
            "names": [[name, *words] for name, words in names.items()],
            "axes": [*axes, height],
            "points": self._points,
            "paths": self._paths,
            "scene": self._scene,
        }
        self.model = Spacer(
            sizing_mode="stretch_width",
            tags=[{"surface": drawing}],
            html_attributes={"role": "group", "aria-label": title},
        )
        selected = self._points.selected
        selected.on_change("indices", self._on_selection)

    def show(self, data: SurfaceData) -> None:
        """Move the data; unchanged data is not sent again. A marked point stays at its place on a new grid."""
        before = self._place()
        a, b = np.array(data.a, float), np.array(data.b, float)
        renewed = not (np.array_equal(a, self._a) and np.array_equal(b, self._b))
        self._a, self._b = a, b
        missing = np.full((len(b), len(a)), np.nan)
        heights = {column_of(name): np.array(data.heights.get(name, missing), float).ravel() for name in self._names}
        _move(self._points, {"a": np.tile(a, len(b)), "b": np.repeat(b, len(a)), **heights})
        _move(self._paths, _paths(data))
        names = [name for name in self._names if name in data.heights]
        ranges = [data.range(name) for name in names]
        scene = {
            "rows": len(b),
            "columns": len(a),
            "low": [low for low, _high in ranges],
            "high": [high for _low, high in ranges],
            "logarithmic": data.logarithmic,
            "sentence": data.sentence,
            "shown": names,
            "notes": [data.notes.get(name, "") for name in names],
            "words": data.words,
        }
        _move(self._scene, {key: [value] for key, value in scene.items()})
        if before and renewed:
            self.mark(*before)

    def mark(self, a: float, b: float) -> None:
        """Mark the grid point closest to a place."""
        if len(self._a):
            row, column = np.argmin(np.abs(self._b - b)), np.argmin(np.abs(self._a - a))
            self._select([int(row) * len(self._a) + int(column)])

    def _place(self) -> tuple[float, float] | None:
        selected = self._points.selected
        at = self._admitted(selected.indices)
        if at is None:
            return None
        row, column = divmod(at, len(self._a))
        return float(self._a[column]), float(self._b[row])

    def _select(self, indices: Sequence[int]) -> None:
        self._setting = True
        try:
            selected = self._points.selected
            selected.indices = list(indices)
        finally:
            self._setting = False

    def _admitted(self, indices: Sequence[int]) -> int | None:
        return indices[0] if len(indices) == 1 and 0 <= indices[0] < len(self._a) * len(self._b) else None

    def _on_selection(self, _attribute: str, _old: object, indices: Sequence[int]) -> None:
        at = self._admitted(indices)
        if self._picked and at is not None and not self._setting:
            self._picked(*divmod(at, len(self._a)))


def column_of(name: str) -> str:
    """The column with the heights of a surface."""
    return f"height_{name}"


def _move(source: ColumnDataSource, columns: dict[str, Any]) -> None:
    def same(one: Any, other: Any) -> bool:
        numbers = isinstance(one, np.ndarray) and isinstance(other, np.ndarray)
        return np.array_equal(one, other, equal_nan=True) if numbers else list(one) == list(other)

    if not all(same(source.data[name], values) for name, values in columns.items()):
        source.data = columns


def _paths(data: SurfaceData) -> dict[str, Any]:
    """All paths as one table; points outside of the plane or the axis become gaps."""
    tables: dict[str, list[Any]] = {key: [] for key in ("name", "kind", "a", "b", "height")}
    for kind, paths in ((TRACK, data.tracks), (BALL, data.balls)):
        for name, path in paths.items():
            low, high = data.range(name)
            a, b, height = np.array(path, float).reshape(-1, 3).T
            inside = (data.a[0] <= a) & (a <= data.a[-1]) & (data.b[0] <= b) & (b <= data.b[-1])
            inside &= (low <= height) & (height <= high)
            tables["name"] += [name] * len(a)
            tables["kind"] += [kind] * len(a)
            for key, values in (("a", a), ("b", b), ("height", np.where(inside, height, np.nan))):
                tables[key] += values.tolist()
    numbers = {key: np.array(tables[key], float) for key in ("a", "b", "height")}
    return {"name": tables["name"], "kind": tables["kind"], **numbers}
