"""The twin of the figure `language` in JavaScript makes of two models what Python makes of them."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from random import Random
from typing import Any

import numpy as np
import pytest
from bokeh.events import DoubleTap, Tap

from app.views.base import View
from app.views.language_models.language import LanguageView
from sims.contract.parameters import to_text
from sims.data import own_words
from sims.engines.language import LanguageModel, LanguageRecipe
from sims.instruments.networks.inside_language import Inside
from sims.instruments.networks.text_sampler import LENGTH
from sims.simulations.language_models.language import KINDS, LOOKS, PROMPT, Language, Pupil, State
from tests.settings import ends
from tests.tiers import drawn
from tests.twins import figures
from tests.twins.figures import Case, Given, Pairs
from tests.twins.runs import plain

COUNT = drawn(60)

SETTINGS: dict[str, list[Any]] = {
    **{name: ends(Language.param[name]) for name in Language().settings() if name != "prompt"},
    "blocks": [1, 2, 8, 12],
    "moment": [0, 1, 5, LOOKS],
    "learning_rate": Language.param.learning_rate.objects,
    "training_steps": Language.param.training_steps.objects,
}


EVENTS = {"tap": Tap, "doubletap": DoubleTap}


class GivenLanguage(Given):
    """Two models, in place of networks on points."""

    def runs_as_data(self) -> Case:
        return {kind: _pupil(pupil) for kind, pupil in self.state.items()}

    def as_data(self, view: View[Any]) -> Case:
        gestures = [{"event_name": kind, "origin": {"id": model.id}, "x": x} for kind, model, x in self._gestures(view)]
        return super().as_data(view) | {"gestures": gestures}

    def pointed(self, view: View[Any]) -> list[dict[str, str]]:
        answers = []
        for kind, model, x in self._gestures(view):
            values: dict[str, Any] = {}
            view.change = values.__setitem__
            model._trigger_event(EVENTS[kind](model, x=x))
            answers.append({name: to_text(value) for name, value in values.items()})
        return answers

    def _gestures(self, view: Any) -> list[tuple[str, Any, float]]:
        every = self.simulation.settings()["training_steps"] / LOOKS
        places = [-3.0, 0.0, every / 2, 1.2 * every, 5.7 * every, 20 * every]
        page = view._pages["wide"]["with"].figure
        return [*(("tap", view._loss, x) for x in places), ("doubletap", view._loss, every), ("tap", page, every)]

    def networks(self) -> Mapping[str, Any]:
        every = self.simulation.settings()["training_steps"] // LOOKS
        return {
            kind: (writer.state.model, asdict(writer.state.recipe) | {"record_every": every}, writer.state.seed)
            for kind, writer in ((kind, pupil.writer) for kind, pupil in self.state.items())
        }


def _pupil(pupil: Pupil) -> Case:
    writer = pupil.writer
    state = writer.state
    observed = {
        "steps": writer.steps,
        "losses": writer.losses,
        "texts": writer.texts,
        "surprises": writer.surprises,
        "inside": vars(pupil.inside),
        "examined": pupil.examined,
    }
    overflow = None if state.finite else {"step": state.step + 1, "quantity": "loss"}
    return {"step": state.step, "records": [], "now": {}, "overflows": [overflow], "observed": plain(observed)}


def models_of_every_kind() -> Iterator[Given]:
    """A real run of a few steps, and many with texts and measurements drawn at random."""
    simulation = Language(blocks=1, training_steps=300)
    start = simulation.start()
    for state in (start, simulation.advance(start, 3)):
        yield GivenLanguage(simulation, state, {})
    choose, random = Random(0), np.random.default_rng(0)
    for _ in range(COUNT):
        settings = {name: choose.choice(values) for name, values in SETTINGS.items()}
        simulation = Language(**settings, prompt=_prompt(choose))
        yield GivenLanguage(simulation, _random_state(choose, random, simulation, start), {})


def _random_state(choose: Random, random: np.random.Generator, simulation: Language, start: State) -> State:
    whole = simulation.training_steps
    every = whole // LOOKS
    step = choose.choice([0, 1, every, every + 1, whole // 2, whole, whole])
    pupils = {}
    for kind in KINDS:
        finite = choose.random() < 0.8
        own = step if finite else choose.randrange(step + 1)
        writer = start[kind].writer
        moments = range(0, own + 1, every)
        state = replace(
            writer.state,
            model=simulation._model(kind),
            recipe=LanguageRecipe(learning_rate=simulation.learning_rate),
            seed=simulation.seed,
            step=own,
            finite=finite,
        )
        losses = [
            choose.choice([1.9, 2.5, 3.05, 4.7, *random.uniform(1, 5, 2), *[np.nan] * (own > 0)]) for _ in moments
        ]
        texts = tuple(_text(choose) for _ in moments)
        surprises = tuple(tuple(random.uniform(0, 6, LENGTH).tolist()) for _ in moments)
        writer = replace(
            writer, state=state, steps=tuple(moments), losses=tuple(losses), texts=texts, surprises=surprises
        )
        pupils[kind] = Pupil(writer, _random_inside(choose, random, simulation.blocks), whole * (own == whole))
    return pupils


def _random_inside(choose: Random, random: np.random.Generator, blocks: int) -> Inside:
    places = 2 * blocks + 1
    return Inside(
        early=random.uniform(1, 6, places),
        drafts=tuple(_letters(choose, 64) for _ in range(places)),
        gradients=10.0 ** random.uniform(-9, 3, places),
        likeness=random.uniform(-0.1, 1, places).astype(np.float32),
        without=random.normal(0, 10.0 ** choose.randrange(-3, 2), places - 1),
    )


def _letters(choose: Random, count: int) -> str:
    return "".join(choose.choices(own_words.symbols(), k=count))


def _text(choose: Random) -> str:
    """A text as a model may write it: words that are learned, others, letters, and words longer than a line."""
    words = own_words.decoded(own_words.parts()[0][:20_000]).split(" ")
    pieces = ["a well-known thing", "x-y", "--", "a--b", "end.\nNew", "  ", "\n", "state-of-the-art", "-", "in-"]
    kinds = (
        lambda: choose.choice(words),
        lambda: choose.choice(pieces),
        lambda: _letters(choose, choose.choice([2, 9])),
        lambda: "pre-".join(["q" * choose.randrange(1, 40)] * 3),
    )
    weights = choose.choice([(9, 1, 0, 0), (1, 0, 0, 0), (4, 4, 3, 1), (0, 0, 1, 0), (0, 0, 0, 1)])
    text = ""
    while len(text) < LENGTH:
        text += choose.choices(kinds, weights)[0]() + choose.choice([" ", " ", " ", "", "\n"])
    return text[:LENGTH]


def _prompt(choose: Random) -> str:
    prompt = _text(choose).replace("\n", " ")[: choose.randrange(1, PROMPT + 1)]
    return prompt if prompt.strip() else "a"


@pytest.fixture(scope="module")
def pairs() -> Pairs:
    return figures.compared(LanguageView(Language()), models_of_every_kind())


def _network(case: Case) -> tuple[Any, ...]:
    assert case["engine"] == "language"
    assert case["data"] == "own_words.txt"
    (seed,) = case["seeds"]
    return LanguageModel(**case["architecture"]), case["recipe"], seed


class TestTwin(figures.SameAsPython):
    # The entropy of the letters is a sum of logarithms, whose last digits are those of a library.
    alike = staticmethod(figures.near)
    network = staticmethod(_network)


def test_a_press_on_the_curves_leads_to_the_nearest_moment(pairs: Pairs) -> None:
    for expected, twin in pairs:
        assert [values or {} for values in twin["pointed"]] == expected["pointed"]


def test_a_frame_that_came_with_the_page_is_read_alike(pairs: Pairs) -> None:
    for expected, twin in pairs:
        lines = expected["replies"]["csv"]["content"].splitlines(keepends=True)
        assert twin["reread"] == "".join(line for line in lines if not line.startswith("#"))


def test_the_cases_are_of_every_kind(pairs: Pairs) -> None:
    frames = [expected["frame"] for expected, _ in pairs]
    assert {frame["step"] == frame["steps"] for frame in frames} == {True, False}
    assert {len(frame["diverged"]) for frame in frames} == {0, 1, 2}
    assert {to_text(frame["results"]["examined"] > 0) for frame in frames} == {"yes", "no"}
