"""Whatever arrives from outside is admitted, clamped with a note, or refused; nothing else reaches a simulation."""

import math
from typing import Any

import param
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.contract import parameters
from sims.contract.own_points import LONGEST, Points
from sims.contract.simulation import Simulation


class Sample(Simulation):
    depth = param.Integer(20, bounds=(2, 64), step=2, label="Depth")
    gain = param.Number(0.5, bounds=(-2.0, 1.0), label="Gain")
    rate = parameters.Stops(default=0.1, objects=[0.001, 0.01, 0.1], label="Rate")
    norm = param.Selector(default="none", objects={"None": "none", "BatchNorm": "batch"}, label="Norm")
    final = param.Boolean(False, label="Final")
    points = Points("a5050b0000", label="Points")


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("depth", "56", 56),
        ("depth", 56, 56),
        ("gain", "-0.25", -0.25),
        ("gain", 1, 1.0),
        ("rate", "0.01", 0.01),
        ("norm", "batch", "batch"),
        ("final", "yes", True),
        ("final", False, False),
        ("points", "", ""),
        ("points", "c0199a9900", "c0199a9900"),
        pytest.param("points", "d1234" * 200, "d1234" * 200, id="all"),
    ],
)
def test_a_possible_value_is_taken_without_a_note(name: str, value: Any, expected: Any) -> None:
    assert parameters.admit(Sample.param[name], value) == (expected, "")


@pytest.mark.parametrize(
    ("name", "value", "expected", "note"),
    [
        ("depth", "9999", 64, "outside 2 to 64"),
        ("depth", -1e12, 2, "outside"),
        ("depth", "7", 8, "multiple of 2"),
        ("gain", "7", 1.0, "outside"),
        ("rate", "0.04", 0.01, "not one of the stops"),
        ("depth", "NaN", 20, "not a possible"),
        ("depth", "inf", 20, "not a possible"),
        ("depth", True, 20, "not a possible"),
        ("depth", "<script>", 20, "not a possible"),
        ("norm", "Batch ", "none", "not a possible"),
        ("norm", True, "none", "not a possible"),
        ("final", 1, False, "not a"),
        ("gain", [1, 2], 0.5, "not a possible"),
        ("gain", None, 0.5, "not a possible"),
        pytest.param("gain", 10**400, 0.5, "not a possible", id="huge"),
        ("points", "<script>", "a5050b0000", "not a possible"),
        ("points", "e0000", "a5050b0000", "not a possible"),
        ("points", 7, "a5050b0000", "not a possible"),
        ("points", "a0000a١٢٣٤", "a0000", "left out"),
        ("points", "a0000\n", "a0000", "left out"),
        ("points", "a1234b56", "a1234", "from “b56” on"),
        pytest.param("points", "d1234" * 201, "d1234" * 200, "left out", id="one too many"),
        pytest.param("points", "a0000" * (2 * LONGEST // 5 + 1), "a5050b0000", "2005 characters", id="far too many"),
        pytest.param("depth", "1" * 10_000_000, 20, "10000000 characters", id="10 MB"),
    ],
)
def test_anything_else_is_clamped_or_refused_with_a_note(name: str, value: Any, expected: Any, note: str) -> None:
    admitted, message = parameters.admit(Sample.param[name], value)
    assert admitted == expected
    assert note in message
    assert len(message) < 300


def test_the_reason_for_refusing_a_value_is_separate_from_what_follows() -> None:
    assert parameters.examine(Sample.param.depth, "7") == (8, "7 is not 2 plus a multiple of 2", "8 is used")
    assert parameters.admit(Sample.param.depth, "7")[1] == "Depth: 7 is not 2 plus a multiple of 2; 8 is used."


@given(
    st.sampled_from(["depth", "gain", "rate", "norm", "final", "points"]),
    st.one_of(st.text(), st.floats(), st.integers(), st.booleans(), st.none(), st.lists(st.integers()), st.binary()),
)
def test_what_is_admitted_is_always_valid(name: str, value: Any) -> None:
    admitted, note = parameters.admit(Sample.param[name], value)
    sample = Sample(**{name: admitted})
    assert getattr(sample, name) == admitted
    assert parameters.admit(Sample.param[name], admitted) == (admitted, "")
    assert not (isinstance(admitted, float) and math.isnan(admitted))
    assert isinstance(note, str)


def test_links_carry_what_differs_from_the_defaults_and_read_back() -> None:
    sample = Sample(depth=56, gain=0.5, rate=0.01, final=True)
    texts = parameters.write(sample)
    assert texts == {"depth": "56", "rate": "0.01", "final": "yes"}
    settings, notes = parameters.read(Sample, texts)
    assert notes == []
    assert Sample(**settings).settings() == sample.settings()


def test_an_unknown_name_is_noted() -> None:
    assert parameters.read(Sample, {"dept": "3"}) == ({}, ["There is no control named “dept”."])


def test_allowed_values_in_words() -> None:
    assert parameters.allowed(Sample.param.depth) == "2 to 64 in steps of 2"
    assert parameters.allowed(Sample.param.gain) == "-2 to 1"
    assert parameters.allowed(Sample.param.rate) == "one of 0.001, 0.01, 0.1"
    assert parameters.allowed(Sample.param.final) == "yes or no"
