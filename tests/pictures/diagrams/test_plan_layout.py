"""The drawing of a block: every line has its place, and what lines read and write is what they really do."""

from types import SimpleNamespace as Tensors

import numpy as np
import pytest

from app.pictures.diagrams.plan_layout import LAST, LAYOUTS, LINES, READS, WEIGHTS, moment_back, words
from sims.instruments.hand_derived.block_plan import PLANS
from sims.instruments.hand_derived.examined_block import SHAPES, Stack, passed

every = pytest.mark.parametrize("arrangement", LAYOUTS)


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
def test_every_line_has_a_place_and_every_weight_a_line(arrangement):
    layout = LAYOUTS[arrangement]
    assert sorted([*layout.boxes, *layout.pluses]) == list(range(1, LINES + 1))
    assert sorted(" ".join(WEIGHTS[arrangement].values()).split()) == sorted(SHAPES)
    assert all(-0.1 < x < layout.end for wire in layout.wires for x, _y in wire.points)


@every
def test_every_tensor_has_a_wire_and_its_gradient_travels_it_later(arrangement):
    wires = LAYOUTS[arrangement].wires
    tensors = {name for wire in wires for name in wire.tensors}
    assert tensors == {name for both in READS[arrangement].values() for names in both for name in names.split()} - {"p"}
    assert all(1 <= wire.forward <= LINES < wire.back <= LAST for wire in wires)


def test_the_last_moment_is_the_first_line_on_its_way_back():
    assert (moment_back(1), moment_back(LINES)) == (LAST, LINES + 1)


@every
def test_words_say_what_is_copied_and_what_is_added(arrangement):
    layout = LAYOUTS[arrangement]
    texts = {line: words(arrangement, "add", line, True) for line in range(1, LINES + 1)}
    assert {line for line, text in texts.items() if "copies" in text} == set(layout.pluses)
    assert {line for line, text in texts.items() if "add up" in text} == set(layout.forks)
    assert np.all([len(text) < 48 for text in texts.values()])
