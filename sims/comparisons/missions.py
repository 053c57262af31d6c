"""The explorer's missions for readers, as checks of a complete run: of its settings, and of how it ended.

Some missions take two runs. The second mission then names the mission that the first run must have achieved (`after`),
the settings that both runs must share (`same`), and how many other controls may differ (`most`). The steps of the first
minute are missions, too, easy ones.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from sims.contract.frame import Frame
from sims.contract.parameters import to_text
from sims.data.input_features import COORDINATES, FUNCTIONS
from sims.instruments.gradients.gradient_health import LEVEL

DEEP = 32
"""Layers from which a network counts as deep here."""

SHALLOW, DEEPER = 4, 16
"""Depth at which a network must fail on the reader's own points, and depth at which one must fit them."""

FEW = 8
"""Depth that counts as shallow in the first minute, where a deep network is replaced by a shallow one."""

SEVERAL = 3
"""Least number of seeds for the statement that a skip decides."""

IGNORED = ("moment", "layer", "pen", "compare")
"""Controls that change only what is shown, or the second network, but not the network itself."""

Settings = Mapping[str, Any]
Check = Callable[[Settings, Frame], bool]


@dataclass(frozen=True)
class Mission:
    """A check of one run, and how its settings may differ from those of the run that achieved the mission `after`.

    `same` are the settings that may not differ between the two runs. Of the others, at most `most` may; 0 means any.
    """

    done: Check
    after: str = ""
    same: tuple[str, ...] = ()
    most: int = 0
    own: bool = False
    """Whether the reader must have trained the run, so that a kept one does not count"""


def achieved(missions: Mapping[str, Mission], settings: Settings, frame: Frame) -> list[str]:
    """Return the missions that a run achieves, alone or after another run; none before its end."""
    if not frame.steps or not frame.finished:
        return []
    return [name for name, mission in missions.items() if mission.done(settings, frame)]


def fits(frame: Frame, name: str = "first") -> bool:
    """Whether that network fits the data with every seed."""
    return frame.results[f"{name}_fits"] == frame.results["seeds"]


def fails(frame: Frame, name: str = "first") -> bool:
    """Whether that network fits the data with no seed, while all seeds stay finite."""
    return frame.results[f"{name}_fits"] == 0 and frame.results[f"{name}_lost"] == 0


def fails_with_level_bars(settings: Settings, frame: Frame) -> bool:
    """Whether this is a deep plain network whose gradients were level before the first step, and which does not fit.

    Both kinds of gradient count: the strip shows those of the weights, but weights that are too small or too large
    everywhere show only in those of the stream.
    """
    plain = settings["skip"] == settings["norm"] == "none"
    kinds = ("weight", "stream")
    level = all((frame[f"first_{kind}_gradients_health"][0] == LEVEL).all() for kind in kinds)
    return plain and settings["depth"] >= DEEP and level and fails(frame)


def explodes(settings: Settings, frame: Frame) -> bool:
    """Whether this is a network with additive skips whose numbers overflow with every seed."""
    return settings["skip"] == "additive" and frame.results["first_lost"] == frame.results["seeds"]


def tame(settings: Settings, frame: Frame) -> bool:
    """Whether this is a network with a sum at every block and without any norm, which fits."""
    summed = settings["skip"] in ("additive", "rezero")
    return summed and settings["norm"] == "none" and not settings["final_norm"] and fits(frame)


def trains_post_norm(settings: Settings, frame: Frame) -> bool:
    """Whether this is a deep network with skips and Post-LN, which fits."""
    is_post_norm = settings["skip"] == "additive" and settings["norm"] == "post-layer"
    return is_post_norm and settings["depth"] >= DEEP and fits(frame)


