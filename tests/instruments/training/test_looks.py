"""Looks come at the same steps, however a run is cut."""

import pytest

from sims.instruments.training.looks import to_looks


def test_a_look_is_due_at_every_multiple():
    assert list(to_looks(0, 25, 10)) == [(10, True), (10, True), (5, False)]
    assert list(to_looks(7, 20, 10)) == [(3, True), (10, True)]
    assert list(to_looks(20, 20, 10)) == []


@pytest.mark.parametrize("chunk", [1, 3, 10, 11, 40])
def test_the_cut_moves_no_look(chunk):
    step, looks = 0, []
    while step < 40:
        for count, due in to_looks(step, min(step + chunk, 40), 10):
            step += count
            if due:
                looks.append(step)
    assert looks == [10, 20, 30, 40]
