"""What the explorer asks of its readers, as checks of a whole run: what it was set to, and how it ended.

Some missions take two runs. The second one then says which run has to come `after` which, which settings the two must
have in `same`, and how many controls may differ at `most`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sims.contract.frame import Frame
from sims.instruments.gradient_health import LEVEL

DEEP = 32
"""Layers from which a network counts as deep here."""

SHALLOW, DEEPER = 4, 16
"""Layers that own points must be too much for, and layers that must be enough for them."""

SEVERAL = 3
"""Seeds from which one may say that a skip decides."""

IGNORED = ("moment", "layer", "pen", "compare")
"""Controls that change what is shown, or a second network, and not the network itself."""

Settings = Mapping[str, Any]
Check = Callable[[Settings, Frame], bool]


@dataclass(frozen=True)
class Mission:
    """A check of one run, and what the page asks of its settings beside those of the run that did the one `after`.

    `same` are the settings that may not differ between the two. Of the others, `most` may; 0 stands for any number.
    """

    done: Check
    after: str = ""
    same: tuple[str, ...] = ()
    most: int = 0


def achieved(settings: Settings, frame: Frame) -> list[str]:
    """The missions that a run has done, or can have done after another one; none before its end."""
    if not frame.steps or not frame.finished:
        return []
    return [name for name, mission in MISSIONS.items() if mission.done(settings, frame)]


def fits(frame: Frame, name: str = "first") -> bool:
    """Whether that network fits with every seed."""
    return frame.results[f"{name}_fits"] == frame.results["seeds"]


def fails(frame: Frame, name: str = "first") -> bool:
    """Whether that network fits with none, and none has left the finite numbers."""
    return frame.results[f"{name}_fits"] == 0 and frame.results[f"{name}_lost"] == 0


def fails_with_level_bars(settings: Settings, frame: Frame) -> bool:
    """A deep plain network whose gradients were level before the first step, and which does not fit."""
    plain = settings["skip"] == settings["norm"] == "none"
    level = bool((frame["first_weight_gradients_health"][0] == LEVEL).all())
    return plain and settings["depth"] >= DEEP and level and fails(frame)


def explodes(settings: Settings, frame: Frame) -> bool:
    """A network with additive skips that leaves the finite numbers with every seed."""
    return settings["skip"] == "additive" and frame.results["first_lost"] == frame.results["seeds"]


def tame(settings: Settings, frame: Frame) -> bool:
    """A network with a sum at every block and no norm anywhere, which fits."""
    summed = settings["skip"] in ("additive", "rezero")
    return summed and settings["norm"] == "none" and not settings["final_norm"] and fits(frame)


def trains_post_norm(settings: Settings, frame: Frame) -> bool:
    """A deep network with skips and Post-LN, which fits."""
    placed = settings["skip"] == "additive" and settings["norm"] == "post-layer"
    return placed and settings["depth"] >= DEEP and fits(frame)


def _pair(settings: Settings, frame: Frame) -> tuple[str, str] | None:
    """The names of the plain network and of its residual twin, where these two were compared."""
    skips = {name: frame.results.get(f"{name}_skip") for name in ("first", "second")}
    twins = {"no-skip": ("second", "first"), "additive": ("first", "second")}
    if settings["compare"] not in twins:
        return None
    plain, residual = twins[settings["compare"]]
    return (plain, residual) if skips[plain] == "none" != skips[residual] else None


def plain_wins(settings: Settings, frame: Frame) -> bool:
    """Plain beside residual with five seeds: plain fits with more of them, or both with all and plain has less loss."""
    pair = _pair(settings, frame)
    if pair is None or settings["seeds"] < 5:
        return False
    plain, residual = (int(frame.results[f"{name}_fits"]) for name in pair)
    less = float(frame.results[f"{pair[0]}_loss"]) < float(frame.results[f"{pair[1]}_loss"])
    return plain > residual or (plain == residual == settings["seeds"] and less)


def skip_decides(settings: Settings, frame: Frame) -> bool:
    """Plain beside residual with several seeds: residual fits with all of them, plain with none."""
    pair = _pair(settings, frame)
    if pair is None or settings["seeds"] < SEVERAL:
        return False
    plain, residual = pair
    return fits(frame, residual) and frame.results[f"{plain}_fits"] == 0


def own_points_too_hard(settings: Settings, frame: Frame) -> bool:
    """A shallow network that does not fit the reader's own points."""
    return settings["task"] == "own" and settings["depth"] <= SHALLOW and fails(frame)


def own_points_learned(settings: Settings, frame: Frame) -> bool:
    """A deeper network that does."""
    return settings["task"] == "own" and settings["depth"] >= DEEPER and fits(frame)


DATA = ("task", "noise", "points")

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
    "learned": Mission(own_points_learned, after="too-hard", same=("points", "training_steps")),
    "decides": Mission(skip_decides),
}
"""Name → mission, in the order of the page."""
