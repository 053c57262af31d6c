"""Long numbers are computed in the fewest runs."""

from sims.kept.book import code_of
from sims.numbers import runs
from sims.numbers.call import parse


def test_numbers_that_are_read_off_one_run_are_computed_together() -> None:
    calls = [
        "race.finishers(depth=8, entrant='plain')",
        "race.finishers(depth=8, entrant='dense')",
        "race.finishers(depth=16, entrant='plain')",
    ]
    assert [len(group) for group in runs.grouped(calls)] == [2, 1]


def test_values_come_with_the_version_of_their_code() -> None:
    call = "worked.batch_norm_gain(layers=56)"
    [values] = runs.computed([[call]])
    calculation, arguments = parse(call)
    assert values == {call: (calculation(**arguments), code_of(calculation, arguments))}
