"""A simulation with its controls, picture and text, using the same view and session as on its page."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any
from uuid import uuid4

import panel as pn
import param
from bokeh.document import Document

from app.bokeh_internals.notebooks import is_displayed, push_changes
from app.live.layout import layout
from app.live.session import Session
from app.pictures.base.theme import LIGHT
from app.runs.jobs import Update
from app.standalone.controls import Controls
from app.standalone.paint import paint
from app.standalone.runs import open_run
from app.standalone.words import ELSEWHERE, title, words
from sims.chunks.preparation import is_complete
from sims.contract.parameters import control_names
from sims.contract.simulation import Simulation, Training
from sims.kept import results


class StandaloneSession(Session):
    """A session that reports to Python instead of a page, and whose document may have no server.

    `report` is called with the full state of a picture whenever it changes.
    """

    def __init__(
        self,
        document: Document,
        simulation: Simulation,
        report: Callable[[Mapping[str, Any]], None],
        watched: Callable[[], bool],
    ) -> None:
        name = type(simulation).__module__.rpartition(".")[2]
        super().__init__(document, name, simulation, place=f"{name}-{uuid4().hex[:8]}", open_run=open_run(uuid4().hex))
        self._publish, self._is_shown = report, watched
        self._changing = False
        simulation.param.watch(self._set_in_python, control_names(type(simulation)))

    def _change_all(self, values: Mapping[str, Any]) -> None:
        self._changing = True
        try:
            super()._change_all(values)
        finally:
            self._changing = False

    def _set_in_python(self, *events: param.parameterized.Event) -> None:
        if not self._changing:
            self.parameters_changed([event.name for event in events])

    def publish_state(self) -> None:
        self._publish(self.page_state())

    def begin(self) -> None:
        """Show the end of a kept run, a picture that needs no run, or the network before its first step."""
        training = self.simulation if isinstance(self.simulation, Training) else None
        frame = results.at_once(self.simulation)
        if frame is not None:
            self.show(frame, kept=training is not None)
        elif training is not None and is_complete():
            self.show(training.frame(training.start()))
        else:
            self.show_now()  # computed by workers once the engine is compiled; compiling would block everything here

    def is_watched(self) -> bool:
        return self._is_shown() if self.document.session_context is None else super().is_watched()

    async def deliver(self, update: Update) -> None:
        if self.document.session_context is None:
            self.apply_update(update)
        else:
            await super().deliver(update)


class Figure:
    """A figure to be shown in a notebook, or in the `document` of a server's session: `column`.

    The simulation still belongs to the caller: its parameters follow the controls, and the figure follows its
    parameters.
    """

    def __init__(self, simulation: Simulation, document: Document) -> None:
        self.session = StandaloneSession(document, simulation, self._take, lambda: is_displayed(self.column))
        self._words = pn.pane.HTML("", sizing_mode="stretch_width", margin=(8, 0, 0, 0))
        for root in self.session.models:
            paint(root.references())
        inside = layout(self.session)
        self._controls = Controls(inside, self.session.change, self.session.act)
        self._elsewhere = sorted(set(_drawn_elsewhere(self.session)))
        card = {"background": LIGHT["panel"], "padding": "14px 16px", "border": f"1px solid {LIGHT['rule']}"}
        head = pn.pane.HTML(str(title(simulation.title())), margin=(0, 0, 6, 0))
        self.sentence = ""
        """Description of the picture; empty before there is one"""
        self.column = pn.Column(head, inside, self._words, sizing_mode="stretch_width", styles=card, max_width=1100)
        self.session.begin()

    def _take(self, state: Mapping[str, Any]) -> None:
        self.sentence = state.get("description", "")
        push_changes(self.column)
        self._controls.show(state)
        self._words.object = str(words(state, self._elsewhere))


def _drawn_elsewhere(session: Session) -> Iterator[str]:
    for root in session.models:
        for model in root.references():
            yield from (kind for tag in model.tags if isinstance(tag, dict) for kind in ELSEWHERE.keys() & tag.keys())
