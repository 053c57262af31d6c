"""Which sums are residual: one operand leads back to a tensor from which the other descends through something learned.

The search for forks and joins in a graph of operations is old: users of torch.fx prune networks with it. Here it
is done on a pass that really ran. Six rules came from counterexamples; each is named where it is applied.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from torch import Tensor

from sims.xray.lineage import FoundSum, Key, Node

AGAINST = {
    "view": 0,
    "sum": 0,
    "detach": 0,
    "bias": 1,
    "dropout": 1,
    "fill": 1,
    "factor": 1,
    "gain": 1,
    "norm": 2,
    "pool": 2,
    "activation": 3,
    "gate": 3,
    "linear": 4,
}
"""What may be on a skip → how much it speaks against its being one"""

LONGEST_SKIP = 16
"""Operations on a skip, at most"""

PROJECTIONS = 2
"""Linear maps on a skip, at most"""


class Inside(NamedTuple):
    """The most of each on a way from the source of a branch to a node of it"""

    linear: int = 0
    bent: int = 0
    """Activations, gates, unknown operations"""
    learned: int = 0


class Skip(NamedTuple):
    """A way past a branch"""

    against: int
    way: tuple[Node, ...]
    """From the operand of the sum to the source of the branch"""
    inside: dict[Node, Inside]
    """The branch, its source included"""


class Ends(NamedTuple):
    """What a sum may have as its skip and its branch"""

    nodes: tuple[Node, Node]
    sides: tuple[int, ...]
    """Which of the two may be the skip"""
    shape: tuple[int, ...]
    factors: tuple[float, float]
    """What the operation itself multiplies each by"""
    adds_only: bool


def residual(key: Key, operation: str, ends: Ends) -> FoundSum | None:
    """Return the residual addition that a sum is, or None. Nothing but the graph is read."""
    if any(node.constant for node in ends.nodes) or max(ends.shape, default=1) < 2:
        return None
    ways = [(way, side) for side in ends.sides if (way := skip_around(ends, side)) is not None]
    if not ways:
        return None
    skip, side = min(ways, key=lambda pair: (pair[0].against, ends.nodes[pair[1]].order))
    end, other = ends.nodes[side], ends.nodes[1 - side]
    passed = skip.way[:-1]
    on_skip = [node.kind for node in passed if node.kind not in ("view", "sum")]
    if other.graded and skip.way[-1].graded and not end.graded and "detach" not in on_skip:
        on_skip.append("detach")  # by x.data, or by torch.no_grad() around the skip alone
    factor = ends.factors[side]
    for node in passed:
        factor *= node.factor
    source = skip.way[-1].origin("view")
    inside = skip.inside
    trunk, previous = _before(end)
    return FoundSum(
        key,
        operation,
        _kind(operation, on_skip),
        on_skip,
        other.maker,
        side if ends.adds_only else 2,
        factor,
        any(node.kind == "norm" and source in [parent.origin("view") for parent in node.parents] for node in inside),
        other.origin("view", "dropout", "fill", "factor", "gain", "bias").kind,
        ends.shape,
        [node.flat for node in inside if node.flat is not None],
        [weight for node in inside if node is not source for weight in node.weights],
        any(node.kind == "dropout" or (node.kind == "gain" and not node.learned) for node in inside),
        end,
        trunk if previous else on_skip,
        previous,
        next((node.axis for node in (end, other) if node.axis is not None and node.shape == ends.shape), None),
    )


def _kind(operation: str, on_skip: Sequence[str]) -> str:
    if "linear" in on_skip:
        return "projected"
    if "gate" in on_skip or operation.startswith("lerp"):
        return "gated"
    return "scaled" if on_skip else "identity"


def _before(end: Node) -> tuple[list[str], FoundSum | None]:
    """What is on the stream between a sum and the one before it, and that one. Of two tensors that are multiplied, the
    stream is the one with the least on its way back to a sum: in mask · norm(x) it goes through the norm."""
    waiting: list[tuple[int, list[str], Node]] = [(0, [], end)]
    seen = {end}
    while waiting:
        against, trunk, node = waiting.pop(min(range(len(waiting)), key=lambda at: waiting[at][0]))
        if node.addition:
            return trunk, node.addition
        if node.kind in AGAINST and node.kind not in ("sum", "detach"):
            passed = [*trunk, node.kind] if node.kind != "view" else trunk
            # In z · σ(W x), σ(W x) only gates: the stream is z, even if z has no sum before it.
            values = [parent for parent in node.parents if not _is_gate(parent)]
            ways = [parent for parent in values or node.parents if parent not in seen]
            waiting += [(against + AGAINST[node.kind], passed, parent) for parent in ways]
            seen.update(ways)
    return [], None


def _is_gate(node: Node) -> bool:
    bent = node.origin("view")
    return bent.kind == "activation" and bent.parents[0].origin("view", "bias").kind == "linear"


def skip_around(ends: Ends, side: int) -> Skip | None:
    """How the operand on that side may be a skip around a branch that ends in the other operand."""
    end, other = ends.nodes[side], ends.nodes[1 - side]
    if end.shape != ends.shape:  # Rule 1: a skip has the full shape of its sum; shifts and relative biases do not.
        return None
    waiting: list[tuple[int, tuple[Node, ...]]] = [(0, (end,))]
    while waiting:
        against, way = waiting.pop(min(range(len(waiting)), key=lambda at: waiting[at][0]))
        node, passed = way[-1], Counter(step.kind for step in way[:-1])
        if node is other:
            continue
        inside = between(node, other) if node.order < other.order else None
        fed = bool(inside) and _fed_anew(node, inside or {})
        if inside and not (fed and node.kind in ("view", "sum")):  # the first node that both share decides
            if not fed and _is_branch(inside[other], against, passed):
                return Skip(against, way, inside)
            continue
        if (
            len(way) > LONGEST_SKIP
            or node.kind not in AGAINST
            or (node.kind == "linear" and passed["linear"] >= PROJECTIONS)
        ):
            continue
        if node.addition and node.addition.skip_node:  # Rule 5: x + F(x) + G(x) goes on beyond the sum that was found.
            waiting.append((against, (*way, node.addition.skip_node)))
        elif node.kind == "gate" or len(node.parents) == 1:
            waiting += [(against + AGAINST[node.kind], (*way, parent)) for parent in node.parents]
    return None


def _fed_anew(source: Node, inside: dict[Node, Inside]) -> bool:
    """Rule 4: what joins a stream that does not come from it, such as places of tokens, is nobody's source. A half of a
    reversible stack is none either, but the tensor that was split into both is."""
    return any(node.addition and node is not source and node.addition.skip_node not in inside for node in inside)


def _is_branch(end: Inside, against: int, passed: Counter[str]) -> bool:
    if not end.learned:  # Rule 2: something learned is on the branch.
        return False
    # Rule 3: where a projection is on the skip, the branch bends, and has no fewer linear maps.
    projected = end.linear and end.bent and not passed["activation"]
    return against < 3 or bool(projected and (passed["linear"] < PROJECTIONS or end.linear > passed["linear"]))


def between(source: Node, end: Node) -> dict[Node, Inside] | None:
    """The nodes on the ways from a source to an end, in order, with the most that is on a way to each; None if there is
    no way."""
    seen, waiting = {end}, [end]
    while waiting:
        for parent in waiting.pop().parents:
            if parent.order >= source.order and parent not in seen:
                seen.add(parent)
                waiting.append(parent)
    if source not in seen:
        return None
    reached = {source: Inside()}
    for node in sorted(seen, key=lambda candidate: candidate.order):
        before = [reached[parent] for parent in node.parents if parent in reached]
        if before and node is not source:
            most = [max(values) for values in zip(*before, strict=True)]
            reached[node] = Inside(*(have + own for have, own in zip(most, _own(node), strict=True)))
    return reached


def _own(node: Node) -> Inside:
    counts = node.kind in ("linear", "norm", "op") or (node.kind == "gain" and bool(node.maker))
    bends = node.kind in ("activation", "gate", "fill", "op")  # where(x > 0, x, 0) is a ReLU
    return Inside(node.kind == "linear", bends, node.learned and counts)


def operands(name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[Tensor, Tensor, float] | None:
    """The two tensors of a sum and what the second is multiplied by; None if one of them is no tensor."""
    values = [*args, *(kwargs[word] for word in ("input", "other") if word in kwargs)][:2]
    if len(values) != 2 or not all(isinstance(value, Tensor) for value in values):
        return None
    alpha = kwargs.get("alpha", args[2] if len(args) > 2 and isinstance(args[2], int | float) else 1.0)
    return values[0], values[1], float(alpha) * (-1 if "sub" in name else 1)


def chained(sums: Sequence[FoundSum]) -> list[int]:
    """The number of the stream that each sum is on: a stream goes on as long as its shape does."""
    numbers: dict[FoundSum, int] = {}
    for addition in sums:
        before = addition.previous
        goes_on = before is not None and before.shape == addition.shape and before in numbers
        numbers[addition] = numbers[before] if goes_on and before else len(set(numbers.values()))
    return list(numbers.values())
