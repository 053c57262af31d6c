"""Networks that pass the outputs of their blocks on in several forms: as one sum, as a weighted look back over depth,
or in several lanes. The networks of several seeds run side by side.

A branch is W₂ relu(W₁ N(x)) with a LayerNorm N without gain and shift; another LayerNorm precedes the head. Forms:

- "sum": x is the sum of the stem's output and of all branches so far;
- "static": the same with a learned weight for every pair of a block and an earlier output, which starts at 1
  (after DenseFormer, 2402.02622);
- "attention": a softmax over depth with a learned query for every block, which starts at 0
  (after Attention Residuals, 2603.15031);
- "free", "doubly": lanes X ← H X + post · F(pre · X) with learned numbers pre and post, and with H learned from the
  identity, or made doubly stochastic of learned logits
  (after Hyper-Connections, 2409.19606, and mHC, 2512.24880; in both of them H depends on the input as well).
"""

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, layer_norm, relu, rms_norm

LOOKING_BACK = ("sum", "static", "attention")
IN_LANES = ("free", "doubly")

ROUNDS = 20
"""Rounds of Sinkhorn–Knopp"""


class StreamForms(nn.Module):
    """Networks of images → stem → blocks → classes; the first dimension of each parameter is the seed.

    `weights` holds "stem", "first", "last", "head" and "bias" as in `tall_stacks.initial_weights`, and the weights of
    the form from `form_weights`.
    """

    def __init__(self, form: str, weights: Mapping[str, Tensor]) -> None:
        super().__init__()
        self.form = form
        self.weights = nn.ParameterDict({name: nn.Parameter(weight) for name, weight in weights.items()})

    def forward(self, images: Tensor) -> tuple[Tensor, list[Tensor], Tensor]:
        """For images (seeds, images, pixels): the outputs (seeds, images, classes); the inputs of every block and of
        the head, (seeds, images, width) each; and the weights by which they are made.

        For a look back those are (seeds, blocks + 1, blocks + 1): the weight of each earlier output for each block and
        for the head, a mean over the images. For lanes they are H, (seeds, blocks, lanes, lanes).
        """
        stem = images @ self.weights["stem"].mT
        heard = self._lanes(stem) if self.form in IN_LANES else self._look_back(stem)
        top = layer_norm(heard[0][-1], heard[0][-1].shape[-1:])
        answers = top @ self.weights["head"].mT + self.weights["bias"][:, None]
        return answers, *heard

    def _branch(self, block: int, x: Tensor) -> Tensor:
        normal = layer_norm(x, x.shape[-1:])
        return relu(normal @ self.weights["first"][:, block].mT) @ self.weights["last"][:, block].mT

    def _look_back(self, stem: Tensor) -> tuple[list[Tensor], Tensor]:
        blocks = self.weights["first"].shape[1]
        outputs, got, scores = [stem], [], []
        table = stem.new_zeros(stem.shape[0], blocks + 1, blocks + 1)
        for at in range(blocks + 1):
            stacked = torch.stack(outputs, dim=2)
            if self.form == "attention":
                key = rms_norm(outputs[-1], outputs[-1].shape[-1:])
                scores.append(key @ self.weights["query"].mT)
                shares = torch.stack([score[:, :, at] for score in scores], dim=2).softmax(dim=2)
            elif self.form == "static":
                shares = self.weights["static"][:, None, at, : at + 1].expand(-1, stem.shape[1], -1)
            else:
                shares = stem.new_ones(*stem.shape[:2], at + 1)
            got.append((shares[:, :, None] @ stacked)[:, :, 0])
            table[:, at, : at + 1] = shares.detach().mean(dim=1)
            if at < blocks:
                outputs.append(self._branch(at, got[-1]))
        return got, table

    def _lanes(self, stem: Tensor) -> tuple[list[Tensor], Tensor]:
        mixes = self.mixes()
        blocks, lanes = mixes.shape[1:3]
        x = stem[:, :, None].expand(-1, -1, lanes, -1)
        got = []
        for block in range(blocks):
            read = self.weights["pre"][:, block][:, None, None]
            got.append((read @ x)[:, :, 0])
            written = self.weights["post"][:, block][:, None, :, None] * self._branch(block, got[-1])[:, :, None]
            x = mixes[:, block][:, None] @ x + written
        return [*got, x.mean(dim=2)], mixes.detach()

    def mixes(self) -> Tensor:
        """H of every block, (seeds, blocks, lanes, lanes)."""
        return _balanced(self.weights["logits"]) if self.form == "doubly" else self.weights["mix"]

    def losses(self, answers: Tensor, labels: Tensor) -> Tensor:
        """(seeds,) mean cross-entropy in nats, of answers (seeds, images, classes) and labels (seeds, images)."""
        return cross_entropy(answers.permute(0, 2, 1), labels, reduction="none").mean(dim=1)


def _balanced(logits: Tensor) -> Tensor:
    """Make exp(`logits`) doubly stochastic by Sinkhorn–Knopp, computed in logarithms."""
    for _ in range(ROUNDS):
        logits = logits - logits.logsumexp(dim=-2, keepdim=True)
        logits = logits - logits.logsumexp(dim=-1, keepdim=True)
    return logits.exp()


def form_weights(form: str, blocks: int, width: int, lanes: int = 4, own: float = 0.0) -> dict[str, Tensor]:
    """The initial learned weights of a form besides those of the blocks, without the dimension for seeds.

    Block l reads lane l modulo `lanes` and writes to all. `own` is added to the logits on the diagonal of H.
    """
    one = torch.eye(lanes).repeat(blocks, 1, 1)
    reading = {"pre": torch.eye(lanes)[torch.arange(blocks) % lanes], "post": torch.ones(blocks, lanes)}
    return {
        "sum": {},
        "static": {"static": torch.ones(blocks + 1, blocks + 1)},
        "attention": {"query": torch.zeros(blocks + 1, width)},
        "free": reading | {"mix": one},
        "doubly": reading | {"logits": own * one},
    }[form]
