"""Numbers and counts as text, by Python and by the page's own script."""

import json
import math
import subprocess
from pathlib import Path

import numpy as np
import playwright
import pytest

from sims.contract.wording import blocks, cited, exact_or, formatted, number, percent, tick, vector
from sims.data import history

SCRIPT = Path(__file__).parents[2] / "app" / "static" / "shared" / "numbers.js"
NODE = Path(playwright.__file__).parent / "driver" / "node"
"""Comes with Playwright, so that the test runs wherever the others do."""

AWKWARD = (
    0.0,
    -0.0,
    1e-300,
    2e-6,
    9.9999e-5,
    0.00099996,
    0.0995,
    0.0994999,
    0.1,
    0.125,
    0.375,
    0.99995,
    1.0,
    2.5,
    9.96,
    999.95,
    9999.5,
    12_345.6,
    99_999.95,
    1e5,
    123456,
    123456.7,
    1e12,
    3.4868e-11,
    2.4791e11 + 0.5,
    1e22,
    1.7976931348623157e308,
    math.inf,
    math.nan,
)
FORMS = ("", "%", ".0f", ".1f", ".2f", ".1g", ".2g", ".3g", ".0e", ".1e", ".2e")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (2.197, "2.2"),
        (190.05, "190"),
        (1234.5, "1,230"),
        (13_785.8, "13,800"),
        (-0.3, "−0.3"),
        (0.00079792, "0.000798"),
        (2e-6, "2 × 10⁻⁶"),
        (3.4868e-11, "3.49 × 10⁻¹¹"),
        (1e-300, "1 × 10⁻³⁰⁰"),
        (2.479e11 + 0.5, "2.48 × 10¹¹"),
        (-4e-10, "−4 × 10⁻¹⁰"),
        (999.95, "1,000"),
        (99_999.95, "1 × 10⁵"),
        (0.99995, "1"),
        (123_456, "123,456"),
        (123_456.7, "1.23 × 10⁵"),
        (3_152_384.0, "3,152,384"),
        (1202, "1,202"),
        (math.inf, "infinity"),
        (-math.inf, "minus infinity"),
        (math.nan, "not a number"),
    ],
)
def test_a_number_as_a_printer_sets_it(value: float, text: str) -> None:
    assert number(value) == text


def test_more_digits_or_fewer() -> None:
    assert (number(0.27918, 2), number(0.27918, 4), number(13_785.8, 6)) == ("0.28", "0.2792", "13,785.8")


def test_a_zero_is_said_to_be_exact_where_it_is() -> None:
    assert (exact_or(0.0), exact_or(1e-9), exact_or(0.8887)) == ("exactly 0", "1 × 10⁻⁹", "0.89")


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0.0%"),
        (-1e-9, "0.0%"),
        (0.0123, "1.2%"),
        (0.0994, "9.9%"),
        (0.0995, "10%"),
        (0.854, "85%"),
        (1.0, "100%"),
        (-0.05, "−5.0%"),
        (-0.5, "−50%"),
        (math.nan, "not a number"),
    ],
)
def test_percentages_are_as_exact_as_a_reader_needs(share: float, text: str) -> None:
    assert percent(share) == text


def test_a_form_is_python_s_own_without_its_e() -> None:
    assert formatted(45_712.3, ".2e") == "4.57 × 10⁴"
    assert formatted(4.5, ".2e") == "4.50"
    assert formatted(-0.001, ".2f") == "0.00"
    assert formatted(3_152_384, ",") == "3,152,384"
    with pytest.raises(ValueError, match="format"):
        formatted(1.5, "wide")


def test_an_array_as_text() -> None:
    assert vector(np.array([0.5, -0.3, -0.0])) == "[0.5, −0.3, 0]"
    assert vector(np.array([2e-6, 1 / 3]), ".2g") == "[2 × 10⁻⁶, 0.33]"
    assert vector(np.eye(2), ".1f") == "[1.0, 0.0; 0.0, 1.0]"


def test_one_block_is_no_blocks() -> None:
    assert (blocks(1), blocks(2)) == ("1 block", "2 blocks")


def test_the_page_s_script_writes_every_number_as_python_does(tmp_path: Path) -> None:
    """The reader must not see one number in two ways, whoever of the two wrote it."""
    values = [sign * value for value in AWKWARD for sign in (1, -1)]
    random = np.random.default_rng(0)
    values += (random.normal(size=300) * 10.0 ** random.integers(-12, 12, 300)).tolist()
    values += (random.integers(-2000, 2000, 300) / 32).tolist()
    texts = json.dumps([str(value).replace("inf", "Infinity") for value in values])
    exponents = list(range(-9, 10))
    (tmp_path / "numbers.mjs").write_text(SCRIPT.read_text())
    script = tmp_path / "script.mjs"
    script.write_text(
        "import {formatted, number, shown, tick} from './numbers.mjs'\n"
        f"const values = {texts}.map(Number)\n"
        "console.log(JSON.stringify({\n"
        "  numbers: values.map(value => [1, 2, 3, 4, 6].map(digits => number(value, digits))),\n"
        f"  formatted: values.map(value => {json.dumps(FORMS)}.map(form => formatted(value, form))),\n"
        f"  ticks: {json.dumps(exponents)}.map(each => tick(Number(`1e${{each}}`), true)),\n"
        "  shown: [0.25, 'nan', 'inf', '-inf', 'text', null].map(shown),\n"
        "}))\n"
    )
    ran = subprocess.run([NODE, script], capture_output=True, text=True, check=True)
    written = json.loads(ran.stdout)
    for value, numbers, forms in zip(values, written["numbers"], written["formatted"], strict=True):
        assert numbers == [number(value, digits) for digits in (1, 2, 3, 4, 6)], value
        assert forms == [formatted(value, form) for form in FORMS], value
    assert written["ticks"] == [tick(exponent) for exponent in exponents]
    assert written["shown"] == ["0.25", "not a number", "infinity", "minus infinity", "text", None]


def test_a_key_of_the_references_is_read_as_authors_and_year() -> None:
    assert [cited(key) for key in ("he2015", "he2015b", "hesun2014")] == ["He 2015", "He 2015", "He and Sun 2014"]
    assert all(cited(source) for entry in history.entries() for source in entry.sources)
