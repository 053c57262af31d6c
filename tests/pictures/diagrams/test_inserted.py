"""A network that was cut open: a box for every layer, a diagonal in those that copy, and outputs that can be told apart
only where they differ."""

import numpy as np
import pytest

from app.pictures.diagrams.inserted import LARGE, SMALL, CutStack, TwoOutputs


@pytest.mark.parametrize(("inserted", "copies", "diagonals"), [(36, True, 36), (36, False, 0), (0, True, 0)])
def test_every_inserted_layer_is_a_box_and_a_copying_one_has_a_diagonal(
    inserted: int, copies: bool, diagonals: int
) -> None:
    stack = CutStack("A network")
    stack.show(inserted, copies)
    assert [len(source.data["left"]) for source in stack.boxes.values()] == [3, inserted, 1]
    assert len(stack.diagonals.data["x0"]) == diagonals


@pytest.mark.parametrize(
    ("inserted", "copies", "words"),
    [(36, True, "36 copying layers"), (1, False, "1 random layer"), (0, False, "nothing inserted")],
)
def test_the_inserted_layers_are_named(inserted: int, copies: bool, words: str) -> None:
    stack = CutStack("A network")
    stack.show(inserted, copies)
    assert stack._words["inserted"].data["text"] == [words]


@pytest.mark.parametrize(
    ("change", "text", "size"), [(0.0, "0", LARGE), (28.3, "28", LARGE), (1.2e-7, "1.2 × 10⁻⁷", SMALL)]
)
def test_the_outputs_stand_on_top_of_each_other_beside_their_largest_change(
    change: float, text: str, size: str
) -> None:
    outputs, before = TwoOutputs("Outputs"), np.array([1.0, -2.0, 0.5])
    outputs.show(before, before + change, change)
    assert outputs.bars["before"].data["x"].tolist() == outputs.bars["after"].data["x"].tolist()
    assert outputs.bars["after"].data["top"].tolist() == (before + change).tolist()
    assert (outputs.largest.data["text"], outputs.largest.data["size"]) == ([text], [size])
    assert outputs.figure.y_range.start < -2 < 1 < outputs.figure.y_range.end
