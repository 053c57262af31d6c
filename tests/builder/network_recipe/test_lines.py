"""Every set of answers has a whole recipe, and the page answers the twelve questions of docs/engineers-questions.md."""

import itertools
import re

import pytest

from app.views.design_choices.which_block import BLOCKS, SIGNS, WhichBlockView
from sims.builder.network_recipe.answers import FAMILIES, NORMS, PRECISIONS, TROUBLES, Answers
from sims.builder.network_recipe.lines import PARTS, Line, recipe_lines
from sims.builder.network_recipe.plan import plan
from sims.data.recipe_evidence import GRADES, rules
from sims.paths import CONTENT
from sims.simulations.design_choices.which_block import WhichBlock

WAYS = [
    Answers(*way)
    for way in itertools.product(FAMILIES, (2, 12, 24, 48, 300), (64, 768, 12288), NORMS, PRECISIONS, TROUBLES)
]
QUESTIONS = CONTENT.parent / "docs" / "engineers-questions.md"


def line_of(part: str, **answers: str | int) -> Line:
    (line,) = [line for line in recipe_lines(Answers(**answers)) if line.part == part]  # type: ignore[arg-type]
    return line


def test_every_answer_has_a_line_for_each_part() -> None:
    for answers in WAYS:
        lines = recipe_lines(answers)
        assert len(lines) == len(PARTS) - (not answers.attends)
        for line in lines:
            assert line.advice
            assert len(line.advice) < 160, line.advice
            assert not re.search(r"\de[-+]?\d|nan|inf\b", line.advice), line.advice
        assert plan(answers).formula in BLOCKS


def test_what_transfers_says_what_is_scaled() -> None:
    rate = line_of("Learning rate", family="transformer", trouble="transfer", width=1024)
    assert rate.advice.endswith("× 256/width, and their decay × width/256; ε is not scaled")
    assert "× width/256" in line_of("Decay", family="transformer", trouble="transfer", width=1024).advice
    assert "width" not in line_of("Decay", family="transformer", width=1024).advice


def test_every_rule_is_used() -> None:
    used = {id(line.rule) for answers in WAYS for line in recipe_lines(answers)}
    assert not [name for name, rule in rules().items() if id(rule) not in used]


def test_a_matrix_never_has_two_small_starts() -> None:
    for answers in WAYS:
        chosen = plan(answers)
        assert not (chosen.factor < 1 and chosen.start in ("shrink", "zero", "scale"))
        assert not (chosen.gamma and chosen.start != "scale")


def test_the_table_shows_every_line_with_its_sources_as_links() -> None:
    simulation = WhichBlock()
    view = WhichBlockView(simulation)
    figures = view.figures()
    view.update(simulation.compute())
    text = figures[1].text
    assert text.count("&lt;details&gt;") == len(PARTS)
    assert text.count("href=") > 40
    assert set(SIGNS) == set(GRADES.values())


ANSWERS = [
    (line_of("Last matrix", family="transformer", blocks=12), "0.00408", "July 2026"),
    (line_of("Decay", family="transformer"), "not on gains", "filter by name"),
    (line_of("Precision", family="transformer", precision="float16"), "loss scaling", ""),
    (line_of("Factor", family="vit", blocks=12), "0.1", "1e-4"),
    (line_of("Dropout", family="vit", blocks=24, width=1024), "rising to 0.45", "the same rate"),
    (line_of("Learning rate", family="transformer", width=1600, blocks=48), "0.0002", "OLMo 2"),
    (line_of("Learning rate", family="transformer", trouble="transfer"), "256/width", "root of the width"),
    (line_of("Warm-up", family="transformer"), "2,000 steps", "40 steps"),
    (line_of("Queries, keys", family="transformer", trouble="spikes"), "RMSNorm on the queries", "Llama"),
    (line_of("Memory", family="transformer", trouble="memory"), "use_reentrant=False", ""),
    (line_of("Block", family="image", norm="none"), "standardized", ""),
    (line_of("Last matrix", family="image", norm="original", blocks=16), "zero-γ", "torchvision"),
]
"""The line that answers each of the twelve questions, words of its advice, and of what others do"""


@pytest.mark.parametrize(("line", "advice", "against"), ANSWERS, ids=range(1, 13))
def test_the_page_answers_each_of_twelve_questions(line: Line, advice: str, against: str) -> None:
    assert advice in line.advice
    assert re.search(against, line.rule.against)


def test_the_questions_are_written_down_with_their_addresses() -> None:
    rows = re.findall(r"^\| (\d+) \| (.*?) \|", QUESTIONS.read_text(encoding="utf-8"), re.MULTILINE)
    assert [int(number) for number, _ in rows] == list(range(1, 13))
    assert QUESTIONS.read_text(encoding="utf-8").count("https://github.com/") >= 6
