"""The worked examples of the page on what came after 2024: mixing two lanes, and attention to three earlier outputs."""

import numpy as np

from sims.contract.calculation import Number, calculation
from sims.contract.wording import vector
from sims.instruments.stacks.lane_mixing import doubly_stochastic, singular_values


def _logits(first: float, second: float) -> np.ndarray:
    return np.array([[0.0, first], [second, 0.0]])


@calculation
def sinkhorn(first: float, second: float, after: str) -> Number:
    """Two lanes with the logits [0, first; second, 0], as text: the "exponentials", those with the "rows" divided by
    their sums, then with the "columns", and the "limit". Raises KeyError for another word."""
    exponentials = np.exp(_logits(first, second))
    rows = exponentials / exponentials.sum(axis=1, keepdims=True)
    columns = rows / rows.sum(axis=0)
    limit = doubly_stochastic(_logits(first, second))
    matrix = {"exponentials": exponentials, "rows": rows, "columns": columns, "limit": limit}[after]
    return vector(matrix, ".3f")


@calculation
def second(first: float, second: float, blocks: float = 1) -> Number:
    """The second singular value of the limit; of its power if several blocks mix alike."""
    value: float = float(singular_values(doubly_stochastic(_logits(first, second)))[1])
    return value ** float(blocks)


@calculation
def lookback(query: float, third: float = 6.0, what: str = "mean") -> Number:
    """For earlier outputs 1, 2 and `third`, whose scores are the query times the output: their "mean" with the softmax
    of the scores as weights, the weight of the "first" or of the "last", or their plain "sum"."""
    outputs = np.array([1.0, 2.0, third])
    scores = query * outputs
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    readings = {"mean": weights @ outputs, "first": weights[0], "last": weights[-1], "sum": outputs.sum()}
    return float(readings[what])
