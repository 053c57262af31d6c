"""Only calculations with literal arguments can be named by prose."""

import pytest

from sims.contract.calculation import Calculation, calculation
from sims.numbers.call import input_names, parse


@calculation
def half(of: float) -> float:
    """Half of a number."""
    return of / 2


def test_a_calculation_is_still_a_function() -> None:
    assert half(of=3.0) == 1.5
    assert half.__doc__ == "Half of a number."
    assert not half.long


def test_a_call_in_the_prose_is_resolved() -> None:
    resolved, arguments = parse("degradation.training_error(depth=56, skip=False)")
    assert isinstance(resolved, Calculation)
    assert resolved.long
    assert resolved.name == "degradation.training_error"
    assert arguments == {"depth": 56, "skip": False}


def test_a_bare_name_is_an_input() -> None:
    call = "worked.copied(first=gain, second=-gain)"
    assert input_names(call) == {"gain"}
    assert parse(call, {"gain": 0.3})[1] == {"first": 0.3, "second": -0.3}
    assert parse("worked.copied(first=[a, 2, b])", {"a": 1, "b": -3})[1] == {"first": [1, 2, -3]}


@pytest.mark.parametrize("call", ["worked.copied(first=gain, second=other)", "worked.copied(first=__builtins__)"])
def test_a_name_that_was_not_declared_is_refused(call: str) -> None:
    with pytest.raises(ValueError, match="neither a literal nor a declared input"):
        parse(call, {"gain": 0.3})


@pytest.mark.parametrize("argument", ["gain ** 9999", "gain.real", "[gain for x in 'ab']", "print(gain)"])
def test_an_input_is_no_way_into_arithmetic(argument: str) -> None:
    with pytest.raises(ValueError, match=r"malformed|neither"):
        parse(f"worked.copied(first={argument})", {"gain": 0.3})


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        ("degradation.training_error", "not of the form"),
        ("degradation.training_error(56)", "not of the form"),
        ("nowhere.to_be_found()", "No module"),
        ("degradation.nothing()", "no calculation named"),
        ("degradation.Degradation()", "no calculation named"),
        ("worked.copied(first=__import__('os'))", "malformed"),
        ("degradation.training_error(depth=", "not a call"),
    ],
)
def test_anything_else_is_refused_with_a_reason(call: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        parse(call)


@calculation(long=True, readings=("statistic",))
def loss(depth: int, statistic: str = "median", width: int = 8) -> float:
    """A number that is read off a run."""
    return depth / width


def test_calls_for_other_readings_share_a_run_and_defaults_count_as_arguments() -> None:
    run = loss.run({"depth": 4})
    assert run == loss.run({"depth": 4, "statistic": "highest"}) == loss.run({"width": 8, "depth": 4})
    assert run != loss.run({"depth": 5})
    assert run != loss.run({"depth": 4, "width": 9})


def test_another_processor_may_move_a_number_as_far_as_it_says() -> None:
    strict, shares = Calculation(lambda: 0, long=True), Calculation(lambda: 0, long=True, tolerance=0.1)
    assert strict.agree(0.5, 0.5 + 1e-8)
    assert not strict.agree(0.5, 0.5001)
    assert not strict.agree(0.0, 1e-12)
    assert shares.agree(0.5, 0.55)
    assert not shares.agree(0.5, 0.6)
    assert not shares.agree(3, 4)
    assert Calculation(lambda: 0, long=True, absolute=1).agree(3, 4)
    assert shares.agree(float("inf"), float("inf"))
    assert not shares.agree(float("inf"), 3.0)


def test_of_a_text_the_words_are_compared_and_then_its_numbers() -> None:
    order = Calculation(lambda: "", long=True, tolerance=0.1)
    assert order.agree("plain (20 of 5); dense", "plain (21 of 5); dense")
    assert not order.agree("plain (20 of 5); dense", "plain (30 of 5); dense")
    assert not order.agree("plain; dense", "dense; plain")
    assert not order.agree("0", "4 · 165")
