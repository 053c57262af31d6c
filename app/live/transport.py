"""The bar that drives a training: train, pause, step, restart, new seed, speed."""

from typing import Any, Protocol

import panel as pn

from app.live.controls import STYLES
from app.runs import jobs
from sims.contract.frame import Frame
from sims.contract.simulation import Simulation
from sims.kept import results

SPEEDS = {"Full speed": 1.0, "Half": 0.5, "A quarter": 0.25, "A tenth": 0.1}

TURNS = "takes turns"
"""Tag of the buttons of which one is shown at a time; the page's script moves the focus from one to the next."""


class Driven(Protocol):
    """What the bar acts on: a session, as far as the bar knows it."""

    simulation: Simulation
    run: jobs.Run | None

    def change(self, name: str, value: Any) -> None: ...

    def show_end(self) -> None: ...

    def tell(self) -> None: ...


class Transport:
    """The buttons for the run of one session."""

    def __init__(self, session: Driven) -> None:
        self._session = session
        # Two buttons that take turns in one place, and none that changes its label: a press means what was read when it
        # was made, however late it comes.
        options: dict[str, Any] = {"tags": [TURNS], "css_classes": ["primary"], "styles": {"grid-area": "1 / 1"}}
        self._train = self._button("Train", "play", **options)
        self._pause = self._button("Pause", "pause", **options, visible=False)
        self._step = self._button("Step", "step")
        self._restart = self._button("Restart", "restart")
        self._seed = self._button("New seed", "seed")
        self._end = self._button("Skip to the end", "end")
        self._end.width = 128
        self._speed = pn.widgets.Select(label="", options=SPEEDS, value=1.0, width=112, stylesheets=[STYLES])
        self._speed.param.watch(self._on_speed, "value")

    def _button(self, label: str, action: str, **options: object) -> pn.widgets.Button:
        return pn.widgets.Button(
            label=label, on_click=lambda _event: self.act(action), stylesheets=[STYLES], width=92, **options
        )

    def layout(self) -> pn.Column:
        """The bar."""
        turns = pn.Column(self._train, self._pause, styles={"display": "grid"}, stylesheets=[STYLES], margin=0)
        buttons = [turns, self._step, self._restart]
        if "seed" in self._session.simulation.param:
            buttons.append(self._seed)
        buttons.append(self._end)
        styles = {"display": "flex", "flex-flow": "row wrap", "gap": "0.2rem 0", "align-items": "center"}
        return pn.Column(
            *buttons, self._speed, sizing_mode="stretch_width", styles=styles, stylesheets=[STYLES], margin=0
        )

    def act(self, action: str) -> None:
        """Do what a button says. Nothing happens before the first frame or after the run has failed."""
        run = self._session.run
        if run is None:
            return
        if action == "play":
            run.play()
        elif action == "pause":
            run.pause()
        elif action == "step":
            run.step()
        elif action == "restart":
            run.restart(self._session.simulation.settings())
        elif action == "end":
            self._session.show_end()
        elif action == "seed":
            self._session.change("seed", self._session.simulation.settings()["seed"] + 1)
        self._session.tell()

    def _on_speed(self, event: object) -> None:
        speed: Any = getattr(event, "new", None)
        if self._session.run and speed in SPEEDS.values():
            self._session.run.speed = speed

    def show(self, status: jobs.Status, frame: Frame | None) -> None:
        """Offer what can be done now. The button that comes is shown before the other one goes, and takes its focus."""
        run = self._session.run
        finished = frame is not None and frame.finished
        playing = run is not None and run.playing and not finished
        coming, going = (self._pause, self._train) if playing else (self._train, self._pause)
        coming.visible, going.visible = True, False
        self._end.visible = not finished and results.is_kept(self._session.simulation)
        self._train.disabled = self._step.disabled = finished or status.state in ("finished", "diverged", "failed")
