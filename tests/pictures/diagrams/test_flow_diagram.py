"""The lines of the drawing: every box is reached, and what a reader could misread is kept apart."""

import pytest

from app.pictures.diagrams.flow_diagram import (
    BOX_LEFT,
    BUS_LEFT,
    BUS_RIGHT,
    FEWEST,
    STREAM_AT,
    FlowDiagram,
    short,
    wires,
)
from sims.builder.design import FAMILIES, STARTS
from sims.builder.parts import ADD, STREAM
from sims.simulations.design_choices.recipes import Recipes


def drawn(simulation: Recipes) -> tuple[list[str], list[str], list[tuple[int, ...]]]:
    parts = simulation.recipe.parts()
    return [part.lane for part in parts], [part.kind for part in parts], [part.reads for part in parts]


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("family", FAMILIES)
def test_every_box_next_to_the_stream_is_reached_and_read(family: str, start: str) -> None:
    lanes, kinds, reads = drawn(Recipes(family=family, start=start, halves=True))
    lines = wires(lanes, kinds, reads)
    for row, lane in enumerate(lanes):
        if lane != STREAM:
            assert any(abs(line[-1][1] + row) < 0.5 and line[-1][0] >= BOX_LEFT for line in lines), row
            assert any(abs(line[0][1] + row) <= 0.5 for line in lines), row
    sums = [row for row, kind in enumerate(kinds) if kind == ADD]
    assert sorted({-line[-1][1] for line in lines if line[-1][0] == STREAM_AT}) == sums


def test_queries_keys_and_values_read_one_norm_and_meet_again() -> None:
    lines = wires(*drawn(Recipes(family="llama")))
    assert sum(any(x == BUS_LEFT for x, _ in line) for line in lines) == 3  # keys, values, up
    assert sum(any(x == BUS_RIGHT for x, _ in line) for line in lines) == 3  # queries, keys, gate


def test_the_parallel_block_brings_two_branches_to_one_sum() -> None:
    lanes, kinds, reads = drawn(Recipes(family="parallel"))
    arriving = [line for line in wires(lanes, kinds, reads) if line[-1][0] == STREAM_AT]
    assert len(arriving) == 2
    assert kinds.count(ADD) == 1


def test_counts_are_short() -> None:
    assert [short(count) for count in (0, 7, 768, 589_824, 135_266_304, 2**40)] == [
        "",
        "7",
        "768",
        "590 k",
        "135 M",
        "1.1 T",
    ]


def test_a_short_block_is_above_empty_space_and_changes_no_height() -> None:
    diagram = FlowDiagram("A block")
    diagram.show(Recipes(family="llama").compute())
    high, low = diagram.figure.height, diagram.figure.y_range.start
    diagram.show(Recipes(family="perceptron").compute())
    assert diagram.figure.height == high
    assert low < diagram.figure.y_range.start == -FEWEST - 0.2
