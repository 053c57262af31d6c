"""Square tables: the first row on top, triangles without what is above the diagonal, negative numbers hatched."""

import numpy as np

from app.pictures.maps.square_tables import LEAST, SquareTables


def test_cells_are_in_rows_from_the_top_with_negative_ones_separate() -> None:
    tables = SquareTables("Tables", "row by column", {"one": "residual", "two": "fourth"}, {"half": 0.5}, 200)
    numbers = np.array([[0.5, 9.0], [-0.25, 2.0]])
    titles, said = {"one": "a", "two": "b\nc"}, {"one": "d", "two": "e"}
    tables.show({"one": numbers, "two": numbers}, titles, said, triangles=True)
    assert len(tables._grid.data["x"]) == 6
    positive, negative = (source.data for source in tables._cells["one"])
    assert positive["strength"].tolist() == [0.5, 1]
    assert positive["y"].tolist() == [0.75, 0.25]
    assert negative["strength"].tolist() == [0.25]
    assert negative["x"][0] < positive["x"][1] < tables._cells["two"][0].data["x"][0]
    tables.show({"one": numbers * 0, "two": numbers}, titles, said, triangles=False)
    assert len(tables._grid.data["x"]) == 8
    assert tables._cells["one"][0].data["strength"].tolist() == [LEAST] * 4
    assert tables._titles.data["text"] == ["a", "b\nc"]
    assert tables._words.data["text"] == ["\nd", "\n\ne"]  # each below its name
