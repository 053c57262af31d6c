"""Findings: each is a measurement, a count, and a link to the page that shows it.

The grades come from 90 trainings: what is called a problem before training always ended badly there, a caution often,
and all else is a note. So "no final norm", "a branch ends in an activation" and growth of ten times are notes. Other
seeds and kinds of networks are counted in docs/xray-predictions.md.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from sims.xray.about import GRADES, link
from sims.xray.additions import Addition, Contents, Finding, Stream, Weight, streams

VANISHED, EXPLODED = 1e-3, 1e3
LEVEL = (0.1, 10.0)
"""Of a gradient, first place over last: the bounds of `sims.instruments.gradients.gradient_ratio`"""

HALF = 65504.0
"""The largest number in half precision"""

LEAST = 4
"""Additions that make a stretch worth judging"""

LONG = 8
"""Additions from which on growth is measured"""

SILENT = 1e-3
IDLE = 0.01
ALIKE = 0.98

ALPHAS = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0)
TOWERS = (10, 20, 30, 50, 100, 200, 300, 400, 500, 1000)
POLLUTED = (4, 8, 16, 24, 54)
FACTORS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.01, 1.05, 1.1, 1.2)
DEPTHS = (8, 16, 32)
"""Stops of the parameters that links set"""


def judged(contents: Contents) -> list[Finding]:
    """All findings on a network, problems first."""
    findings = [*_incomplete(contents), *_not_finite(contents.additions), *_gradient_not_finite(contents)]
    findings += [*_detached(contents.additions), *_forgotten(contents)]
    stretches = [stream for stream in streams(contents.additions) if len(stream.additions) >= LEAST]
    for stream in stretches:
        for rule in RULES:
            findings += rule(stream)
        findings += _idle(stream, contents.whole)
    if not contents.additions:
        findings += _without_skips(contents.weights)
    elif stretches and stretches[-1].additions[-1] is contents.additions[-1]:
        findings += _no_final_norm(stretches[-1])
    return sorted(findings, key=lambda finding: GRADES.index(finding.grade))


def nearest(value: float, stops: Sequence[float]) -> str:
    """The stop of a parameter that is nearest to a value, as an address writes it."""
    return f"{min(stops, key=lambda stop: abs(stop - value)):g}"


def numbers(additions: Sequence[Addition]) -> tuple[int, ...]:
    """The numbers of additions in the order of the forward pass."""
    return tuple(addition.number for addition in additions)


def names(additions: Sequence[Addition]) -> str:
    """The first three by name."""
    words = ", ".join(addition.made_by or addition.name for addition in additions[:3])
    return words + (" …" if len(additions) > 3 else "")


def plural(word: str, count: int) -> str:
    """The word, with an s unless the count is 1."""
    return word if count == 1 else f"{word}s"


def span(stream: Stream) -> str:
    """The first and the last addition of a stream, by name."""
    return f"{stream.additions[0].name} to {stream.additions[-1].name}"


# On all additions


def _incomplete(contents: Contents) -> Iterator[Finding]:
    for remark in contents.remarks:
        yield Finding("incomplete", "note", remark, "")
    if contents.opaque:
        words = ", ".join(list(contents.opaque)[:3]) + (" …" if len(contents.opaque) > 3 else "")
        yield Finding("opaque", "note", f"What happens inside of {words} could not be followed.", "")


def _not_finite(additions: Sequence[Addition]) -> Iterator[Finding]:
    bad = [a for a in additions if any(v is not None and not math.isfinite(v) for v in (a.sum, a.largest))]
    if bad:
        words = f"{len(bad)} of {len(additions)} sums are not finite; the first is in {bad[0].name}."
        yield Finding("not finite", "problem", words, link("scaling", "signal", {"alpha": "1"}), numbers(bad))


def _gradient_not_finite(contents: Contents) -> Iterator[Finding]:
    """NaN or infinity that only the backward pass has."""
    sums = [value for addition in contents.additions for value in (addition.sum, addition.largest)]
    if any(value is not None and not math.isfinite(value) for value in sums):
        return
    gradients = (
        [a.gradient for a in contents.additions] if contents.additions else [w.gradient for w in contents.weights]
    )
    bad = [gradient for gradient in gradients if gradient is not None and not math.isfinite(gradient)]
    if bad:
        what = "sums" if contents.additions else "matrices"
        words = f"Of {len(gradients)} {what}, {len(bad)} have a gradient that is not finite"
        words += ", though the forward pass is finite." if contents.additions else "."
        words += " A gradient scaler skips such a step."
        cut = [a for a in contents.additions if a.gradient is not None and not math.isfinite(a.gradient)]
        where = link("degradation", "failures", {"skip": "additive"} if contents.additions else {})
        yield Finding("gradient not finite", "problem", words, where, numbers(cut))


def _detached(additions: Sequence[Addition]) -> Iterator[Finding]:
    cut = [addition for addition in additions if "detach" in addition.on_skip]
    if cut:
        words = f"{len(cut)} of {len(additions)} skips are detached: no gradient passes along them."
        yield Finding("detached", "problem", words, link("backward", "silent_bugs", {"bug": "skips"}), numbers(cut))


def _forgotten(contents: Contents) -> Iterator[Finding]:
    """A module that adds less often than others of its class, though it returns the shape that it got, as they do."""
    sums = Counter(addition.module for addition in contents.additions if addition.call == 0)
    classes: dict[str, list[str]] = {}
    for module, kind in contents.blocks.items():
        classes.setdefault(kind, []).append(module)
    for kind, modules in classes.items():
        usual, often = Counter(sums[module] for module in modules).most_common(1)[0]
        odd = [module for module in modules if sums[module] < usual]
        if odd and often >= LEAST and often >= 0.75 * len(modules):
            words = (
                f"{often} of {len(modules)} modules {kind} contain {usual} residual {plural('addition', usual)} each; "
            )
            words += f"{odd[0]} contains {sums[odd[0]] or 'none'}."
            yield Finding("skip forgotten", "caution", words, link("recipes", "last_op"))


def _without_skips(weights: Sequence[Weight]) -> Iterator[Finding]:
    """Gradients of the matrices of a network without skips; only those of the usual shape are comparable."""
    if not weights:
        yield Finding("plain", "note", "No residual addition was found.", link("degradation", "degradation"))
        return
    usual = Counter(weight.shape for weight in weights).most_common(1)[0][0]
    gradients = [weight.gradient for weight in weights if weight.shape == usual]
    depth = str(min(max(len(gradients), 8), 56))
    words = f"No residual addition was found around {len(weights)} matrices"
    if len(gradients) >= 10 and (gradients[-1] or gradients[0]) and not math.isnan(gradients[0] + gradients[-1]):
        ratio = gradients[0] / gradients[-1] if gradients[-1] else math.inf
        words += f"; of {len(gradients)} with one shape, the first one's gradient over the last one's is {ratio:.1e}"
        if ratio < VANISHED or ratio > EXPLODED:
            name = f"gradient {'vanishes' if ratio < 1 else 'explodes'}"
            yield Finding(name, "problem", f"{words}.", link("degradation", "failures", {"depth": depth}))
            return
        words += ". A level gradient does not show that a plain network trains: look again after some sixty steps."
        yield Finding("plain", "note", words, link("degradation", "degradation", {"depth": depth}))
        return
    yield Finding("plain", "note", f"{words}.", link("degradation", "degradation"))


def _no_final_norm(stream: Stream) -> Iterator[Finding]:
    additions = stream.additions
    pre = [addition for addition in additions if addition.pre_norm]
    readers = [kind for kind in additions[-1].read_by if kind not in ("sum", "view")]
    normed = any("norm" in addition.trunk for addition in additions)
    if len(pre) >= 0.8 * len(additions) and not normed and "linear" in readers and "norm" not in readers:
        words = f"{len(pre)} of {len(additions)} branches normalize what they read; the head reads the stream as it is"
        words += "" if additions[-1].sum is None else f", which has the size {additions[-1].sum:.3g}"
        yield Finding(
            "no final norm", "note", f"{words}.", link("norm-placement", "last_layer"), (additions[-1].number,)
        )


# On one stream


def _growth(stream: Stream) -> Iterator[Finding]:
    """Growth that compounds, because branches keep their share of a growing stream."""
    additions = stream.additions
    count, first, end = len(additions), additions[0].stream, additions[-1].sum
    middle = additions[count // 2].stream
    if stream.normed or count < LONG or not first or not middle or end is None or not math.isfinite(end):
        return
    third = max(count // 3, 1)
    early, late = _median_ratio(additions[1 : 1 + third]), _median_ratio(additions[-third:])
    factor = (end / middle) ** (1 / (count - count // 2))
    if factor > 1.02 and late > max(0.5 * early, 0.2) and end / middle > 3 and end / first > 10:
        problem = end / first > EXPLODED
        words = f"Over {count} additions ({span(stream)}) the stream grows to {end / first:.2g} times its size, by a "
        words += f"factor of {factor:.2f} at each, and branches grow with it."
        state = {"alpha": nearest(late, ALPHAS), "blocks": nearest(count, TOWERS)}
        grade = "problem" if problem else "note"
        yield Finding(
            "stream explodes" if problem else "stream grows",
            grade,
            words,
            link("scaling", "signal", state),
            numbers(additions),
        )


def _median_ratio(additions: Sequence[Addition]) -> float:
    ratios = sorted(addition.ratio for addition in additions if addition.ratio is not None)
    return ratios[len(ratios) // 2] if ratios else 0.0


def _half_precision(stream: Stream) -> Iterator[Finding]:
    sizes = [addition.largest for addition in stream.additions if addition.largest is not None]
    largest = max((size for size in sizes if math.isfinite(size)), default=0.0)
    if largest > HALF / 8:
        words = f"The largest number on the stream is {largest:.3g}; half precision ends at {HALF:,.0f}."
        state = {"alpha": "1", "blocks": nearest(len(stream.additions), TOWERS)}
        grade = "problem" if largest > HALF else "note"
        yield Finding("half precision", grade, words, link("scaling", "signal", state), numbers(stream.additions))


def _gradient(stream: Stream) -> Iterator[Finding]:
    ratio, count = stream.gradient_ratio, len(stream.additions)
    if ratio is None or math.isnan(ratio):
        return
    words = f"The stream's gradient at the first of {count} additions over the last is {ratio:.2g} ({span(stream)})."
    if not VANISHED <= ratio <= EXPLODED:
        name = f"gradient {'vanishes' if ratio < 1 else 'explodes'}"
        depth = str(min(max(count, 8), 100))
        # A norm after the weights divides their large gradient by their size as they grow: published networks whose
        # stream is normed begin with such a gradient and train (ConvMixer, DETR).
        grade = "note" if stream.normed and ratio > 1 else "problem"
        where = link("degradation", "failures", {"depth": depth, "skip": "additive"})
        yield Finding(name, grade, words, where, numbers(stream.additions))
    elif not LEVEL[0] <= ratio <= LEVEL[1]:
        yield Finding(
            "gradient tilts", "note", words, link("gradient-paths", "gradient_floor"), numbers(stream.additions)
        )


def _scaled(stream: Stream) -> Iterator[Finding]:
    additions = stream.additions
    product = math.prod(abs(addition.factor) for addition in additions)
    if stream.normed or 0.5 <= product <= 2:
        return
    words = f"Factors on the skips multiply to {product:.2g} over {len(additions)} additions."
    if product < 1:
        words += " That is how much of the input the skips alone keep."
    state = {"pollutant": "scale", "factor": nearest(abs(additions[-1].factor), FACTORS)}
    state["blocks"] = nearest(len(additions), POLLUTED)
    grade = "problem" if product < VANISHED else "note"
    yield Finding("skip scaled", grade, words, link("connectivity", "pollute", state), numbers(additions))


def _on_skips(stream: Stream) -> Iterator[Finding]:
    # At the first addition of a stage the shape may change, so a projection there is usual.
    for kind, word, pollutant in (("dropout", "Dropout", "dropout"), ("linear", "A linear map", "linear")):
        changed = [addition for addition in stream.additions[1:] if kind in addition.on_skip]
        if changed:
            words = f"{word} is on {len(changed)} of {len(stream.additions)} skips."
            where = link("connectivity", "pollute", {"pollutant": pollutant})
            yield Finding(f"{kind} on skip", "note", words, where, numbers(changed))


def _on_stream(stream: Stream) -> Iterator[Finding]:
    additions, later = stream.additions, stream.additions[1:]
    if stream.normed:
        normed = [addition for addition in later if "norm" in addition.trunk]
        words = (
            f"A norm is on the stream after {len(normed)} of {len(later)} sums (Post-LN). Whether the learning rate is "
            "too high for it cannot be seen before training: look again after some sixty steps."
        )
        state = {"placement": "post", "depth": nearest(len(additions), (4, *DEPTHS))}
        yield Finding("post-norm", "note", words, link("norm-placement", "stability", state), numbers(normed))
    bent = [addition for addition in later if "activation" in addition.trunk and "norm" not in addition.trunk]
    if len(bent) >= 0.5 * len(additions):
        words = f"An activation is on the stream after {len(bent)} of {len(additions)} sums, as in the ResNet of 2015."
        where = link("connectivity", "pollute", {"pollutant": "relu"})
        yield Finding("activation on stream", "note", words, where, numbers(bent))
        return
    closed = [addition for addition in additions if addition.ends_in == "activation"]
    if len(closed) >= 0.5 * len(additions):
        words = f"{len(closed)} of {len(additions)} branches end in an activation; what a ReLU adds has one sign."
        where = link("recipes", "last_op", {"ending": "relu"})
        yield Finding("branch ends in activation", "note", words, where, numbers(closed))


def _branches(stream: Stream) -> Iterator[Finding]:
    additions = stream.additions
    silent = [addition for addition in additions if addition.ratio is not None and addition.ratio < SILENT]
    dead = [addition for addition in additions if _dead(addition, addition in silent)]
    if dead and additions[-1].gradient:
        words = f"{len(dead)} of {len(additions)} branches get no gradient for any weight but biases: {names(dead)}."
        yield Finding("dead branch", "caution", words, link("recipes", "last_op", {"ending": "relu"}), numbers(dead))
    rest = [addition for addition in silent if addition not in dead]
    if rest:
        words = (
            f"{len(rest)} of {len(additions)} branches add less than a thousandth of the stream ({names(rest)}). That "
            "is usual for a start that keeps them small, and for a branch that was dropped in this pass."
        )
        yield Finding("silent branches", "note", words, link("scaling", "rezero"), numbers(rest))
    drowned = [
        a for a in additions[1:] if a.identity_share is not None and a.identity_share < 0.1 and a.kind != "projected"
    ]
    if len(drowned) > max(2, 0.2 * len(additions)):
        words = f"In {len(drowned)} of {len(additions)} sums the share of what came in is below a tenth."
        yield Finding("branches dominate", "note", words, link("scaling", "signal", {"alpha": "2"}), numbers(drowned))
    flat = [addition for addition in additions if addition.flat is not None and addition.flat > 0.5]
    if flat:
        words = f"In {len(flat)} of {len(additions)} branches, most units of an activation are flat for all rows: "
        words += f"{names(flat)}."
        yield Finding("flat units", "caution", words, link("recipes", "last_op", {"ending": "relu"}), numbers(flat))


def _dead(addition: Addition, silent: bool) -> bool:
    if addition.weight_gradient != 0:
        return False
    return addition.flat == 1 or (silent and not (addition.branch == 0 and addition.drops))


def _alike(stream: Stream) -> Iterator[Finding]:
    first, last, count = stream.additions[0].alike, stream.additions[-1].alike, len(stream.additions)
    if first is not None and last is not None and last > ALIKE and last > first + 0.05:
        words = f"The mean cosine of two inputs or tokens is {last:.3f} after {count} additions, {first:.2f} after one."
        yield Finding("all alike", "caution", words, link("language", "rank"), numbers(stream.additions))


def _idle(stream: Stream, whole: float | None) -> Iterator[Finding]:
    measured = [a for a in stream.additions if a.lesion is not None and math.isfinite(a.lesion)]
    dearest = max((addition.lesion or 0.0 for addition in measured), default=0.0)
    if whole is None or dearest <= 0.02 * abs(whole):
        return
    idle = [addition for addition in measured if (addition.lesion or 0.0) < IDLE * dearest]
    if len(idle) >= 0.3 * len(stream.additions):
        words = (
            f"Left out one at a time, {len(idle)} of {len(stream.additions)} branches cost less than a hundredth of "
        )
        words += "what the dearest one costs."
        state = {"depth": nearest(len(stream.additions), DEPTHS)}
        yield Finding("idle", "note", words, link("costs", "plateau", state), numbers(idle))


RULES: tuple[Callable[[Stream], Iterator[Finding]], ...] = (
    _growth,
    _half_precision,
    _gradient,
    _scaled,
    _on_skips,
    _on_stream,
    _branches,
    _alike,
)
