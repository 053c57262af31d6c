"""The block to scale: every box is reached, sizes follow from features and parameters, and the signal visits all."""

from itertools import pairwise

import numpy as np
import pytest

from app.pictures.base.screens import NARROW, WIDE
from app.pictures.diagrams.flow_diagram import PAGES, Box, FlowDiagram, boxes, features, journeys, short, wires
from sims.builder.design import FAMILIES, STARTS
from sims.builder.parts import ADD, STREAM, Part
from sims.simulations.design_choices.recipes import Recipes


def placed(parts: list[Part], screen: str = WIDE) -> list[Box]:
    wide = [features("×".join(map(str, part.shape))) for part in parts]
    return boxes([part.lane for part in parts], wide, [part.parameters for part in parts], PAGES[screen])


def lines(parts: list[Part], places: list[Box]) -> dict[int, list[list[tuple[float, float]]]]:
    return wires(
        [part.lane for part in parts],
        [part.kind for part in parts],
        [part.reads for part in parts],
        places,
        PAGES[WIDE],
    )


def test_features_are_those_of_a_token_or_the_channels_of_an_image():
    assert (features("1024×768"), features("256×16×16")) == (768, 256)


@pytest.mark.parametrize("screen", PAGES)
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("family", FAMILIES)
def test_width_is_features_and_area_is_parameters(family: str, start: str, screen: str) -> None:
    parts = Recipes(family=family, start=start, halves=True).recipe.parts()
    places, page = placed(parts, screen), PAGES[screen]
    widths = [
        (box.right - box.left) / features("×".join(map(str, part.shape)))
        for box, part in zip(places, parts, strict=True)
    ]
    assert widths == pytest.approx([widths[0]] * len(widths))
    areas = [(box.right - box.left) * (box.top - box.bottom) for box in places]
    counts = np.array([part.parameters for part in parts])
    assert areas == pytest.approx(counts * sum(areas) / counts.sum())
    assert all(page.left - 1e-9 <= box.left < box.right <= page.right for box in places)
    assert all(upper.below == lower.above for upper, lower in pairwise(places))
    assert places[-1].below == pytest.approx(page.foot + 36 - page.height)


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("family", FAMILIES)
def test_every_box_next_to_the_stream_is_reached_and_read(family: str, start: str) -> None:
    parts = Recipes(family=family, start=start, halves=True).recipe.parts()
    places = placed(parts)
    drawn = lines(parts, places)
    every = [line for of_one in drawn.values() for line in of_one]
    for row, (part, box) in enumerate(zip(parts, places, strict=True)):
        if part.lane != STREAM:
            ends = [line[-1] for line in drawn[row]]
            assert ends, row
            assert all(x in (box.left, box.x, box.right) and y in (box.top, box.y) for x, y in ends), row
            assert any(line[0][0] in (box.x, box.right) and box.below <= line[0][1] <= box.y for line in every), row
    sums = [row for row, part in enumerate(parts) if part.kind == ADD]
    stream = places[0].x
    assert [row for row, of_one in drawn.items() if any(line[-1][0] == stream for line in of_one)] == sums


def test_queries_keys_and_values_read_one_norm_and_meet_again():
    parts = Recipes(family="llama").recipe.parts()
    places = placed(parts)
    drawn = [line for of_one in lines(parts, places).values() for line in of_one]
    left = min(box.left for box, part in zip(places, parts, strict=True) if part.lane != STREAM)
    assert sum(any(x < left for x, _y in line[1:-1]) for line in drawn) == 3  # keys, values, up
    assert sum(any(x == PAGES[WIDE].right for x, _y in line) for line in drawn) == 3  # queries, keys, gate


def test_the_parallel_block_brings_two_branches_to_one_sum():
    parts = Recipes(family="parallel").recipe.parts()
    drawn = lines(parts, placed(parts))
    (sum_,) = [row for row, part in enumerate(parts) if part.kind == ADD]
    assert len(drawn[sum_]) == 2


def test_a_dot_takes_a_whole_moment_for_all_parts_of_its_line():
    steps = journeys([(0, 0), (30, 0), (30, -10)], 4, 9)
    assert [(step.moment, step.curve[:4]) for step in steps] == [(4, (0, 0, 30, 0)), (4, (30, 0, 30, -10))]
    visible = [[share for share in (0, 0.5, 0.8, 1) if 0 <= s.begin + (s.end - s.begin) * share <= 1] for s in steps]
    assert visible == [[0, 0.5], [0.8, 1]]


def test_counts_are_short() -> None:
    assert [short(count) for count in (0, 7, 768, 589_824, 135_266_304, 2**40)] == [
        "",
        "7",
        "768",
        "590 k",
        "135 M",
        "1.1 T",
    ]


def test_the_signal_passes_every_box_and_every_row_is_named():
    diagram = FlowDiagram({WIDE: "A block", NARROW: "A block"})
    simulation = Recipes(family="llama", start="zero")
    diagram.show(simulation.compute())
    parts = simulation.recipe.parts()
    for screen, drawing in diagram.screens.items():
        passed = drawing._passing.source.data["first"]
        assert passed == [row for row, part in enumerate(parts) if part.kind not in (ADD, "tensor")]
        assert set(drawing._signal.source.data["moment"]) == set(range(1, len(parts)))
        assert drawing._now.data == {"moment": [len(parts)], "last": [len(parts)]}
        ends = [name for name in drawing.columns["name"].data["text"] if "start 0" in name]
        assert ends == [f"{name},{' ' if screen == WIDE else chr(10)}start 0" for name in ("output", "down")]


def test_the_stream_is_as_wide_as_what_it_carries():
    diagram = FlowDiagram({WIDE: "A block"})
    diagram.show(Recipes(family="basic", halves=True, width=64).compute())
    stream = diagram.screens[WIDE].stream.data
    wide = np.array(stream["right"]) - np.array(stream["left"])
    assert wide / wide[0] == pytest.approx([1, 2, 2, 2, 2])
    assert stream["bottom"][:-1] == stream["top"][1:]
