"""A small NumPy transformer trained with hand-written gradients: an embedding, blocks, a norm, and logits.

The task: every token is one of five digits, and the answer at each position is the sum of its digit and the previous
one, modulo five; the first position uses its own digit twice. Attention has to fetch the neighbor, and the feed-forward
part to add.
"""

from dataclasses import dataclass, replace
from types import SimpleNamespace as Tensors

import numpy as np

from sims.instruments.hand_derived.block_bugs import plan_with
from sims.instruments.hand_derived.block_operations import gain_back, norm, norm_back, outer
from sims.instruments.hand_derived.block_plan import backward, forward

DIGITS, TOKENS, WIDTH, HIDDEN = 5, 6, 16, 32
BATCH = 32
HELD_OUT = 256
"""Sequences on which a network is evaluated"""

Weights = dict[str, np.ndarray]
"""Name → values; those of a block begin with its number, as "0.q" """


@dataclass(frozen=True)
class Setup:
    """The network, its bug and its optimizer: everything about a training run but the seed."""

    blocks: int = 4
    bug: str = "none"
    arrangement: str = "pre"
    optimizer: str = "adam"
    learning_rate: float = 0.003


@dataclass(frozen=True)
class Learner:
    """A network at some step, with all the state needed to continue training."""

    setup: Setup
    seed: int
    step: int
    weights: Weights
    means: Weights
    """Running means of the gradients"""
    squares: Weights
    """Running means of their squares"""
    losses: tuple[float, ...]
    """Cross-entropy (nats) on held-out sequences, one for each record"""
    cosines: tuple[float, ...]
    """Cosine of the angle between the gradient used for training and the true one, one for each record"""
    steps: tuple[int, ...]
    """Steps of the records"""


def sequences(rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Digits (count, TOKENS) and answers of the same shape; the first position is its own neighbor."""
    digits = rng.integers(DIGITS, size=(count, TOKENS))
    before = np.concatenate([digits[:, :1], digits[:, :-1]], axis=1)
    return digits, (digits + before) % DIGITS


def begin(setup: Setup, seed: int) -> Learner:
    """A network before its first step. A seed gives the same weights and sequences whatever the bug."""
    rng = np.random.default_rng(seed)
    shapes = {
        **dict.fromkeys(("q", "k", "v", "out"), (WIDTH, WIDTH)),
        "gate": (WIDTH, HIDDEN),
        "up": (WIDTH, HIDDEN),
        "down": (HIDDEN, WIDTH),
    }
    weights = {"embedding": rng.standard_normal((DIGITS, WIDTH))}
    for block in range(setup.blocks):
        for name, shape in shapes.items():
            weights[f"{block}.{name}"] = rng.standard_normal(shape) / shape[0] ** 0.5
        weights |= {f"{block}.{name}": np.ones(WIDTH) for name in ("gain1", "gain2")}
    weights |= {"gain": np.ones(WIDTH), "logits": rng.standard_normal((WIDTH, DIGITS)) / WIDTH**0.5}
    nothing = {name: np.zeros_like(weight) for name, weight in weights.items()}
    learner = Learner(setup, seed, 0, weights, nothing, nothing, (), (), ())
    return recorded(learner)


def loss_and_gradients(
    setup: Setup, weights: Weights, digits: np.ndarray, answers: np.ndarray
) -> tuple[float, Weights]:
    """The mean cross-entropy in nats, and its gradients by the setup's backward pass (with its bug)."""
    plan = plan_with(setup.arrangement, setup.bug)
    blocks = [_block(weights, block) for block in range(setup.blocks)]
    x = weights["embedding"][digits]
    activations = []
    for w in blocks:
        activations.append(forward(plan, x, w))
        x = activations[-1].y
    n = norm(x, weights["gain"])
    scores = n @ weights["logits"]
    scores = scores - scores.max(axis=-1, keepdims=True)
    shares = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    loss = -np.log(np.take_along_axis(shares, answers[..., None], axis=-1)).mean()
    dscores = (shares - np.eye(DIGITS)[answers]) / answers.size
    dn = dscores @ weights["logits"].T
    gradients = {"logits": outer(n, dscores), "gain": gain_back(dn, x)}
    dx = norm_back(dn, x, weights["gain"])
    for block in reversed(range(setup.blocks)):
        d, dw = backward(plan, dx, activations[block], blocks[block])
        gradients |= {f"{block}.{name}": var for name, var in vars(dw).items()}
        dx = d.x
    gradients["embedding"] = np.zeros_like(weights["embedding"])
    np.add.at(gradients["embedding"], digits, dx)
    return float(loss), gradients


def _block(weights: Weights, block: int) -> Tensors:
    start = f"{block}."
    return Tensors(**{name.removeprefix(start): weight for name, weight in weights.items() if name.startswith(start)})


def advanced(learner: Learner, steps: int, every: int) -> Learner:
    """The network after `steps` more steps; its loss is recorded at multiples of `every`."""
    for _ in range(steps):
        learner = _stepped(learner)
        if learner.step % every == 0:
            learner = recorded(learner)
    return learner


def _stepped(learner: Learner) -> Learner:
    """Take one step of Adam, or of gradient descent with momentum; the batch depends only on the seed and the step."""
    setup, step = learner.setup, learner.step + 1
    digits, answers = sequences(np.random.default_rng((learner.seed, step)), BATCH)
    _loss, gradients = loss_and_gradients(setup, learner.weights, digits, answers)
    weights, means, squares = {}, {}, {}
    for name, weight in learner.weights.items():
        gradient = gradients[name]
        means[name] = 0.9 * learner.means[name] + 0.1 * gradient
        squares[name] = 0.99 * learner.squares[name] + 0.01 * gradient**2
        move = means[name]
        if setup.optimizer == "adam":
            move = move / (1 - 0.9**step) / (np.sqrt(squares[name] / (1 - 0.99**step)) + 1e-8)
        weights[name] = weight - setup.learning_rate * move
    return replace(learner, step=step, weights=weights, means=means, squares=squares)


def recorded(learner: Learner) -> Learner:
    """Append a record: the held-out loss, and the cosine between the network's gradient and the true one."""
    held_out = sequences(np.random.default_rng((learner.seed, 0, 1)), HELD_OUT)
    loss, gradients = loss_and_gradients(learner.setup, learner.weights, *held_out)
    _loss, expected = loss_and_gradients(replace(learner.setup, bug="none"), learner.weights, *held_out)
    one, other = (np.concatenate([grads[name].ravel() for name in sorted(grads)]) for grads in (gradients, expected))
    cosine = float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other)))
    return replace(
        learner,
        losses=(*learner.losses, loss),
        cosines=(*learner.cosines, cosine),
        steps=(*learner.steps, learner.step),
    )
