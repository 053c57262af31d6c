"""The chart: a click on a box chooses it, and the line goes through what was chosen."""

from types import SimpleNamespace

import pytest

from app.pictures.charts.choice_chart import CHOSEN, EDGE, HALF, MOOT, OPEN, ChoiceChart, Question, places
from app.views.design_choices.decision import BLOCKS, DecisionView
from sims.simulations.design_choices.decision import Decision

QUESTIONS = (
    Question("size", "How large?", {"s": "small", "l": "large"}),
    Question("kind", "Which?", {"a": "A", "b": "B", "c": "C", "d": "D"}),
)


def test_boxes_do_not_overlap_and_stand_below_their_question() -> None:
    boxes, heads, end = places(QUESTIONS)
    for one in boxes:
        assert one.middle < heads[one.question]
        assert end < one.middle
        others = [other for other in boxes if other is not one]
        assert not any(other.holds((one.left + one.right) / 2, one.middle) for other in others)


def test_a_click_on_a_box_is_heard_and_one_beside_it_is_not() -> None:
    heard: list[tuple[str, str]] = []
    chart = ChoiceChart("A chart", QUESTIONS, lambda name, answer: heard.append((name, answer)))
    box = places(QUESTIONS)[0][3]
    (listen,) = chart.figure._event_callbacks["tap"]
    for x, y in ((box.left + 1, box.middle), (box.left + 1, 3.0), (None, None)):
        listen(SimpleNamespace(x=x, y=y))
    assert heard == [(box.question, box.answer)]


def test_only_what_was_asked_is_chosen_or_open() -> None:
    chart = ChoiceChart("A chart", QUESTIONS, lambda name, answer: None)
    chart.show({"size": "l"}, "Title", "formula")
    assert [len(chart._sources[state].data["left"]) for state in (CHOSEN, OPEN, MOOT)] == [1, 1, 4]
    assert chart._title.data["text"] == ["Title"]


def test_the_way_leaves_every_chosen_box_and_runs_through_no_other_and_no_words() -> None:
    chart = ChoiceChart("A chart", QUESTIONS, lambda name, answer: None)
    chart.show({"size": "l", "kind": "b"}, "Title", "formula")
    ways = list(zip(chart._path.data["xs"], chart._path.data["ys"], strict=True))
    assert len(ways) == 3
    boxes, heads, end = places(QUESTIONS)
    for xs, ys in ways:
        for x, y in zip(xs[1:], ys[1:], strict=True):
            assert not any(box.holds(x, y) for box in boxes)
            assert x <= EDGE or all(abs(y - head) > 0.3 for head in heads.values())
    assert ways[-1][1][-1] == end


def test_the_way_runs_along_no_edge_of_a_box() -> None:
    chart = ChoiceChart("A chart", QUESTIONS, lambda name, answer: None)
    boxes, heads, _end = places(QUESTIONS)
    for answer in ("a", "d"):
        chart.show({"size": "l", "kind": answer}, "Title", "formula")
        for ys in chart._path.data["ys"][:-1]:
            middles = [*(box.middle for box in boxes), *heads.values()]
            assert all(abs(ys[-1] - middle) >= HALF + 0.15 for middle in middles)
            assert ys[-1] > chart._leaf.data["top"][0] + 0.15


@pytest.mark.parametrize(("question", "answer"), [("kind", "image"), ("blocks", "many"), ("trouble", "memory")])
def test_a_click_changes_the_parameter_that_it_stands_for(question: str, answer: str) -> None:
    simulation = Decision()
    view = DecisionView(simulation)
    changes: dict[str, object] = {}
    view.change = changes.__setitem__
    view.draw()
    view._on_answer(question, answer)
    assert changes == {question: BLOCKS[answer] if question == "blocks" else answer}
    assert {step.question: step.answer for step in Decision(**changes).advice.steps}[question] == answer
