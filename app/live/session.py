"""Handles one reader's live figure: receives requests, sends plot updates and text."""

import asyncio
import json
from collections.abc import Collection, Mapping
from typing import Any

from bokeh.document import Document
from bokeh.document.events import MessageSentEvent
from bokeh.model import Model

from app.bokeh_internals.batched_patch import batched_patch
from app.bokeh_internals.column_diff import reset
from app.bokeh_internals.identifiers import identified
from app.bokeh_internals.messages import LISTING, LIVE, REPLY, REQUEST
from app.live import downloads
from app.live.page_state import page_state
from app.live.run_controller import RunController
from app.live.run_handover import RunHandover
from app.pages.text.listing import highlight
from app.pictures.base.timed import played
from app.runs import jobs, suspended_runs
from app.views.base import view_of
from sims.contract.frame import Frame
from sims.contract.parameters import control_names, read, to_text
from sims.contract.simulation import Simulation, Training
from sims.kept import results

REQUEST_LIMIT = 2_000
"""The longest request that the page may send, in characters."""


class Session:
    """Ties a simulation, its view and its run to a document.

    The document holds the figures; controls and everything around the figures belong to the page. Page and session
    exchange Bokeh's custom messages. The page sends a `request`, as JSON. The session sends the state of the picture
    (`live`), the code of these settings (`listing`), and a table or a file that was asked for (`reply`). Messages that
    belong to a picture go to the page together with its changes.

    Nothing is shown, and no run started, before the page asks for it: it has a prerendered picture.
    """

    def __init__(
        self,
        document: Document,
        name: str,
        simulation: Simulation,
        *,
        place: str | None = None,
        notes: list[str] | None = None,
        open_run: jobs.Open | None = None,
        owner: str = "",
    ) -> None:
        self.document = document
        self.simulation = simulation
        self.notes = notes or []
        self.frame: Frame | None = None
        self.kept = False
        self.seen = True
        self.controller = RunController(open_run, self.deliver, self.is_watched)
        self.handover = RunHandover(owner)
        self._asked = 0
        self._sent: dict[str, Any] = {}
        """The last message of each type sent to the page"""
        with identified(place or name):
            self.view = view_of(name, simulation)
            self.stage, self.measures = self.view.draw(), self.view.measures()
        self._film = played(self.stage)
        self.view.change, self.view.change_all, self.view.play = self.change, self.change_all, self.play
        document.on_message(REQUEST, self._on_request)

    @property
    def models(self) -> list[Model]:
        """The root models for the document of this session."""
        return [*self.stage, *self.measures]

    def end(self) -> None:
        """Close the session, keeping an unfinished run for the next one."""
        name = self.stash_run()
        if name:
            asyncio.get_running_loop().run_in_executor(None, suspended_runs.write, name)
        self.controller.close()

    def stash_run(self) -> str:
        """Keep the run for the reader's next session, and return its name; empty if there is none."""
        return self.handover.stash(self.simulation, self.controller.run)

    # -- what the reader does ------------------------------------------------------------------------------------

    def change(self, name: str, value: Any) -> None:
        """Set a parameter from untrusted input: a value out of bounds is clamped, with a note on the page."""
        self.change_all({name: value})

    def change_all(self, values: Mapping[str, Any]) -> None:
        """Set several parameters at once, as `change` does; a run restarts at most once."""
        with batched_patch(self.document):
            self._change_all(values)

    def _change_all(self, values: Mapping[str, Any]) -> None:
        self.parameters_changed(self._apply_values(values))

    def _apply_values(self, values: Mapping[str, Any]) -> list[str]:
        """Set these parameters and return those that changed; values that were not valid are noted."""
        settings, self.notes = read(type(self.simulation), values)
        if "seed" in settings and settings["seed"] != self.simulation.settings()["seed"]:
            forgotten = {name: self.simulation.param[name].default for name in self.view.forgets}
            settings = {**forgotten, **settings}
        changed = []
        for name, admitted in settings.items():
            before = getattr(self.simulation, name)
            setattr(self.simulation, name, admitted)
            if admitted != before or type(admitted) is not type(before):
                changed.append(name)
        return changed

    def parameters_changed(self, changed: Collection[str]) -> None:
        """Show the simulation after these parameters have changed; a run that plays restarts."""
        if not changed:
            self.publish_state()
        elif not isinstance(self.simulation, Training) or results.cache_key_settings(self.simulation).keys().isdisjoint(
            changed
        ):
            self.show_now()
        elif self.controller.playing:
            self.frame, self.kept = None, False  # nothing is said of the former settings' picture
            self.controller.restart(self.simulation)
            self.publish_state()
        else:
            self.controller.leave()
            self.frame, self.kept = None, False
            self.show_now()

    def reset(self, initial: Mapping[str, Any]) -> None:
        """Return to the values the page was written with, or to the declared defaults."""
        parameters = {name: self.simulation.param[name] for name in control_names(type(self.simulation))}
        self.change_all({name: initial.get(name, to_text(parameter.default)) for name, parameter in parameters.items()})

    def play(self) -> None:
        """Let the run continue, or start it."""
        self.controller.play(self.simulation)

    def _on_request(self, text: str) -> None:
        if len(text) > REQUEST_LIMIT:
            return
        try:
            message = json.loads(text)
            action = message["do"]
            self._asked = int(message.get("n", 0))
        except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
            return
        with batched_patch(self.document):
            self.act(str(action), message)

    def act(self, action: str, message: Mapping[str, Any]) -> None:
        """Do what a page requests; actions that make no sense here are ignored."""
        values = message.get("values")
        if action in ("seen", "unseen"):
            self.seen = action == "seen"
        if action == "set" and isinstance(values, dict):
            self._change_all(values)
        elif action == "reset" and isinstance(message.get("initial"), dict):
            self.reset(message["initial"])
        elif action in downloads.REPLIES:
            frame = self._present()
            if frame is not None:
                self._send(REPLY, downloads.reply(action, self.simulation, frame))
        elif action == "seed" and "seed" in self.simulation.param:
            self._change_all({"seed": self.simulation.settings()["seed"] + 1})
        elif action == "show":
            self._page_connected(values, message.get("step") == 0)
        elif isinstance(self.simulation, Training):
            self._drive(action, message)

    def _page_connected(self, values: Any, at_start: bool) -> None:
        """Update a page that has just connected: it may show something else, and want other values already. A run that
        it shows `at_start` stays there."""
        self._forget()
        changed = self._apply_values(values) if isinstance(values, dict) and values else []
        if changed:
            self.parameters_changed(changed)
        else:
            if at_start:
                self.controller.opened(self.simulation)
            self.show_now()

    def _drive(self, action: str, message: Mapping[str, Any]) -> None:
        if action == "resume" and self.controller.run is None:
            self._resume_run(message)
        elif action == "restart":
            self.handover.expect(None)
            self.controller.restart(self.simulation)
            self.kept = False
        elif action == "end":
            self.show_end()
        else:
            self.controller.drive(action, message, self.simulation)
        self.publish_state()

    def _resume_run(self, message: Mapping[str, Any]) -> None:
        """Continue the run that the page had in another session, from the step where it was kept, or restart it. A page
        that shows the start, as its run has not `begun`, gets a run from there, whatever other pages have left."""
        self._forget()
        begun = None
        if message.get("begun"):
            begun = self.handover.load(self.simulation)
            if begun is None and results.is_kept(self.simulation):
                self.show_now()
                return
            self.handover.expect(self.simulation)
        self.controller.opened(self.simulation, begun)
        if message.get("play"):
            self.play()

    # -- what the page is shown ----------------------------------------------------------------------------------

    def show_now(self) -> None:
        """Show the picture of the settings: the present frame, the end of a kept run, or the start of a new run."""
        if self.frame is not None:
            self.frame = self.simulation.reread(self.frame)
        frame = self._present()
        if frame is not None:
            self.show(frame, kept=self.kept)
        else:
            self.controller.opened(self.simulation)
            self.publish_state()

    def _present(self) -> Frame | None:
        """The frame that is shown, or that can be computed at once; None where workers have to compute it first."""
        if not isinstance(self.simulation, Training):
            return self.simulation.compute()
        if self.frame is None and self.controller.run is None:
            self.frame = results.kept(self.simulation)
            self.kept = self.frame is not None
        return self.frame

    def show_end(self) -> None:
        """Show the last frame of these settings, if a complete run of them was kept; the run itself stays where it
        is."""
        frame = results.kept(self.simulation)
        if frame:
            self.controller.skip()
            self.show(frame, kept=True)

    def show(self, frame: Frame, kept: bool = False) -> None:
        """Draw a frame and tell the page what it shows, and whether it was computed for this reader or `kept` from
        before."""
        self.frame = frame
        self.kept = kept
        with batched_patch(self.document):
            self.view.update(frame)
            self.publish_state()

    def publish_state(self) -> None:
        """Send the page its current state."""
        for kind, data in ((LISTING, highlight(self.simulation.listing())), (LIVE, self.page_state())):
            if self._sent.get(kind) != data:
                self._sent[kind] = data
                self._send(kind, data)

    def page_state(self) -> Mapping[str, Any]:
        """Everything the page says about the picture."""
        return page_state(
            self.simulation,
            self.frame,
            status=self.controller.status,
            notes=self.notes,
            kept=self.kept,
            playing=self.controller.playing,
            seconds=self.controller.duration,
            request=self._asked,
            film=self._film,
        )

    def _send(self, kind: str, data: Any) -> None:
        self.document.callbacks.trigger_on_change(MessageSentEvent(self.document, kind, data))

    def _forget(self) -> None:
        """Forget what was sent: the page that has just connected may not have it."""
        reset(self.document)
        self._sent.clear()

    def is_watched(self) -> bool:
        """Whether a browser is still connected: this notices a closed tab long before its session expires."""
        session = getattr(self.document.session_context, "session", None)
        return session is not None and session.connection_count > 0

    def apply_update(self, update: jobs.Update) -> None:
        """Show an update. A frame that was in flight when the reader skipped to the end is not shown."""
        self.controller.status = update.status
        frame = update.frame
        if frame is None or (self.kept and self.controller.skipped):
            with batched_patch(self.document):
                self.publish_state()
            return
        self.notes = self.handover.notes(self.simulation, frame) or self.notes
        self.show(self.simulation.reread(frame))
        if frame.finished and not frame.diverged and not results.is_kept(self.simulation):
            simulation = type(self.simulation)(**self.simulation.settings())
            asyncio.get_running_loop().run_in_executor(None, results.keep, simulation, frame)

    async def deliver(self, update: jobs.Update) -> None:
        """Take an update from the scheduler. Returns when the document has it, so that frames do not pile up."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        run = self.controller.run
        generation = run.generation if run else 0

        def apply() -> None:
            # The settings may have changed while the document was busy, and this update is about the former ones.
            is_current = self.controller.run is run and (run is None or run.generation == generation)
            try:
                if is_current:
                    self.apply_update(update)
            finally:
                if not done.done():
                    done.set_result(None)

        if self.document.session_context is None:
            return
        self.document.add_next_tick_callback(apply)
        await done
