"""Matrices as pictures: a color for the sign of every entry, and its strength for the size."""

import numpy as np
from bokeh.models import Image, LinearColorMapper

from app.pictures.figures import empty, plot, quiet_legend
from sims.contract.wording import number

POSITIVE, NEGATIVE = "#2b9168", "#8b4bb0"
"""Of middle brightness, so that thinned out they work on a light and on a dark page."""

LEVELS = 64
"""Shades of each sign."""


def palette() -> list[str]:
    """From the most negative to the most positive; zero is transparent."""
    shades = [f"{round(255 * level / LEVELS):02x}" for level in range(LEVELS + 1)]
    return [NEGATIVE + shade for shade in reversed(shades[1:])] + [POSITIVE + shade for shade in shades]


def mapper(strongest: float) -> LinearColorMapper:
    """Values from −strongest to strongest; what lies beyond is drawn as strong as the end, what is no number not."""
    return LinearColorMapper(palette=palette(), low=-strongest, high=strongest, nan_color="#00000000")


class MatrixPicture:
    """The figure, drawn once; `show` moves its data. The first row is on top, as on paper."""

    def __init__(self, title: str, strongest: float) -> None:
        self.figure = plot(
            title,
            "from input number",
            "to output number",
            height=330,
            x_range=(0.5, 1.5),
            y_range=(1.5, 0.5),
            max_width=430,
        )
        self.figure.update(aspect_ratio=1.0)
        self.figure.grid.visible = False
        self._image = empty("image", "x", "y", "dw", "dh")
        colors = mapper(strongest)
        picture = Image(image="image", x="x", y="y", dw="dw", dh="dh", color_mapper=colors)
        self.figure.add_glyph(self._image, picture)
        for color, words in (
            (NEGATIVE, f"−{number(strongest, 6)} or less"),
            (POSITIVE, f"{number(strongest, 6)} or more"),
        ):
            self.figure.scatter([-9], [-9], marker="square", size=12, color=color, legend_label=words)
        quiet_legend(self.figure)

    def show(self, matrix: np.ndarray) -> None:
        """A matrix (rows, columns)."""
        rows, columns = matrix.shape
        self.figure.x_range.update(start=0.5, end=columns + 0.5)
        self.figure.y_range.update(start=rows + 0.5, end=0.5)
        self._image.data = {"image": [matrix], "x": [0.5], "y": [0.5], "dw": [columns], "dh": [rows]}
