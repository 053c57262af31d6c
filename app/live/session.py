"""One simulation on one reader's page: controls in, figures and words out."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import panel as pn
from bokeh.document import Document
from bokeh.models.widgets import TextInput

from app.live import downloads
from app.live.controls import Controls, grid
from app.live.transport import Transport
from app.pages.listing import highlight
from app.runs import jobs
from app.views.base import view_of
from sims.contract.frame import Frame, finite
from sims.contract.parameters import control_names, read, to_text
from sims.contract.simulation import Simulation, Training
from sims.kept import results
from sims.kept.provenance import version

REQUEST_LIMIT = 2_000
"""Characters of a request that the page may send."""


class Session:
    """Ties a simulation, its view and its run to a document.

    The page's own text (description, results, notes, honesty, table, downloads) is filled by the page's script from
    `live`, a hidden model that carries JSON, and from `listing`, one that carries the code of these settings. The
    script answers through `request`, and gets long answers in `reply`. What belongs to one picture goes to the page in
    one message, and none of it makes the page lay itself out anew.
    """

    def __init__(self, document: Document, name: str, simulation: Simulation, notes: list[str]) -> None:
        self.document = document
        self.name = name
        self.simulation = simulation
        self.notes = notes
        self.frame: Frame | None = None
        self.kept = False
        self.status = jobs.Status("ready")
        self.run: jobs.Run | None = None
        self._resume = False
        self._skipped = -1
        """The generation of the run whose end was shown before it was reached"""
        self.view = view_of(name, simulation)
        self.view.change, self.view.change_all = self.change, self.change_all
        self.controls = Controls(simulation, self.change)
        self.live = TextInput(name="live", visible=False)
        self.listing = TextInput(name="listing", visible=False)
        self.request = TextInput(name="request", visible=False)
        self.reply = TextInput(name="reply", visible=False)
        self.request.on_change("value", self._on_request)
        self.transport = Transport(self) if isinstance(simulation, Training) else None

    def layout(self) -> pn.Column:
        """Controls, transport and figures: what is embedded in the page."""
        figures = [pn.pane.Bokeh(each, sizing_mode="stretch_width", margin=0) for each in self.view.figures()]
        narrow = [each for each in figures if "grid-column" not in each.object.styles]
        if len(narrow) % 2:
            narrow[-1].styles = {"grid-column": "1 / -1"}
        parts = [*self.controls.layout(self.simulation)]
        if self.transport:
            parts.append(self.transport.layout())
        parts.append(grid(*figures, least=300))
        hidden = pn.Column(self.live, self.listing, self.request, self.reply, visible=False)
        return pn.Column(*parts, hidden, sizing_mode="stretch_width", margin=0)

    def begin(self, scheduler: jobs.Jobs, reader: str) -> None:
        """Show the first picture. Raises `jobs.Busy` where no more runs are taken."""
        if isinstance(self.simulation, Training):
            self.run = scheduler.open(
                reader, type(self.simulation), self.simulation.settings(), self._on_update, self._watched
            )
            self.view.play = self.run.play
            self.tell()
        else:
            self.show(self.simulation.compute())

    def end(self) -> None:
        """The reader has left."""
        if self.run:
            self.run.close()

    # -- what the reader does ------------------------------------------------------------------------------------

    def change(self, name: str, value: Any) -> None:
        """Take over a value from anywhere outside: admitted, or clamped with a note on the page."""
        self.change_all({name: value})

    def change_all(self, values: Mapping[str, Any]) -> None:
        """Take over several values at once, as `change` does; a run begins anew at most once."""
        with pn.io.unlocked():
            self._change_all(values)

    def _change_all(self, values: Mapping[str, Any]) -> None:
        settings, self.notes = read(type(self.simulation), values)
        changed = []
        for name, admitted in settings.items():
            before = getattr(self.simulation, name)
            setattr(self.simulation, name, admitted)
            self.controls.show(name, admitted)
            if admitted != before or type(admitted) is not type(before):
                changed.append(name)
        if not changed:
            self.tell()
        elif self.run is None:
            self.show(self.simulation.compute())
        elif any(map(self._begins_anew, changed)):
            self.run.restart(self.simulation.settings())
            self.tell()
        elif self.frame is not None:
            self.show(self.frame)

    def _begins_anew(self, name: str) -> bool:
        restarts = self.simulation.restarts if isinstance(self.simulation, Training) else None
        return restarts is None or name in restarts

    def reset(self, initial: Mapping[str, Any]) -> None:
        """Back to the values the page was written with, or to the declared ones."""
        parameters = {name: self.simulation.param[name] for name in control_names(type(self.simulation))}
        self.change_all({name: initial.get(name, to_text(each.default)) for name, each in parameters.items()})

    def _on_request(self, _attribute: str, _old: str, text: str) -> None:
        if len(text) > REQUEST_LIMIT:
            return
        try:
            message = json.loads(text)
            action = message["do"]
        except (ValueError, KeyError, TypeError, RecursionError):
            return
        if action == "set":
            self.change(str(message.get("name")), message.get("value"))
        elif action == "reset" and isinstance(message.get("initial"), dict):
            self.reset(message["initial"])
        elif self.run and action == "play":
            self.run.play()
        elif action in ("csv", "json", "table") and self.frame is not None:
            self.reply.value = downloads.reply(action, message.get("n"), self.simulation, self.frame)
        elif self.run and action == "unseen" and self.run.playing:
            self._resume = True
            self.run.pause()
        elif self.run and action == "seen" and self._resume:
            self._resume = False
            self.run.play()

    # -- what the page is shown ----------------------------------------------------------------------------------

    def show_end(self) -> None:
        """Show the last frame of these settings, if a whole run of them was kept; the run itself stays where it is."""
        frame = results.kept(self.simulation)
        if self.run and frame:
            self.run.pause()
            self._skipped = self.run.generation
            self.show(frame, kept=True)

    def show(self, frame: Frame, kept: bool = False) -> None:
        """Draw a frame and say what it shows, and whether it was computed for this reader or kept from before."""
        self.frame = frame
        self.kept = kept
        with pn.io.unlocked():
            self.view.update(frame)
            self.tell()

    def tell(self) -> None:
        """Bring the page's own text up to date."""
        if self.transport:
            self.transport.show(self.status, self.frame)
        self.listing.value = highlight(self.simulation.listing())
        onward = self.simulation.onward()
        self.live.value = json.dumps(
            {
                "values": {name: to_text(value) for name, value in self.simulation.settings().items()},
                "defaults": {name: to_text(self.simulation.param[name].default) for name in self.simulation.settings()},
                "notes": self.notes,
                "honesty": {**vars(self.simulation.honesty()), "computed": self._computed()},
                "status": self.status.state,
                "place": self.status.place,
                "message": self.status.message,
                "onward": None if onward is None else {"words": onward.words, "address": onward.address},
                **({} if self.frame is None else self._reported(self.frame)),
            },
            allow_nan=False,
        )

    def _computed(self) -> str:
        made = type(self.simulation)
        code = version(made.__module__, made.__name__)
        if self.kept:
            return f"Kept from an earlier run of this very code, version {code}, and shown without training."
        return f"Live, on this server, for you; code version {code}."

    def _reported(self, frame: Frame) -> dict[str, Any]:
        return {
            "description": self.simulation.describe(frame),
            "results": {name: finite(value) for name, value in frame.results.items()},
            "diverged": [vars(each) for each in frame.diverged],
            "step": frame.step,
            "steps": frame.steps,
        }

    def _watched(self) -> bool:
        """Whether a browser still listens: a closed tab is noticed here long before its session expires."""
        session = getattr(self.document.session_context, "session", None)
        return session is not None and session.connection_count > 0

    def take(self, update: jobs.Update) -> None:
        """Show an update. A frame that was under way when the reader skipped to the end comes too late to be shown."""
        self.status = update.status
        late = self.kept and self.run is not None and not self.run.playing and self.run.generation == self._skipped
        if update.frame is None or late:
            self.tell()
        else:
            self.show(update.frame)

    async def _on_update(self, update: jobs.Update) -> None:
        """Take an update from the scheduler; returns when the document has it, so that no frames pile up."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def apply() -> None:
            try:
                self.take(update)
            finally:
                if not done.done():
                    done.set_result(None)

        if self.document.session_context is None:
            return
        self.document.add_next_tick_callback(apply)
        await done
