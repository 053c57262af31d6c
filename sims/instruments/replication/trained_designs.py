"""Trains small language models of one residual design on this site's own text, one for each pair of a seed and a
learning rate, side by side.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from sims.data import own_words
from sims.instruments.training.seed_batches import fresh_batches
from sims.instruments.training.seed_tensors import stacked, tensors

if TYPE_CHECKING:
    from torch import Tensor

    from sims.pytorch.models.residual_models import ResidualModels

BLOCKS, WIDTH, HEADS, HIDDEN, CONTEXT = 6, 32, 4, 128, 32
"""Blocks, width of the stream, attention heads, units of a feed-forward branch, and symbols in a piece of text"""

BATCH, STEPS, WARM_UP = 4, 500, 50
"""Pieces in a batch, steps of a training, and those in which the learning rate rises to its highest; then it falls to 0
in equal steps"""

BETAS, EPSILON = (0.9, 0.95), 1e-8
"""Adam's two factors of memory, and what it adds to a root that divides"""

SHAPES = {"looped": ("pre-ln", BLOCKS, 2), "short": ("pre-ln", 2, 2)}
"""Designs that are not named as their wiring, or have fewer blocks with weights of their own than they apply: wiring,
blocks, and blocks with weights"""

STREAM = 5
"""Number of the random stream that draws the batches"""

LOOKED_AT = 256
"""Held-out pieces by which a rate is chosen; as many others measure the result"""


def trained(design: str, seeds: Sequence[int], rates: Sequence[float], steps: int = STEPS) -> "ResidualModels":
    """The models after a training: the first with the first seed and the first rate, and so on."""
    import torch

    model = untrained(design, seeds)
    rate = torch.tensor(rates)
    moments = {name: (torch.zeros_like(weight), torch.zeros_like(weight)) for name, weight in model.weights.items()}
    for number, pieces in enumerate(batches(seeds, steps), 1):
        batch = torch.from_numpy(pieces)
        model.zero_grad()
        model.losses(model(batch[..., :-1]), batch[..., 1:]).sum().backward()
        with torch.no_grad():
            for name, weight in model.weights.items():
                now = rate * share(number, steps) * slowness(design).get(name, 1.0)
                step_of_adam(weight, moments[name], now, number)
    return model


def untrained(design: str, seeds: Sequence[int]) -> "ResidualModels":
    """The models of some seeds as they start. Raises KeyError for an unknown design."""
    from sims.pytorch.models.residual_models import ResidualModels, initial_weights

    wiring, blocks, own = SHAPES.get(design, (design, BLOCKS, BLOCKS))
    shape = (blocks, own, WIDTH, len(own_words.symbols()), CONTEXT, HIDDEN)
    weights = stacked(initial_weights(wiring, seed, *shape) for seed in seeds)
    return ResidualModels(wiring, blocks, HEADS, tensors(weights))


def slowness(design: str) -> Mapping[str, float]:
    """The factors of the learning rate for weights of a design that learn at another rate."""
    from sims.pytorch.models.residual_wirings import WIRINGS

    return WIRINGS[SHAPES.get(design, (design,))[0]].rates


def share(number: int, steps: int) -> float:
    """The share of the highest learning rate at a step, from 1."""
    warm_up = WARM_UP * steps / STEPS
    return min(number / warm_up, (steps - number + 1) / (steps - warm_up + 1))


def step_of_adam(weight: "Tensor", moments: "tuple[Tensor, Tensor]", rate: "Tensor", number: int) -> None:
    """Take a step of Adam, from 1, in place, with a learning rate for each of the networks, (seeds,)."""
    first, second = moments
    gradient = weight.grad
    assert gradient is not None
    first.lerp_(gradient, 1 - BETAS[0])
    second.mul_(BETAS[1]).addcmul_(gradient, gradient, value=1 - BETAS[1])
    below = (second / (1 - BETAS[1] ** number)).sqrt() + EPSILON
    by_network = rate.view(-1, *[1] * (weight.dim() - 1)) / (1 - BETAS[0] ** number)
    weight -= by_network * first / below


def batches(seeds: Sequence[int], steps: int) -> Iterator[np.ndarray]:
    """Yield the pieces of text (seeds, BATCH, CONTEXT + 1) of each step. Every seed and step draws its own, the same
    for all designs."""
    text, _held = own_words.parts()
    for starts in fresh_batches(seeds, STREAM, 0, steps, lambda r: r.integers(0, len(text) - CONTEXT, BATCH)):
        yield text[starts[..., None] + np.arange(CONTEXT + 1)]


@cache
def held_out() -> tuple[np.ndarray, np.ndarray]:
    """Pieces (LOOKED_AT, CONTEXT + 1) of the held-out lines, evenly spaced: those by which a rate is chosen, and as
    many others between them; read-only."""
    _text, lines = own_words.parts()
    starts = np.linspace(0, len(lines) - CONTEXT - 1, 2 * LOOKED_AT).astype(int)
    pieces: np.ndarray = lines[starts[:, None] + np.arange(CONTEXT + 1)]
    pieces.setflags(write=False)
    return pieces[::2], pieces[1::2]


def losses(model: "ResidualModels", pieces: np.ndarray, without: int | None = None) -> np.ndarray:
    """(seeds,) mean cross-entropy on pieces (pieces, CONTEXT + 1), in nats per symbol; the branches of block `without`
    return 0."""
    import torch

    with torch.no_grad():
        both = torch.tensor(pieces).expand(len(model.weights["symbols"]), -1, -1)
        logits = model.head(model.streams(both[..., :-1], without)[-1])
        symbol_losses: np.ndarray = model.losses(logits, both[..., 1:]).double().numpy()
    return symbol_losses


def growth(model: "ResidualModels", pieces: np.ndarray) -> np.ndarray:
    """(seeds,) root mean square of the last stream over that of the first."""
    first, *_others, last = _streams(model, pieces)
    ratio: np.ndarray = (last.square().mean(dim=(1, 2, 3)) / first.square().mean(dim=(1, 2, 3))).sqrt().numpy()
    return ratio


def angles(model: "ResidualModels", pieces: np.ndarray) -> np.ndarray:
    """(seeds, blocks) the angle between the stream before a block and after it, over π, mean of all symbols (as
    DepthBench has it, 2609.32534)."""
    from torch.nn.functional import cosine_similarity

    every = _streams(model, pieces)[::2]
    pairs = pairwise(every)
    cosines = [cosine_similarity(before, after, dim=-1).clamp(-1, 1) for before, after in pairs]
    return np.stack([cosine.acos().mean(dim=(1, 2)).numpy() / np.pi for cosine in cosines], axis=1)


def cost_of_skipping(model: "ResidualModels", pieces: np.ndarray) -> np.ndarray:
    """(seeds, blocks) by how much the loss rises if both branches of a block return 0, in nats per symbol."""
    whole = losses(model, pieces)
    return np.stack([losses(model, pieces, block) - whole for block in range(model.blocks)], axis=1)


def _streams(model: "ResidualModels", pieces: np.ndarray) -> "list[Tensor]":
    """The streams of all seeds in double precision, before the first branch and after each."""
    import torch

    with torch.no_grad():
        every = model.streams(torch.tensor(pieces[:, :-1]).expand(len(model.weights["symbols"]), -1, -1))
    return [stream.double() for stream in every]
