"""The tree: a click on a box chooses it, edges go through what was chosen, and none crosses a word."""

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from app.pictures.base.screens import NARROW, WIDE
from app.pictures.base.timed import WAY
from app.pictures.charts.choice_chart import CHOSEN, OPEN, PLANS, Block, ChoiceChart, Question
from app.views.design_choices.decision import BLOCKS, BLOCKS_DRAWN, DecisionView
from sims.builder.advice import KINDS, PLACES, TROUBLES, advice
from sims.simulations.design_choices.decision import Decision

QUESTIONS = (
    Question("size", "How large?", {"s": "small", "l": "large"}),
    Question("kind", "Which?", {"a": "A", "b": "B", "c": "C", "d": "a name of more than twenty letters"}),
)
BLOCK = Block(("LN", "F"))


def shown(screen: str, tapped=lambda name, answer: None, **chosen: str) -> ChoiceChart:
    chart = ChoiceChart(screen, "A tree", QUESTIONS, tapped)
    chart.show(chosen, "Title", "formula", BLOCK)
    return chart


@pytest.mark.parametrize("screen", PLANS)
def test_boxes_do_not_overlap_and_are_above_the_end(screen: str) -> None:
    plan = PLANS[screen](QUESTIONS)
    for one, other in product(plan.boxes, repeat=2):
        beside = one.right <= other.left or other.right <= one.left
        assert one is other or beside or one.bottom <= other.top or other.bottom <= one.top
    assert max(box.bottom for box in plan.boxes) <= plan.end
    assert set(plan.heads) == {"size", "kind"}


@pytest.mark.parametrize("screen", PLANS)
def test_a_click_on_a_box_counts_and_one_next_to_it_does_not(screen: str) -> None:
    heard: list[tuple[str, str]] = []
    chart = shown(screen, lambda name, answer: heard.append((name, answer)), size="l", kind="b")
    box = PLANS[screen](QUESTIONS).boxes[3]
    (listen,) = chart.figure._event_callbacks["tap"]
    for x, y in ((box.left + 1, box.middle[1]), (box.left + 1, -3.0), (None, None)):
        listen(SimpleNamespace(x=x, y=y))
    assert heard == [(box.question, box.answer)]


def test_only_what_was_requested_is_drawn() -> None:
    chart = shown(WIDE, size="l")
    assert [len(chart.boxes[state].data["left"]) for state in (CHOSEN, OPEN)] == [1, 1]
    assert chart.heads.data["text"] == ["How large?"]
    assert chart.title.data["text"] == ["Title"]


def points(source) -> np.ndarray:
    """Points (n, 2) on all curves of a source."""
    curves = np.array([source.data[name] for name in WAY]).T
    share = np.linspace(0, 1, 60)
    bends = [(1 - share) ** 3, 3 * share * (1 - share) ** 2, 3 * share**2 * (1 - share), share**3]
    x = [sum(b * v for b, v in zip(bends, (c[0], c[4], c[6], c[2]), strict=True)) for c in curves]
    y = [sum(b * v for b, v in zip(bends, (c[1], c[5], c[7], c[3]), strict=True)) for c in curves]
    return np.stack([np.ravel(x), np.ravel(y)], axis=1)


@pytest.mark.parametrize("screen", PLANS)
@pytest.mark.parametrize("kind", ["a", "b", "c", "d"])
def test_no_edge_runs_through_a_box_or_a_question(screen: str, kind: str) -> None:
    chart, plan = shown(screen, size="l", kind=kind), PLANS[screen](QUESTIONS)
    for x, y in np.concatenate([points(chart.edges), points(chart.open_edges)]):
        for box in plan.boxes:
            assert not (box.left < x < box.right and box.top + 0.5 < y < box.bottom - 0.5)
        for left, middle in plan.heads.values():
            assert x < left - 2 or x > 22 or abs(y - middle) > 10
    ends = np.array(chart.edges.data["y1"])
    assert ends.max() == chart.leaf.data["top"][0]


def test_the_tree_leads_from_a_chosen_box_to_every_answer_of_the_next_question() -> None:
    chart = shown(WIDE, size="l", kind="b")
    assert len(chart.edges.data["x0"]) == 2
    assert len(chart.open_edges.data["x0"]) == 3
    line = shown(NARROW, size="l", kind="b")
    assert len(line.edges.data["x0"]) == 1
    assert len(line.stations.data["x"]) == 2


@pytest.mark.parametrize(
    ("block", "names"),
    [
        (Block(("LN", "F")), ["LN", "F", "x"]),
        (Block(("F",), skip="× α", after="LN"), ["F", "× α", "LN", "x"]),
    ],
)
def test_a_block_is_drawn_with_all_its_parts(block: Block, names: list[str]) -> None:
    chart = ChoiceChart(WIDE, "A tree", QUESTIONS, lambda name, answer: None)
    chart.show({"size": "l"}, "Title", "formula", block)
    assert chart.names.data["text"] == names
    assert len(chart.parts.data["left"]) == len(names) - 1


def test_every_recipe_has_a_drawing() -> None:
    formulas = {advice(*answers).formula for answers in product(KINDS, (4, 24, 300), PLACES, TROUBLES)}
    assert formulas == set(BLOCKS_DRAWN)


@pytest.mark.parametrize(("question", "answer"), [("kind", "image"), ("blocks", "deeper"), ("trouble", "memory")])
def test_a_click_changes_the_parameter_of_the_place(question: str, answer: str) -> None:
    simulation = Decision()
    view = DecisionView(simulation)
    changes: dict[str, object] = {}
    view.change = changes.__setitem__
    view.draw()
    view._on_answer(question, answer)
    assert changes == {question: BLOCKS[answer] if question == "blocks" else answer}
    assert {step.question: step.answer for step in Decision(**changes).advice.steps}[question] == answer
