"""A row for each line, with its sample, its name and its cells; the heads stand above."""

from app.pictures.charts.key_table import KeyTable

LINES = {"one": ("first", "plain", "dashed"), "other": ("second", "residual", "solid")}


def test_every_row_has_its_name_and_cells_and_a_sample_of_its_line():
    table = KeyTable("A table", LINES)
    table.show({"size": 0.6, "time": 1.0}, [["1", "2"], ["3", "–"]])
    data = table._cells.data
    texts = {(x, y): text for x, y, text in zip(data["x"], data["y"], data["text"], strict=True)}
    assert [texts[0.6, y] for y in (0.5, -0.5, -1.5)] == ["size", "1", "3"]
    assert [texts[1.0, y] for y in (0.5, -0.5, -1.5)] == ["time", "2", "–"]
    assert set(texts.values()) >= {"first", "second"}
    samples = [renderer.glyph for renderer in table.figure.renderers if getattr(renderer.glyph, "line_width", 0) == 3]
    assert [sample.line_dash for sample in samples] == [[6], []]