def _pair(settings: Settings, frame: Frame) -> tuple[str, str] | None:
    """Return the names of the plain network and of its residual twin, if these two were compared; else None."""
    skips = {name: frame.results.get(f"{name}_skip") for name in ("first", "second")}
    twins = {"no-skip": ("second", "first"), "additive": ("first", "second")}
    if settings["compare"] not in twins:
        return None
    plain, residual = twins[settings["compare"]]
    return (plain, residual) if skips[plain] == "none" != skips[residual] else None


def plain_wins(settings: Settings, frame: Frame) -> bool:
    """Whether, with five seeds, plain fits with more than residual, or both with all and plain has less loss."""
    pair = _pair(settings, frame)
    if pair is None or settings["seeds"] < 5:
        return False
    plain, residual = (int(frame.results[f"{name}_fits"]) for name in pair)
    less = float(frame.results[f"{pair[0]}_loss"]) < float(frame.results[f"{pair[1]}_loss"])
    return plain > residual or (plain == residual == settings["seeds"] and less)


def skip_decides(settings: Settings, frame: Frame) -> bool:
    """Whether, with several seeds, the residual network fits with all of them, and the plain one with none."""
    pair = _pair(settings, frame)
    if pair is None or settings["seeds"] < SEVERAL:
        return False
    plain, residual = pair
    return fits(frame, residual) and frame.results[f"{plain}_fits"] == 0


def own_points_too_hard(settings: Settings, frame: Frame) -> bool:
    """Whether this is a shallow network that does not fit the reader's own points."""
    return settings["task"] == "own" and settings["depth"] <= SHALLOW and fails(frame)


def own_points_learned(settings: Settings, frame: Frame) -> bool:
    """Whether this is a deeper network that fits the reader's own points."""
    return settings["task"] == "own" and settings["depth"] >= DEEPER and fits(frame)


def feeds(settings: Settings) -> tuple[str, ...]:
    """Return the functions of the coordinates that are the networks' inputs."""
    return tuple(name for name in FUNCTIONS if settings[f"feed_{name}"])


FED = tuple(f"feed_{name}" for name in FUNCTIONS)
DATA = ("task", "noise", "points", *FED)

MISSIONS: Mapping[str, Mission] = {
    "level": Mission(fails_with_level_bars),
    "rescue": Mission(
        lambda settings, frame: settings["depth"] >= DEEP and fits(frame),
        after="level",
        same=(*DATA, "depth", "seeds", "seed"),
        most=1,
    ),
    "explode": Mission(explodes),
    "tame": Mission(tame, after="explode", same=(*DATA, "depth", "optimizer", "learning_rate")),
    "post": Mission(trains_post_norm),
    "plain": Mission(plain_wins),
    "too-hard": Mission(own_points_too_hard),
    "learned": Mission(own_points_learned, after="too-hard", same=("points", *FED, "training_steps")),
    "decides": Mission(skip_decides),
}
"""Name → mission, in the order of the page."""

FIRST_MINUTE: Mapping[str, Mission] = {
    "train": Mission(lambda settings, _frame: settings["compare"] != "none", own=True),
    "rewind": Mission(lambda settings, _frame: settings["moment"] == 0),
    "look": Mission(lambda settings, _frame: settings["layer"] > 0),
    "feed": Mission(lambda settings, _frame: feeds(settings) != COORDINATES, own=True),
    "shallow": Mission(lambda settings, _frame: settings["depth"] <= FEW and settings["compare"] != "none", own=True),
}
"""Name → step of the first minute, in the order of the page."""

LISTS = {"missions": MISSIONS, "first_minute": FIRST_MINUTE}


def judged(settings: Settings, frame: Frame) -> Frame:
    """Return the same frame. At the end of a run, its results also name what the run has achieved of each list, and
    hold the settings, which the page remembers with it."""
    if "refused" in frame.results or not frame.finished:
        return frame
    done = {name: ",".join(achieved(missions, settings, frame)) for name, missions in LISTS.items()}
    text = urlencode({name: to_text(value) for name, value in settings.items()})
    return replace(frame, results={**frame.results, **done, "settings": text})
