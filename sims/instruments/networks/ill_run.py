"""Trains one of sixteen networks, healthy or ill, on the digits, and looks at it with the X-ray.

A run is a value: it contains NumPy arrays, and no objects of PyTorch.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sims.data.datasets import digits
from sims.instruments.training.seed_batches import seed_batches

if TYPE_CHECKING:
    from torch import nn

    from sims.xray import Addition

BLOCKS, WIDTH, BATCH, LOOKED_AT, STEPS = 18, 48, 128, 256, 120
"""Blocks and width of every network, images in a batch, images in a look, steps of a whole run"""

LOOKS = (0, 60, STEPS)
"""Steps at which the X-ray looks"""

RATE, HIGH_RATE = 0.001, 0.03
FACTOR, OFF = {"shrunk": 0.9, "grown": 1.1}, 0.1
"""Factors on the skips, and the share of numbers that dropout on the skips sets to zero"""


@dataclass(frozen=True)
class Illness:
    """One of the networks: its name for readers, the settings in which it differs from Pre-LN, and its rate."""

    name: str
    rules: Mapping[str, Any]
    rate: float = RATE


NETWORKS: Mapping[str, Illness] = {
    "pre": Illness("healthy: Pre-LN", {}),
    "root": Illness("healthy: branches divided by √L", {"norm": "", "he": True, "branch": BLOCKS**-0.5}),
    "zero": Illness("healthy: branches start at zero", {"zero": True}),
    "plain": Illness("no skips, library's initial weights", {"norm": "", "plain": True}),
    "plain-he": Illness("no skips, He's initial weights", {"norm": "", "plain": True, "he": True}),
    "no-final-norm": Illness("no norm before the head", {"final_norm": False, "he": True}),
    "post": Illness("Post-LN, learning rate too high", {"norm": "post"}, HIGH_RATE),
    "shrunk": Illness("every skip times 0.9", {"skip": FACTOR["shrunk"]}),
    "grown": Illness("every skip times 1.1", {"skip": FACTOR["grown"]}),
    "forgotten": Illness("one skip forgotten", {"forgotten": True}),
    "dead": Illness("dead ReLUs", {"dead": True}),
    "detached": Illness("skips detached from the gradient", {"detached": True}),
    "bent-branch": Illness("branches end in a ReLU", {"bent_branch": True}),
    "dropout": Illness("dropout on the skips", {"dropout": OFF}),
    "bent-sum": Illness("ReLU after every sum", {"norm": "", "he": True, "bent_sum": True}),
    "half": Illness("no norm, stream in half precision", {"norm": "", "he": True, "half": True}),
}
"""Key → network; 16 of them"""


@dataclass(frozen=True)
class IllLook:
    """The X-ray at one step. A place is a block; NaN is where no addition was found, or nothing was measured."""

    step: int
    loss: float
    stream: np.ndarray
    """(BLOCKS,) size of the stream before the sum"""
    branch: np.ndarray
    share: np.ndarray
    """(BLOCKS,) identity share"""
    gradient: np.ndarray
    """(BLOCKS,) size of the gradient of the sum; of the last matrix of a block in a network without skips"""
    lesion: np.ndarray
    """(BLOCKS,) rise of the loss without the branch, in nats; NaN before the end"""
    additions: int
    findings: tuple[tuple[str, str], ...]
    """Grade and name of each finding, problems first"""


@dataclass(frozen=True)
class IllRun:
    """A training run: which network, its weights, Adam's moments, and what the X-ray saw."""

    network: str
    seed: int
    step: int
    weights: dict[str, np.ndarray]
    moments: dict[str, tuple[np.ndarray, np.ndarray]]
    steps: tuple[int, ...]
    losses: tuple[float, ...]
    """Training loss of every tenth batch, in nats"""
    looks: tuple[IllLook, ...]
    error: float = math.nan
    """Training error at the end, 0 to 1; NaN before it"""


LOSS_EVERY = 10


def begin(network: str, seed: int) -> IllRun:
    """Start a run: an untrained network, after its first look."""
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = built(network)
    weights = {name: tensor.detach().numpy().copy() for name, tensor in model.named_parameters()}
    run = IllRun(network, seed, 0, weights, {}, (), (), ())
    return replace(run, looks=(look(run),))


def built(network: str) -> "nn.Module":
    """A network with the next initial weights of torch's generator."""
    from sims.pytorch.models.ill_networks import IllNetwork, Rules

    data = digits()
    return IllNetwork(Rules(**NETWORKS[network].rules), BLOCKS, WIDTH, data.features, data.classes)


