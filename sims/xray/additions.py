"""What a report consists of: additions, streams and findings. Nothing here needs torch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Addition:
    """A residual addition x + F(x), and what was measured of it. None is what was not measured.

    Sizes are root mean squares over all numbers of a tensor. A row is a token, or an input of a convolution.
    """

    number: int
    """From 0, in the order of the forward pass"""
    module: str
    """The module whose code adds; "(model)" is the whole"""
    call: int
    """Which call of this module in a pass, from 0"""
    place: int
    """Which sum of that call, from 0"""
    made_by: str
    """The module that returned the branch; empty if none did"""
    kind: str
    """identity, scaled, gated or projected"""
    on_skip: tuple[str, ...]
    """What is on the skip: factor, gain, bias, norm, dropout, pool, activation, gate, linear, detach"""
    trunk: tuple[str, ...]
    """What is on the stream between the addition before and this one, the skip included; of a first one, the skip"""
    stream_number: int
    shape: tuple[int, ...]
    factor: float
    """Product of the constants on the skip"""
    pre_norm: bool
    """Whether the branch begins with a norm"""
    ends_in: str
    """The kind of the last operation of the branch, apart from factors, gains, biases and dropout"""
    drops: bool
    """Whether dropout or stochastic depth may have silenced the branch in this pass"""
    read_by: tuple[str, ...]
    """Kinds of the operations that read the sum"""
    stream: float | None = None
    """Size of the skip as it is added, with its factor"""
    branch: float | None = None
    """Size of the branch as it is added, with its factor"""
    sum: float | None = None
    ratio: float | None = None
    """branch / stream"""
    cosine: float | None = None
    """Between stream and branch"""
    identity_share: float | None = None
    """⟨x, x + F⟩ / ‖x + F‖²; this and the share of the branch add to 1"""
    angle: float | None = None
    """arccos(cos) / π between a row before and after, mean over rows: 0 is no turn, 0.5 a right angle"""
    largest: float | None = None
    """The largest size of a number of the sum"""
    alike: float | None = None
    """Mean cosine between two different rows of the sum"""
    gradient: float | None = None
    """Size of the loss's gradient with respect to the sum"""
    flat: float | None = None
    """Largest share of units of an activation in the branch that were flat in every row of the first pass"""
    weight_gradient: float | None = None
    """Root of the summed squares of the sizes of the gradients of the branch's weights, biases left out"""
    lesion: float | None = None
    """How much the evaluation rises without the branch"""

    @property
    def name(self) -> str:
        """Where it is, for a reader: the module, with the call or the place if it is not the first."""
        call = f"#{self.call}" if self.call else ""
        return f"{self.module}{call}" + (f"+{self.place}" if self.place else "")


MEASURES = (
    "stream",
    "branch",
    "sum",
    "ratio",
    "cosine",
    "identity_share",
    "angle",
    "largest",
    "alike",
    "gradient",
    "flat",
    "weight_gradient",
    "lesion",
)
"""Fields of an addition that are numbers or None"""


@dataclass(frozen=True)
class Stream:
    """A stretch of the residual stream whose shape does not change."""

    number: int
    shape: tuple[int, ...]
    additions: tuple[Addition, ...]

    @property
    def growth(self) -> float | None:
        """Size after the last addition over size before the first."""
        return quotient(self.additions[-1].sum, self.additions[0].stream)

    @property
    def uncorrelated(self) -> float | None:
        """The growth that there would be if every branch were at a right angle to the stream: the root of 1 + Σ F²/x²,
        as in a Pre-LN stream at the start (page "scaling"). A norm on the stream makes it meaningless."""
        first, branches = self.additions[0].stream, [addition.branch for addition in self.additions]
        squares = [branch * branch for branch in branches if branch is not None]
        if not first or len(squares) < len(branches):
            return None
        return float((1 + sum(squares) / first**2) ** 0.5)

    @property
    def gradient_ratio(self) -> float | None:
        """Size of the gradient after the first addition over that after the last."""
        return quotient(self.additions[0].gradient, self.additions[-1].gradient)

    @property
    def normed(self) -> bool:
        """Whether a norm is on the stream after at least half of the sums, as in Post-LN."""
        later = self.additions[1:]
        return bool(later) and sum("norm" in addition.trunk for addition in later) >= 0.5 * len(later)


@dataclass(frozen=True)
class Weight:
    """A matrix of the model and the size of its gradient"""

    name: str
    shape: tuple[int, ...]
    gradient: float


@dataclass(frozen=True)
class Finding:
    """Something that was measured, in words, with the page of the site that shows it."""

    name: str
    grade: str
    """ "problem" where it always ended badly, "caution" where it often did, "note" for what is only worth knowing"""
    words: str
    link: str
    """Page, state and figure, relative to the site; empty if there is none"""
    additions: tuple[int, ...] = ()
    """Numbers of the additions that it is about"""


@dataclass(frozen=True)
class Contents:
    """Everything that a report knows; the rest follows from it."""

    additions: tuple[Addition, ...] = ()
    weights: tuple[Weight, ...] = ()
    """Matrices whose gradient was measured, in the model's order"""
    opaque: Mapping[str, int] = field(default_factory=dict)
    """What could not be followed → how often it was met: kernels of somebody's own, modules, torch.jit"""
    blocks: Mapping[str, str] = field(default_factory=dict)
    """Modules that return the shape that they got, but not their input itself → their class, if any of it adds"""
    remarks: tuple[str, ...] = ()
    """Sentences on what was left out or went wrong"""
    model: str = ""
    """Class of the model"""
    torch: str = ""
    """Version"""
    passes: int = 0
    """Forward passes of the whole model"""
    whole: float | None = None
    """What the evaluation of `lesions` returned without a lesion"""


def quotient(above: float | None, below: float | None) -> float | None:
    """above / below, or None where that says nothing."""
    return above / below if above is not None and below else None


def streams(additions: Sequence[Addition]) -> list[Stream]:
    """The streams of some additions, in the order in which they begin."""
    numbers = list(dict.fromkeys(addition.stream_number for addition in additions))
    parts = [tuple(addition for addition in additions if addition.stream_number == number) for number in numbers]
    return [Stream(number, part[0].shape, part) for number, part in zip(numbers, parts, strict=True)]
