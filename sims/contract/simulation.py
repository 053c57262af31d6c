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
from sims.contract.frame import Frame

SHOWN_BY = "skip_connections.show"
"""Group of entry points: each is called with a simulation and the kinds of content that a notebook asks for and those
that it excludes, and gives what `_repr_mimebundle_` does."""

State = Any
"""Whatever a training needs to go on: picklable, explicit, and complete."""


@dataclass(frozen=True)
class Disclosure:
    """What stands under every picture: what was really computed, and what the picture cannot show."""

    network: str
    data: str
    seeds: str
    cannot_show: str


@dataclass(frozen=True)
class NextLink:
    """A link to another simulation in the state to look at: its words, its page, its place there, its settings."""

    words: str
    page: str
    place: str
    settings: Mapping[str, str]

    @property
    def address(self) -> str:
        """Relative to the site, as the page's own script reads it."""
        return f"{self.page}{query(self.place, self.settings)}#{self.place}"


class Simulation(param.Parameterized):
    """An instant simulation: `compute` answers within 50 ms.

    The first line of the docstring is the title; the rest describes the picture to somebody who cannot see it.
    Parameters carry bounds or options, a label and a doc. A precedence of 1 or more folds a control away under
    "more controls"; a negative one keeps it off the page (it stays in the URL and on the command line).
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {}
    """Controls that carry the story, each with the values whose pictures are made ahead, in all combinations: at most
    some 60 where each is a training, and some hundred where they are instant. One file holds them all, compressed: so
    what changes most of the picture comes first. The other controls stand as the page has set them."""

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

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        """What a notebook shows: the answer of whatever is installed as an entry point of the group SHOWN_BY.

        Raises NotImplementedError where nothing is, which makes a notebook write the settings.
        """
        for entry_point in entry_points(group=SHOWN_BY):
            return entry_point.load()(self, include, exclude)
        raise NotImplementedError

    @abstractmethod
    def compute(self) -> Frame:
        """The picture for these parameters: the same parameters give the same bits."""

    def reread(self, frame: Frame) -> Frame:
        """The same frame under the present settings: those that begin no new run may read something else off it.

        `frame` may have been made under others of these. By default nothing depends on them.
        """
        return frame

    @abstractmethod
    def describe(self, frame: Frame) -> str:
        """One or two sentences that say what the frame shows, with its numbers."""

    @abstractmethod
    def honesty(self) -> Disclosure:
        """What was computed for these parameters, and what it cannot show."""

    def onward(self) -> NextLink | None:
        """Where these parameters lead; None where they lead nowhere."""
        return None

    def listing(self) -> str:
        """A whole Python file that these parameters stand for; empty where there is none."""
        return ""


class Training(Simulation):
    """A long simulation: a run of many steps, cut into chunks that can be streamed, paused, retried and moved.

    `start` and `advance` are pure functions of picklable values. `draw` turns a state into a frame.
    """

    restarts: ClassVar[tuple[str, ...] | None] = None
    """Parameters whose change begins a new run; None means all of them."""

    verb: ClassVar[str] = "Train"
    """What the button says that begins a run."""

    divisible: ClassVar[bool] = False
    """Whether a state is a mapping, from names to parts that know nothing of each other. `advance` then takes any of
    them, and each comes out as it would among all: workers share the parts of a chunk, and one draws them together."""

    @abstractmethod
    def start(self) -> State:
        """The state before the first step."""

    @abstractmethod
    def advance(self, state: State, steps: int) -> State:
        """The state after `steps` more steps, or after the last one; `state` itself stays as it was."""

    @abstractmethod
    def frame(self, state: State) -> Frame:
        """The picture of a state."""

    def compute(self) -> Frame:
        """The picture after the whole run: for the command line and the cache, not for the page."""
        state = self.start()
        frame = self.frame(state)
        while not frame.finished:
            state = self.advance(state, frame.steps - frame.step)
            frame = self.frame(state)
        return frame
