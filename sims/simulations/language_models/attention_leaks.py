"""Two mistakes with attention, shown by gradients that are exactly zero where they should not be, or the reverse."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Simulation
from sims.contract.wording import number
from sims.engines.transformers.kernels.attention import attend, attend_back

SEQUENCES, TOKENS, WIDTH, HEADS = 4, 8, 16, 2

SENTENCES = (
    "The gradient flows back through every plus sign",
    "A plain sum carries the input past blocks",
    "Deep plain chains forget what they were shown",
    "Each token asks the others what they know",
)
"""The names of the tokens, a sequence each; their numbers are random"""


def gradient(sequence: int, token: int, batch_first: bool, causal: bool, seed: int) -> np.ndarray:
    """The norm of the gradient of one token's output with respect to every input, (SEQUENCES, TOKENS).

    Untrained multi-head attention on standard normal inputs (sequence, token, width). The differentiated output is that
    of one token of one sequence, projected on a random direction. Without `batch_first`, the module takes the first
    axis for the tokens, which is the default of `torch.nn.MultiheadAttention`.
    """
    random = np.random.default_rng(seed)
    x = random.normal(size=(SEQUENCES, TOKENS, WIDTH))
    inwards = random.normal(size=(3 * WIDTH, WIDTH)) / WIDTH**0.5
    outwards = random.normal(size=(WIDTH, WIDTH)) / WIDTH**0.5
    direction = random.normal(size=WIDTH)
    inputs = x.swapaxes(0, 1) if batch_first else x
    tokens, batch, _ = inputs.shape
    columns = np.ascontiguousarray(inputs.reshape(tokens * batch, WIDTH).T)
    queries = np.ascontiguousarray(inwards @ columns)
    shares, mixed = np.empty((HEADS, tokens, tokens, batch)), np.empty_like(columns)
    attend(queries, causal, shares, mixed)
    change = np.zeros_like(columns)
    change[:, token * batch + sequence if batch_first else sequence * batch + token] = outwards.T @ direction
    back = np.empty_like(queries)
    attend_back(queries, shares, causal, change, np.empty((tokens, tokens, batch)), back)
    norms = np.linalg.norm(inwards.T @ back, axis=0).reshape(tokens, batch)
    return norms.T if batch_first else norms


class AttentionLeaks(Simulation):
    """Who influences whom: the gradient of one token's output

    Four sentences of a batch are written out word by word. One word has a frame: its output is differentiated. Below
    every word, a number gives the size of the gradient with respect to that word, and a bar compares it with the
    largest. Words of the same sentence that influence the output are green, words of other sentences that do are
    orange, and gray words have a gradient of exactly zero.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "batch_first": (False, True),
        "causal": (False, True),
        "token": tuple(range(1, TOKENS + 1)),
    }

    batch_first = param.Boolean(
        False, label="batch_first=True", doc="tell the module that the first axis is the batch, as it is here"
    )
    causal = param.Boolean(False, label="Causal mask", doc="let a token see only itself and those before it")
    sequence = param.Integer(
        2, bounds=(1, SEQUENCES), label="Sequence", doc="whose output is differentiated", precedence=1
    )
    token = param.Integer(4, bounds=(1, TOKENS), label="Token", doc="which of its tokens", precedence=1)
    seed = usual_parameters.seed()

    def compute(self) -> Frame:
        norms = gradient(self.sequence - 1, self.token - 1, self.batch_first, self.causal, self.seed)
        own, others = norms[self.sequence - 1], np.delete(norms, self.sequence - 1, axis=0)
        same = np.delete(own, self.token - 1)
        return Frame(
            {"gradient": Quantity(norms, "norm of the gradient", "output per unit of input", ("sequence", "token"))},
            {
                "other_tokens": float(np.abs(same).max()),
                "other_sequences": float(np.abs(others).max()),
                "later_tokens": float(own[self.token :].max(initial=0.0)),
                "earlier_tokens": float(own[: self.token - 1].max(initial=0.0)),
                "zeros": int((norms == 0).sum()),
            },
        )

    def describe(self, frame: Frame) -> str:
        parts = [
            f"the other tokens of its sequence {_influence(frame, 'other_tokens')}",
            f"the other sequences of the batch {_influence(frame, 'other_sequences')}",
        ]
        if self.token < TOKENS:
            parts.append(f"the tokens after it {_influence(frame, 'later_tokens')}")
        return (
            f"The output of “{self.word}”, token {self.token} of sequence {self.sequence}, depends on the inputs like "
            f"this: {'; '.join(parts)}. {self._verdict()}"
        )

    @property
    def word(self) -> str:
        """The name of the token whose output is differentiated."""
        return SENTENCES[self.sequence - 1].split()[self.token - 1]

    def _verdict(self) -> str:
        if not self.batch_first:
            return "The module mistakes the batch axis for the token axis: sequences are mixed, and tokens never meet."
        if not self.causal:
            return "Without a mask a token also sees what comes after it, which a language model must not."
        return "That is what a language model needs."

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"One untrained multi-head attention layer, width {WIDTH}, {HEADS} heads, without biases.",
            data=f"{SEQUENCES} random sequences of {TOKENS} tokens. The words only label the positions.",
            seeds=f"One, {self.seed}; which gradients are exactly zero does not depend on it.",
            cannot_show="How much either mistake costs a model; it shows only what can depend on what.",
        )


def _influence(frame: Frame, name: str) -> str:
    largest = float(frame.results[name])
    return f"up to {number(largest, 2)}" if largest else "exactly 0"


@calculation
def influence(of: str, batch_first: bool, causal: bool = False) -> float:
    """The largest gradient of token 4 of sequence 2 with respect to "other_tokens", "other_sequences" or
    "later_tokens"."""
    return float(AttentionLeaks(batch_first=batch_first, causal=causal).compute().results[of])
