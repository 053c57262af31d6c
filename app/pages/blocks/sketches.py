"""Small drawings of blocks within a page: the stream, its branches, and where the norm and the sum are."""

from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup, escape

from app.pages.text.templating import fill
from sims.instruments.networks.weight_places import TARGETS, distance, places

STREAM, BRANCH, TOP, BOTTOM = 24, 70, 4, 128
BACK = 14
ACROSS, HIGH, ROOM = 210, 76, 10
BOXES, WIDEST, SHRINKING = 5, 4.0, 0.55
"""A chain: its size and the room at its ends; its boxes, the gradient's width at the output, a box's factor on it"""

ZERO, UNIT, FLOOR, DOT = 112, 140, 112, 1.5
"""A plane of weights: where its zero is, how far from it the identity, and the radius of a layer's dot"""

SPLIT, SUM = 18, 100
"""Horizontal positions of the split and the sum in the drawing's own units; the drawing is 100 wide."""


@dataclass(frozen=True)
class Sketch:
    """The parts of a block besides its branch: norms before it, after it, on the stream; factors; whether it has a
    skip.

    With `back`, the gradient's path along the stream is highlighted; it passes through everything on the stream. With
    `stacked`, the branch's output runs beside the stream and is not added.
    """

    words: str
    before: bool = False
    behind: bool = False
    on_stream: bool = False
    skip_factor: str = ""
    branch_factor: str = ""
    skip: bool = True
    back: bool = False
    stacked: bool = False
    norm: str = "norm"


@dataclass(frozen=True)
class Chain:
    """A row of blocks with the gradient on its way from the output, on the right, to the input.

    It gets thinner in every block; with `skip`, it also goes around all of them, where it does not.
    """

    words: str
    skip: bool = False


@dataclass(frozen=True)
class Plane:
    """The initial weights of a stack's layers as dots, and the two places where a layer does nothing: zero with a plus
    sign, the identity without. Lines lead from the usual dots to both."""

    words: str


SKETCHES: dict[str, Sketch | Chain | Plane] = {
    "plain": Sketch("plain", skip=False),
    "residual": Sketch("residual"),
    "pre-ln": Sketch("Pre-LN", before=True),
    "post-ln": Sketch("Post-LN", on_stream=True),
    "deepnorm": Sketch("DeepNorm", on_stream=True, skip_factor="α"),
    "peri-ln": Sketch("Peri-LN", before=True, behind=True),
    "rezero": Sketch("ReZero", branch_factor="α"),
    "add": Sketch("add"),
    "concatenate": Sketch("concatenate", stacked=True),
    "gate": Sketch("gate", skip_factor="1−T", branch_factor="T"),
    "pre-ln-back": Sketch("Pre-LN", before=True, back=True, norm="LN"),
    "chain-plain": Chain("plain: one road, through every layer"),
    "chain-residual": Chain("with plus signs: a second road, around them", skip=True),
    "weight-plane": Plane("each dot is an untrained layer; across: how much of I is in W; up: the rest of W"),
    "post-ln-back": Sketch("Post-LN", on_stream=True, back=True, norm="LN"),
}


def sketches(names: list[str]) -> Markup:
    """The drawings with these names in a row. Raises ValueError for an unknown name."""
    unknown = [name for name in names if name not in SKETCHES]
    if unknown or not names:
        raise ValueError(f"expected names among {', '.join(SKETCHES)}, not {' '.join(unknown) or 'none'}")
    return fill("directives/sketches", sketches=[(SKETCHES[name].words, *_drawing(SKETCHES[name])) for name in names])


def _box(x: float, y: float, text: str, kind: str) -> str:
    width, height = (36, 17) if kind == "branch" else (30, 14)
    return (
        f'<rect class="{kind}" x="{x - width / 2:g}" y="{y - height / 2:g}" width="{width}" height="{height}" rx="2"/>'
        f'<text x="{x:g}" y="{y + 3.6:g}">{escape(text)}</text>'
    )


def _road() -> str:
    """The gradient's path back along the skip, from bottom to top; a box on the stream covers it."""
    head = f"{BACK - 5},{TOP + 8} {BACK + 5},{TOP + 8} {BACK},{TOP - 2}"
    return (
        f'<polyline class="road" points="{BACK},{BOTTOM + 4} {BACK},{TOP + 6}" fill="none" stroke="var(--accent)" '
        f'stroke-width="3.2"/><polygon class="road" points="{head}" fill="var(--accent)"/>'
    )


def _drawing(sketch: Sketch | Chain | Plane) -> tuple[str, str, Markup]:
    """The viewBox of a drawing, its class, and its parts."""
    if isinstance(sketch, Plane):
        return "0 0 300 148", "plane", _plane()
    if isinstance(sketch, Chain):
        return f"0 0 {ACROSS} {HIGH}", "chain", _chain(sketch)
    return "0 0 100 132", "block", _svg(sketch)


