"""The drawing of a block: every line has its place, and what lines read and write is what they really do."""

from types import SimpleNamespace as Tensors

import numpy as np
import pytest

from app.pictures.diagrams.plan_layout import (
    FORKS,
    LAST,
    LAYOUTS,
    LINES,
    PAGES,
    PLUSES,
    READS,
    WEIGHTS,
    moment_back,
    words,
)
from sims.instruments.hand_derived.block_plan import PLANS
from sims.instruments.hand_derived.examined_block import SHAPES, Stack, passed

every = pytest.mark.parametrize("arrangement", LAYOUTS)
screens = pytest.mark.parametrize("screen", PAGES)


class Noting(Tensors):
    """Tensors that remember which of them have been read, and which written."""

    def __getattribute__(self, name):
        if not name.startswith("_"):
            object.__getattribute__(self, "_read").add(name)
        return object.__getattribute__(self, name)


@every
def test_a_line_reads_and_writes_what_the_drawing_says(arrangement):
    stack = Stack(arrangement)
    t, w = vars(passed(stack).tensors), stack.drawn()[1][0]
    for number, line in enumerate(PLANS[arrangement], 1):
        reads, writes = (set(names.split()) for names in READS[arrangement][number])
        mine, weights = Noting(_read=set(), **{name: t[name] for name in reads}), Noting(_read=set(), **vars(w))
        line.forward(mine, weights)
        assert vars(mine).keys() - {"_read"} == reads | writes, number
        assert vars(weights)["_read"] == set(WEIGHTS[arrangement].get(number, "").split()), number


@every
@screens
def test_every_line_has_a_place_and_every_weight_a_line(arrangement, screen):
    layout = LAYOUTS[arrangement][screen]
    assert sorted([*layout.boxes, *layout.pluses]) == list(range(1, LINES + 1))
    assert (*layout.pluses,) == PLUSES[arrangement]
    assert (*layout.forks,) == FORKS
    assert sorted(" ".join(WEIGHTS[arrangement].values()).split()) == sorted(SHAPES)


@every
@screens
def test_every_tensor_has_a_wire_and_its_gradient_travels_it_later(arrangement, screen):
    wires = LAYOUTS[arrangement][screen].wires
    names = {name for both in READS[arrangement].values() for names in both for name in names.split()}
    assert {wire.tensor for wire in wires} == names - {"p"}
    assert all(1 <= wire.forward <= LINES < wire.back <= LAST for wire in wires)


@every
@screens
def test_a_tensor_is_on_its_wire_when_its_line_writes_it(arrangement, screen):
    for wire in LAYOUTS[arrangement][screen].wires:
        writes = READS[arrangement][wire.forward][1].split()
        assert wire.tensor in writes or wire.tensor == "x" or wire.route


@every
@screens
def test_no_two_parts_of_a_drawing_overlap(arrangement, screen):
    page, layout = PAGES[screen], LAYOUTS[arrangement][screen]
    parts = [(*wire.tile, *page.tile) for wire in layout.wires]
    parts += [(*place, *page.box) for place in layout.boxes.values()]
    parts += [(*place, *page.plus) for place in layout.pluses.values()]
    for at, (x, y, width, height) in enumerate(parts):
        for other_x, other_y, other_width, other_height in parts[:at]:
            apart = abs(x - other_x) >= (width + other_width) / 2, abs(y - other_y) >= (height + other_height) / 2
            assert any(apart)


def test_the_last_moment_is_the_first_line_on_its_way_back():
    assert (moment_back(1), moment_back(LINES)) == (LAST, LINES + 1)


@every
@pytest.mark.parametrize(("wrong", "copies", "adds"), [(False, "copies", "add up"), (True, "halves", "one is lost")])
def test_words_say_what_is_copied_and_what_is_added(arrangement, wrong, copies, adds):
    texts = {line: words(arrangement, "add", line, True, wrong) for line in range(1, LINES + 1)}
    assert {line for line, text in texts.items() if copies in text} == set(PLUSES[arrangement])
    assert {line for line, text in texts.items() if adds in text} == set(FORKS)
    assert np.all([len(text) < 48 for text in texts.values()])
