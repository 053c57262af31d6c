"""The plan of the circuit: every wire is used, and the dots of a skip meet those of the branch at the plus sign."""

from itertools import pairwise

import pytest

from app.pictures.diagrams.circuit_plan import ACTIVE, BACK, FIRST, HOME, LAST, MEETS, SAID, THERE, WIRES, head


def test_every_kind_of_wire_is_used_first_where_it_moves() -> None:
    for kind, first in FIRST.items():
        assert min(moment for moment, moves in ACTIVE.items() if kind in moves) == first
    assert {kind for kind, _, _ in WIRES} | {"skip", "back"} == set(FIRST)


def test_a_skip_is_at_its_end_when_the_branch_is_at_the_plus_sign() -> None:
    (_, *outward), (_, *home) = THERE[-1], HOME[0]
    for (begin, end), share in ((outward, MEETS), (home, 1 - MEETS)):
        assert begin + (end - begin) * share == pytest.approx(1)


@pytest.mark.parametrize("legs", [THERE, HOME])
def test_a_skip_goes_on_where_it_was_at_the_moment_before(legs: tuple[tuple[float, float, float], ...]) -> None:
    for (_, _, end), (_, begin, _) in pairwise(legs):
        assert begin == end


def test_every_moment_has_its_words_and_heads_point_the_way() -> None:
    assert {len(words) for words in SAID.values()} == {LAST + 1}
    assert max(len(text) for words in SAID.values() for text in words) <= 36
    out, back = (head((0, 0, 1, 0), at >= BACK)[2] for at in (3, 5))
    assert out == -back
