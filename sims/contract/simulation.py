"""The contract of a simulation: parameters, numbers, and the sentence that says what they show.

A simulation is one declaration. The page's controls, its URL, the reset, the caption, the alternative text, the data
table, the exports, the command line and the contract tests all follow from it.
"""

import inspect
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, ClassVar

import param

from sims.contract.address import query
from sims.contract.frame import Frame, finite

SHOWN_BY = "skip_connections.show"
"""Group of entry points for notebooks: each is called with a simulation, the kinds of content that the notebook asks
for and those that it excludes, and returns the result of `_repr_mimebundle_`."""

State = Any
"""Everything that a training needs to continue: picklable, explicit, and complete."""


@dataclass(frozen=True)
class Disclosure:
    """The disclosure under every figure: what was really computed, and what the figure cannot show."""

    network: str
    data: str
    seeds: str
    cannot_show: str


@dataclass(frozen=True)
class NextLink:
    """A link to another simulation with given settings: its text, its page, its place on the page, its settings."""

    words: str
    page: str
    place: str
    settings: Mapping[str, str]

    @property
    def address(self) -> str:
        """The link's URL relative to the site, in the format that the page's script reads."""
        return f"{self.page}{query(self.place, self.settings)}#{self.place}"


class Simulation(param.Parameterized):
    """An instant simulation: `compute` answers within 50 ms.

    The first line of the docstring is the title; the rest describes the picture to somebody who cannot see it.
    Parameters carry bounds or options, a label and a doc. A precedence of 1 or more folds a control away under
    "more controls"; a negative one keeps it off the page (it stays in the URL and on the command line).
    """

    listing_repeats: ClassVar[bool] = True
    """Whether the file of `listing` trains what the figure shows, on its data; otherwise it holds a network alone"""

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {}
    """The most important controls, each with the values for which figures are precomputed, in all combinations: at most
    about 60 if each is a training, and about a hundred if they are instant. One compressed file holds them all, so the
    control that changes most of the figure comes first. The other controls keep the values that the page has set."""

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)

    @classmethod
    def title(cls) -> str:
        return (inspect.getdoc(cls) or "").split("\n", 1)[0].strip()

    @classmethod
    def about(cls) -> str:
        return " ".join((inspect.getdoc(cls) or "").split("\n", 1)[-1].split())

    def settings(self) -> dict[str, Any]:
        """The value of every parameter, by name."""
        return {name: getattr(self, name) for name in self.param if name != "name"}

    def provenance(self, frame: Frame) -> str:
        """Return what was computed, the sentence that describes it, the settings, and the disclosure, a line each."""
        disclosure = self.disclosure()
        settings = ", ".join(f"{name} = {value}" for name, value in self.settings().items())
        lines = [self.title(), self.describe(frame), f"Settings: {settings}"]
        lines += [f"Network: {disclosure.network}", f"Data: {disclosure.data}", f"Seeds: {disclosure.seeds}"]
        return "\n".join([*lines, f"It cannot show: {disclosure.cannot_show}"])

    def finite_settings(self) -> dict[str, object]:
        """The settings in a form that JSON can hold."""
        return {name: finite(value) for name, value in self.settings().items()}

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        """Return what a notebook shows: the result of the first entry point that is installed in the group SHOWN_BY.

        Raises NotImplementedError if there is none, which makes a notebook print the settings.
        """
        for entry_point in entry_points(group=SHOWN_BY):
            return entry_point.load()(self, include, exclude)
        raise NotImplementedError

    @abstractmethod
    def compute(self) -> Frame:
        """Return the frame for these parameters: the same parameters give the same bits."""

    def reread(self, frame: Frame) -> Frame:
        """Return the frame for the current values of those settings that need no new run, but change what is shown.

        `frame` may have been made with other values of these settings. By default, nothing depends on them.
        """
        return frame

    @abstractmethod
    def describe(self, frame: Frame) -> str:
        """Return one or two sentences that say what the frame shows, with its numbers."""

    @abstractmethod
    def disclosure(self) -> Disclosure:
        """Return what was computed for these parameters, and what it cannot show."""

    def next_link(self) -> NextLink | None:
        """Return a link to the simulation that continues from these parameters; None if there is none."""
        return None

    def listing(self) -> str:
        """Return a whole Python file that does what these parameters say; empty if there is none."""
        return ""

    def configuration(self) -> str:
        """Return a configuration file for nanoGPT that says what these parameters say; empty if there is none."""
        return ""


class Training(Simulation):
    """A long simulation: a run of many steps, cut into chunks that can be streamed, paused, retried and moved.

    `start` and `advance` are pure functions of picklable values. `frame` turns a state into a `Frame`.
    """

    restarts: ClassVar[tuple[str, ...] | None] = None
    """Parameters whose change begins a new run; None means all of them."""

    verb: ClassVar[str] = "Train"
    """Label of the button that starts a run."""

    divisible: ClassVar[bool] = False
    """Whether a state is a mapping from names to independent parts. `advance` then accepts any subset of them, and each
    part comes out as it would among all: workers share the parts of a chunk, and one of them draws all together."""

    @abstractmethod
    def start(self) -> State:
        """Return the state before the first step."""

    @abstractmethod
    def advance(self, state: State, steps: int) -> State:
        """Return the state after `steps` more steps, or after the last one; `state` itself is unchanged."""

    @abstractmethod
    def frame(self, state: State) -> Frame:
        """Return the frame that shows a state."""

    def drawn_beside(self) -> Mapping[Any, Mapping[str, Any]]:
        """Return the other runs that the figure shows if they were kept, such as those of other depths: for each name,
        the settings in which it differs from this one. They come with the code, as the run itself does."""
        return {}

    def compute(self) -> Frame:
        """Return the frame after the whole run: for the command line and the cache, not for the page."""
        state = self.start()
        frame = self.frame(state)
        while not frame.finished:
            state = self.advance(state, frame.steps - frame.step)
            frame = self.frame(state)
        return frame
