"""A network with inserted layers: lines that run straight on where layers copy, and outputs that can be told apart only
where they differ."""

import numpy as np
import pytest

from app.pictures.diagrams.inserted import BEFORE, LARGE, SHOWN, SMALL, Rays, TwoOutputs

TRAINED = np.abs(np.random.default_rng(0).normal(size=(BEFORE, 20)))


def rays(inserted: np.ndarray, copies: bool = True) -> Rays:
    picture = Rays("A network")
    picture.show(np.concatenate([TRAINED, inserted]), copies)
    return picture


@pytest.mark.parametrize("count", [0, 1, 36])
def test_layers_that_copy_are_straight_lines_from_the_cut_to_the_head(count: int) -> None:
    lines = rays(np.repeat(TRAINED[-1:], count, axis=0)).lines
    for x, y in zip(lines["inserted"].data["x"], lines["inserted"].data["y"], strict=True):
        assert len(x) == len(y) == count + 1
        assert len(set(y)) == 1
        assert (np.diff(x) > 0).all()
    ends, starts = ([y[at] for y in lines[name].data["y"]] for name, at in (("trained", -1), ("inserted", 0)))
    assert ends == starts == sorted(TRAINED[-1], reverse=True)[:SHOWN]


def test_an_activation_that_is_not_finite_leaves_the_axis_alone() -> None:
    broken = np.full((2, 20), np.inf)
    broken[0] = 1.0
    assert np.isfinite(rays(broken).figure.y_range.end)


@pytest.mark.parametrize(
    ("inserted", "copies", "words"),
    [(36, True, "36 copying layers"), (1, False, "1 random layer"), (0, False, "nothing inserted")],
)
def test_the_inserted_layers_are_named(inserted: int, copies: bool, words: str) -> None:
    assert rays(np.ones((inserted, 20)), copies).words["inserted"].data["text"] == [words]


@pytest.mark.parametrize(
    ("change", "text", "size"), [(0.0, "0", LARGE), (28.3, "28", LARGE), (1.2e-7, "1.2 × 10⁻⁷", SMALL)]
)
def test_the_outputs_are_stacked_next_to_their_largest_change(change: float, text: str, size: str) -> None:
    outputs, before = TwoOutputs("Outputs"), np.array([1.0, -2.0, 0.5])
    outputs.show(before, before + change, change)
    assert outputs.bars["before"].data["x"].tolist() == outputs.bars["after"].data["x"].tolist()
    assert outputs.bars["after"].data["top"].tolist() == (before + change).tolist()
    assert (outputs.largest.data["text"], outputs.largest.data["size"]) == ([text], [size])
    assert outputs.figure.y_range.start < -2 < 1 < outputs.figure.y_range.end