def _loaded(run: IllRun) -> "nn.Module":
    import torch

    with torch.random.fork_rng(devices=[]):
        model = built(run.network)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            weight.copy_(torch.tensor(run.weights[name]))
    return model


def advance(run: IllRun, steps: int) -> IllRun:
    """Continue a run by at most `steps` steps. `run` itself is not changed."""
    import torch
    from torch.nn.functional import cross_entropy

    end = min(run.step + steps, STEPS)
    data, model = digits(), _loaded(run)
    inputs, labels = torch.tensor(data.train_inputs, dtype=torch.float32), torch.tensor(data.train_labels)
    optimizer = torch.optim.Adam(model.parameters(), NETWORKS[run.network].rate)
    weights = dict(model.named_parameters())
    for name, both in run.moments.items():
        first, second = map(torch.tensor, both)
        optimizer.state[weights[name]] = {
            "step": torch.tensor(float(run.step)),
            "exp_avg": first,
            "exp_avg_sq": second,
        }
    batches = seed_batches((run.seed,), len(labels), BATCH, run.step, end - run.step)[:, 0]
    with torch.random.fork_rng(devices=[]):
        for step, batch in enumerate(batches, run.step + 1):
            torch.manual_seed(run.seed * (STEPS + 1) + step)
            optimizer.zero_grad()
            loss = cross_entropy(model(inputs[batch]), labels[batch])
            loss.backward()
            optimizer.step()
            if step % LOSS_EVERY == 0:
                run = replace(run, steps=(*run.steps, step), losses=(*run.losses, float(loss.detach())))
            if step in LOOKS or step == end:
                run = _kept(run, step, weights, optimizer)
            if step in LOOKS:
                run = replace(run, looks=(*run.looks, look(run, with_lesions=step == STEPS)))
    if run.step == STEPS and math.isnan(run.error):
        model.eval()
        with torch.no_grad():
            run = replace(run, error=float((model(inputs).argmax(1) != labels).float().mean()))
    return run


def _kept(run: IllRun, step: int, weights: "Mapping[str, nn.Parameter]", optimizer: Any) -> IllRun:
    arrays = {name: weight.detach().numpy().copy() for name, weight in weights.items()}
    states = {name: optimizer.state[weight] for name, weight in weights.items() if weight in optimizer.state}
    moments = {
        name: (state["exp_avg"].numpy().copy(), state["exp_avg_sq"].numpy().copy()) for name, state in states.items()
    }
    return replace(run, step=step, weights=arrays, moments=moments)


def look(run: IllRun, with_lesions: bool = False) -> IllLook:
    """X-ray a run's network on the first training images."""
    import torch
    from torch.nn.functional import cross_entropy

    from sims.xray import xray

    data, model = digits(), _loaded(run)
    inputs = torch.tensor(data.train_inputs[:LOOKED_AT], dtype=torch.float32)
    labels = torch.tensor(data.train_labels[:LOOKED_AT])

    def loss() -> torch.Tensor:
        return cross_entropy(model(inputs), labels)

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(run.seed)
        with xray(model) as report:
            value = loss()
            value.backward()
        if with_lesions and report.additions:
            report.lesions(loss)
    columns = {name: np.full(BLOCKS, np.nan) for name in ("stream", "branch", "identity_share", "gradient", "lesion")}
    for addition in report.additions:
        place = int(addition.module.rpartition(".")[2])
        for name, column in columns.items():
            number = getattr(addition, name)
            column[place] = np.nan if number is None else number
    if not report.additions:
        gradients = {weight.name: weight.gradient for weight in report.contents.weights}
        columns["gradient"] = np.array([gradients.get(f"blocks.{at}.last.weight", np.nan) for at in range(BLOCKS)])
    findings = tuple((finding.grade, _named(finding.name, report.additions)) for finding in report.findings())
    values = (columns[name] for name in ("stream", "branch", "identity_share", "gradient", "lesion"))
    return IllLook(run.step, float(value.detach()), *values, len(report.additions), findings)  # type: ignore[call-arg, arg-type]


def _named(finding: str, additions: "Sequence[Addition]") -> str:
    """The name of a finding; of factors on the skips also the side, which is in its words."""
    if finding != "skip scaled":
        return finding
    return f"{finding}, factor {'below' if abs(additions[-1].factor) < 1 else 'above'} 1"
