"""Numbers of worked examples made ahead: the page's script finds in them what the server would answer."""

import json
import random
import subprocess
from functools import cache
from pathlib import Path

import playwright
import pytest

from app.pages.blocks.number_tables import MOST, inputs_of, size, steps, tables
from app.pages.document.editable_numbers import Example
from tests.pages.blocks.test_worked_example import ONE, USE, block
from tests.pages.markdown.test_prose import compiled
from tests.site import SLUGS, site

SCRIPT = Path(__file__).parents[3] / "app" / "static" / "exercises" / "examples" / "tables.js"
NODE = Path(playwright.__file__).parent / "driver" / "node"

READ = """
globalThis.document = {documentElement: {hasAttribute: () => false}}
const {Tables} = await import(process.argv[1])
let text = ''
for await (const part of process.stdin) text += part
const {told, asked} = JSON.parse(text), tables = new Tables(told)
console.log(JSON.stringify(asked.map(texts => [tables.at(texts), tables.nearest(texts)])))
"""

SEED, STATES = 5, 40


@cache
def examples() -> dict[str, Example]:
    """Every worked example of the site, by its page and its name there."""
    pages = {slug: site().page(slug) for slug in SLUGS}
    return {f"{slug}#{name}": example for slug, page in pages.items() for name, example in page.examples.items()}


@pytest.fixture(scope="module")
def example() -> Example:
    return compiled(block()).examples["w-one"]


def by_script(content: object, queries: list[dict[str, str]]) -> list[list[object]]:
    """What the page's script finds for texts of inputs: the numbers, and the nearest steps."""
    answer = subprocess.run(
        [NODE, "--input-type=module", "--eval", READ, "--", SCRIPT],
        input=json.dumps({"told": content, "asked": queries}),
        capture_output=True,
        text=True,
        check=True,
    )
    results: list[list[object]] = json.loads(answer.stdout)
    return results


def slid(low: float, high: float, step: float, at: int) -> str:
    """The text that the page's slider gives at a step: JavaScript's sum, to twelve digits."""
    return f"{float(f'{min(low + at * step, high):.12g}'):g}"


def test_every_example_of_the_site_begins_at_a_step() -> None:
    for where, example in examples().items():
        for name, parameter in example.inputs.items():
            assert parameter.default in steps(parameter), f"{where}: {name} begins between two steps"


def test_the_script_finds_at_every_step_what_the_server_answers(example: Example) -> None:
    queries = [
        {"layers": slid(1, 20, 1, layers), "first": slid(-2, 2, 0.1, first)}
        for layers in range(20)
        for first in range(41)
    ]
    results = by_script(tables(example), queries)
    for texts, (numbers, nearest) in zip(queries, results, strict=True):
        answer = example.answer(texts)
        assert (numbers, nearest) == (answer["numbers"], answer["values"])
        assert answer["notes"] == []


@pytest.mark.exhaustive
def test_examples_of_the_site_are_described_as_by_the_server() -> None:
    """To the last digit, in states drawn at random from all (seed 5), for examples with few states."""
    small = [example for example in examples().values() if size(example) < MOST / 50]
    assert len(small) > 5
    for example in small:
        assert_told_as_answered(example)


def assert_told_as_answered(example: Example) -> None:
    draw = random.Random(SEED)
    queries = [
        {
            name: slid(*parameter.bounds, parameter.step, draw.randrange(len(steps(parameter))))
            for name, parameter in example.inputs.items()
        }
        for _ in range(STATES)
    ]
    results = by_script(tables(example), queries)
    assert [numbers for numbers, _nearest in results] == [example.answer(texts)["numbers"] for texts in queries]


def test_what_lies_between_two_steps_has_no_numbers_but_a_next_step(example: Example) -> None:
    queries = [{"layers": "3", "first": "0.14"}, {"layers": "99", "first": "-7"}]
    assert by_script(tables(example), queries) == [
        [None, {"layers": "3", "first": "0.1"}],
        [None, {"layers": "20", "first": "-2"}],
    ]


def test_a_table_has_the_inputs_that_its_calculation_uses(example: Example) -> None:
    first, second = tables(example)["numbers"]
    assert (first["of"], second["of"]) == (["first"], ["layers"])
    assert (len(first["at"]), len(second["at"])) == (41, 20)
    assert inputs_of(example, example.calls[0][0]) == ["first"]


def test_an_example_with_too_many_steps_is_left_to_the_server() -> None:
    page = compiled(block(f"---\n{ONE.replace('to: 2', f'to: {MOST + 1}')}\n---\n", USE))
    assert page.examples["w-one"].table == ""
    assert "data-editable" in page.html
    assert "data-numbers" not in page.html
