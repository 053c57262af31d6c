"""`python -m tools.xray_predictions`: writes docs/xray-predictions.md: what findings of the X-ray say about trainings.

Small networks of many kinds, three depths and two learning rates learn handwritten digits from several seeds. They are
X-rayed before the first step, after 60 and after the last one. The page counts how many trainings with a finding ended
badly. The seeds are not those of the trainings from which the grades came.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from sims.data.datasets import source
from sims.paths import ROOT
from sims.xray import xray
from tools.xray_networks import Residual, he, plain

PAGE = ROOT / "docs" / "xray-predictions.md"

PIXELS = 64
BLOCKS, RATES, SEEDS = (8, 24, 48), (0.001, 0.01), (11, 12, 13)
STEPS, LOOKS, BATCH, SEEN = 200, (0, 60, 200), 128, 256
"""Steps of Adam, those at which a network is X-rayed, points of a step, and points of an X-ray"""

BAD = 0.1
"""The training error above which a training has ended badly"""


def _blocks(**kinds: float) -> Callable[[int], nn.Module]:
    return lambda blocks: Residual(blocks, inputs=PIXELS, **kinds)  # type: ignore[arg-type]


KINDS: dict[str, Callable[[int], nn.Module]] = {
    "plain": lambda blocks: plain(2 * blocks, inputs=PIXELS),
    "plain, He": lambda blocks: he(plain(2 * blocks, inputs=PIXELS)),
    "plain, He, BatchNorm": lambda blocks: he(plain(2 * blocks, batch_norm=True, inputs=PIXELS)),
    "no norm": _blocks(),
    "no norm, He": lambda blocks: he(_blocks()(blocks)),
    "no norm, ReLU after the sum": _blocks(activation_after=True),
    "no norm, branches × 5": _blocks(branch=5.0),
    "no norm, skips × 0.5": _blocks(skip=0.5),
    "Pre-LN": _blocks(pre=True, final=True),
    "Pre-LN, no final norm": _blocks(pre=True),
    "Pre-LN, branches end in a ReLU": _blocks(pre=True, bent=True, final=True),
    "Pre-LN, skips × 0.7": _blocks(pre=True, skip=0.7, final=True),
    "Pre-LN, dropout on the skips": _blocks(pre=True, dropped=0.1, final=True),
    "Pre-LN, linear maps on the skips": _blocks(pre=True, mapped=True, final=True),
    "Post-LN": _blocks(post=True),
}
"""A network of so many blocks. A plain one has two layers for each."""


class Training(NamedTuple):
    """What was found at each look, as pairs of a grade and a name, and how it ended."""

    kind: str
    blocks: int
    rate: float
    seed: int
    findings: Sequence[frozenset[tuple[str, str]]]
    error: float

    @property
    def is_bad(self) -> bool:
        return not self.error <= BAD

    def warned(self, look: int) -> bool:
        """Whether a finding was more than a note."""
        return any(grade != "note" for grade, _name in self.findings[look])


def trained(kind: str, blocks: int, rate: float, seed: int) -> Training:
    """Train one network, and return the findings on the way and the error at its end."""
    data = source("digits").load()
    inputs = torch.tensor(data.train_inputs, dtype=torch.float32)
    labels = torch.tensor(data.train_labels)
    torch.manual_seed(seed)
    model = KINDS[kind](blocks)
    optimizer = torch.optim.Adam(model.parameters(), rate)
    findings = []
    for step in range(STEPS + 1):
        if step in LOOKS:
            findings.append(_found(model, inputs[:SEEN], labels[:SEEN]))
        if step < STEPS:
            chosen = torch.randint(len(inputs), (BATCH,))
            optimizer.zero_grad()
            cross_entropy(model(inputs[chosen]), labels[chosen]).backward()
            optimizer.step()
    model.eval()
    with torch.no_grad():
        wrong = (model(inputs).argmax(1) != labels).float().mean()
    return Training(kind, blocks, rate, seed, findings, float(wrong))


def _found(model: nn.Module, inputs: Tensor, labels: Tensor) -> frozenset[tuple[str, str]]:
    state = torch.random.get_rng_state()
    with xray(model) as report:
        cross_entropy(model(inputs), labels).backward()
    model.zero_grad()
    torch.random.set_rng_state(state)
    return frozenset((finding.grade, finding.name) for finding in report.findings())


def table(trainings: Iterable[Training], look: int) -> str:
    """Markdown: for each finding at a look, trainings that had it, and those of them that ended badly."""
    counts: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for training in trainings:
        for finding in training.findings[look]:
            counts[finding].append(training.is_bad)
        if not training.warned(look):
            counts["", "no problem and no caution"].append(training.is_bad)
    order = ["problem", "caution", "note", ""]
    rows = sorted(counts.items(), key=lambda row: (order.index(row[0][0]), -len(row[1]), row[0][1]))
    lines = [f"| {grade} | {name} | {len(ends)} | {sum(ends)} |" for (grade, name), ends in rows]
    return "\n".join(["| grade | finding | trainings | ended badly |", "|---|---|---|---|", *lines])


def missed(trainings: Iterable[Training], look: int) -> str:
    """Markdown: the kinds that ended badly without a problem or a caution at a look."""
    counts: dict[tuple[str, float], int] = defaultdict(int)
    for training in trainings:
        if training.is_bad and not training.warned(look):
            counts[training.kind, training.rate] += 1
    return "; ".join(f"{kind} at {rate:g}: {count}" for (kind, rate), count in sorted(counts.items())) or "none"


def text(trainings: Sequence[Training]) -> str:
    bad = sum(training.is_bad for training in trainings)
    rates, seeds, blocks = (", ".join(map(str, choices)) for choices in (RATES, SEEDS, BLOCKS))
    parts = [
        f"""# What findings say about trainings

This page is written by `python -m tools.xray_predictions`. Do not edit it.

{len(KINDS)} kinds of networks, of width 64, learned 8 × 8 images of digits: {STEPS} steps of Adam with batches of
{BATCH}, at each of the learning rates {rates}, from each of the seeds {seeds}. They had {blocks} blocks of two
layers; plain networks had as many layers. None of these seeds was used when the grades were chosen.

A training ended badly if more than {BAD:.0%} of its images were misclassified at the end: {bad} of {len(trainings)}
did. One network can have several findings.

Kinds: {"; ".join(KINDS)}."""
    ]
    headings = ("Before the first step", f"After {LOOKS[1]} steps", f"After the last of {LOOKS[2]} steps")
    for look, heading in enumerate(headings):
        parts += [f"## {heading}", table(trainings, look)]
        parts.append(f"Ended badly without a problem or a caution: {missed(trainings, look)}.")
    return "\n\n".join(parts) + "\n"


def main() -> None:
    torch.set_num_threads(1)
    choices = list(product(KINDS, BLOCKS, RATES, SEEDS))
    trainings = []
    for number, choice in enumerate(choices, 1):
        trainings.append(trained(*choice))
        print(f"{number} of {len(choices)}: {trainings[-1].kind}, {trainings[-1].error:.1%}", flush=True)
    PAGE.write_text(text(trainings), encoding="utf-8")


if __name__ == "__main__":
    main()