def _chain(chain: Chain) -> Markup:
    """The gradient comes from the right; to the left of each box its line is thinner by the same factor."""
    row, first, last = HIGH - 31, 36, ACROSS - 36
    places = [first + (last - first) * box / (BOXES - 1) for box in range(BOXES)]
    ends = [ROOM, *places, ACROSS - ROOM]
    pieces = [
        _line(f"{left:g},{row} {right:g},{row}", WIDEST * SHRINKING ** (BOXES - number))
        for number, (left, right) in enumerate(pairwise(ends))
    ]
    kind = "branch" if chain.skip else "layer"
    pieces += [f'<rect class="{kind}" x="{x - 11:g}" y="{row - 9}" width="22" height="18" rx="2"/>' for x in places]
    if chain.skip:
        top, right = row - 34, ACROSS - ROOM
        pieces.append(_line(f"{right},{row} {right},{top} {ROOM},{top} {ROOM},{row - 8}", WIDEST))
        pieces.append(
            f'<polygon points="{ROOM - 6},{row - 10} {ROOM + 6},{row - 10} {ROOM},{row}" fill="var(--accent)"/>'
        )
    pieces += [
        f'<text x="{x:g}" y="{row + 25}">{word}</text>' for x, word in ((first, "first layer"), (last, "output"))
    ]
    return Markup("".join(pieces))


def _plane() -> Markup:
    """Distances in the drawing are those between the weights."""
    low = FLOOR - UNIT * float(distance("small", "residual"))
    high = FLOOR - UNIT * float(distance("default", "residual"))
    far = ZERO + UNIT
    pieces = [
        f'<path class="base" d="M{ZERO} {FLOOR}H{far}"/>',
        f'<path class="plain" d="M{ZERO} {high:.4g}L{far} {FLOOR}"/>',
        f'<path class="residual" d="M{ZERO} {high:.4g}V{FLOOR}"/>',
        f'<path class="pull" d="M{ZERO - 9} {high + 10:.4g}V{low - 8:.4g}m-3 -5l3 5l3 -5"/>',
        f'<circle class="residual" cx="{ZERO}" cy="{FLOOR}" r="5"/>',
        f'<rect class="plain" x="{far - 4.5}" y="{FLOOR - 4.5}" width="9" height="9"/>',
    ]
    pieces += [
        f'<circle class="dot" cx="{ZERO + UNIT * along:.4g}" cy="{FLOOR - UNIT * rest:.4g}" r="{DOT}"/>'
        for initialization in ("default", "small")
        for along, rest in places(initialization).tolist()
    ]
    halfway = (high + FLOOR) / 2
    words = [
        ("end", ZERO - 20, high + 3, "PyTorch’s default"),
        ("end", ZERO - 20, (high + low) / 2 + 3, "weight decay"),
        ("end", ZERO - 20, low + 3, "a tenth of Xavier"),
        ("start", ZERO + 5, halfway + 8, f"{distance('default', 'residual'):.2f}"),
        ("start", ZERO + UNIT / 2 + 3, halfway - 4, f"{distance('default', 'plain'):.2f}"),
    ]
    for kind, amount in TARGETS.items():
        name = "W = I" if amount else "W = 0"
        words += [("middle", ZERO + amount * UNIT, FLOOR + 19, name)]
        words += [("middle", ZERO + amount * UNIT, FLOOR + 32, f"{kind} target")]
    pieces += [f'<text class="{anchor}" x="{x:.4g}" y="{y:.4g}">{word}</text>' for anchor, x, y, word in words]
    return Markup("".join(pieces))


def _line(points: str, width: float) -> str:
    return f'<polyline points="{points}" fill="none" stroke="var(--accent)" stroke-width="{width:.2g}"/>'


def _svg(sketch: Sketch) -> Markup:
    at = BRANCH if sketch.skip else STREAM
    pieces = [f'<path class="{"stream" if sketch.skip else "without"}" d="M{STREAM} {TOP}V{BOTTOM}"/>']
    if sketch.back:
        pieces.append(_road())
    if sketch.skip:
        joint = f"{STREAM + 6}V{BOTTOM}" if sketch.stacked else STREAM
        pieces.append(f'<path class="wire" d="M{STREAM} {SPLIT}H{BRANCH}V{SUM}H{joint}"/>')
        pieces.append(f'<circle class="split" cx="{STREAM}" cy="{SPLIT}" r="3"/>')
    if sketch.before:
        pieces.append(_box(at, 36, sketch.norm, "norm"))
    pieces.append(_box(at, 58, "F", "branch"))
    if sketch.behind:
        pieces.append(_box(at, 80, sketch.norm, "norm"))
    if sketch.branch_factor:
        pieces.append(_box(at, 80, f"× {sketch.branch_factor}", "factor"))
    if sketch.skip_factor:
        pieces.append(_box(STREAM, 76, f"× {sketch.skip_factor}", "factor"))
    if sketch.skip and not sketch.stacked:
        pieces.append(f'<circle class="sum" cx="{STREAM}" cy="{SUM}" r="7"/>')
        pieces.append(f'<path class="plus" d="M{STREAM - 4} {SUM}h8M{STREAM} {SUM - 4}v8"/>')
    if sketch.on_stream:
        pieces.append(_box(STREAM, 118, sketch.norm, "norm"))
    return Markup("".join(pieces))
