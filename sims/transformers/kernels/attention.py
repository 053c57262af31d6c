"""Attention between the tokens of each point, for all points of a batch at once (Vaswani et al. 1706.03762, 3.2).

Tokens stand side by side: token t of point b in column t B + b. So the inner loops run over neighboring points, and
the compiler works on several of them at a time.
"""

import numpy as np

from sims.training.kernels.compiled import compiled

Array = np.ndarray


@compiled
def attend(queries: Array, causal: bool, shares: Array, mixed: Array) -> None:
    """mixed (width, T B) = what each token collects: the values of all tokens, or of those up to itself, in shares.

    queries (3 width, T B) holds queries, keys and values; the softmax of query · key / sqrt(width of a head) goes into
    shares (heads, T, T, B).
    """
    width = mixed.shape[0]
    heads, tokens, _, batch = shares.shape
    of_head = width // heads
    factor = queries.dtype.type(1 / np.sqrt(of_head))
    for head in range(heads):
        for t in range(tokens):
            seen = t + 1 if causal else tokens
            for s in range(tokens):
                _scores(queries, width, head * of_head, of_head, t, s, factor, shares[head, t, s], s < seen)
            _softmax(shares[head, t], seen)
            for i in range(head * of_head, (head + 1) * of_head):
                out = mixed[i, t * batch : (t + 1) * batch]
                for b in range(batch):
                    out[b] = 0
                for s in range(seen):
                    value, share = queries[2 * width + i, s * batch : (s + 1) * batch], shares[head, t, s]
                    for b in range(batch):
                        out[b] += share[b] * value[b]


@compiled
def _scores(
    queries: Array, width: int, first: int, count: int, t: int, s: int, factor: float, out: Array, seen: bool
) -> None:
    """out (B,) = factor · query of token t · key of token s, over `count` features from `first` on; 0 where unseen."""
    batch = out.size
    for b in range(batch):
        out[b] = 0
    if seen:
        for i in range(first, first + count):
            query, key = queries[i, t * batch : (t + 1) * batch], queries[width + i, s * batch : (s + 1) * batch]
            for b in range(batch):
                out[b] += query[b] * key[b]
        for b in range(batch):
            out[b] *= factor


@compiled
def _softmax(rows: Array, seen: int) -> None:
    """Softmax over the first `seen` rows of (T, B), for every column, in place."""
    one = rows.dtype.type(1)
    for b in range(rows.shape[1]):
        largest = rows[0, b]
        for s in range(1, seen):
            largest = max(largest, rows[s, b])
        total = rows.dtype.type(0)
        for s in range(seen):
            rows[s, b] = np.exp(rows[s, b] - largest)
            total += rows[s, b]
        share = one / total
        for s in range(seen):
            rows[s, b] *= share


@compiled
def attend_back(queries: Array, shares: Array, causal: bool, change: Array, row: Array, out: Array) -> None:
    """The gradient with respect to queries, keys and values, into out (3 width, T B), from that of `mixed` in change.

    row (T, B) is scratch space.
    """
    width = change.shape[0]
    heads, tokens, _, batch = shares.shape
    of_head = width // heads
    factor = queries.dtype.type(1 / np.sqrt(of_head))
    for i in range(3 * width):
        for j in range(tokens * batch):
            out[i, j] = 0
    for head in range(heads):
        first, last = head * of_head, (head + 1) * of_head
        for t in range(tokens):
            seen = t + 1 if causal else tokens
            for s in range(seen):
                slope, share = row[s], shares[head, t, s]
                for b in range(batch):
                    slope[b] = 0
                for i in range(first, last):
                    arriving = change[i, t * batch : (t + 1) * batch]
                    value = queries[2 * width + i, s * batch : (s + 1) * batch]
                    of_value = out[2 * width + i, s * batch : (s + 1) * batch]
                    for b in range(batch):
                        slope[b] += arriving[b] * value[b]
                        of_value[b] += share[b] * arriving[b]
            _softmax_back(shares[head, t], seen, factor, row)
            for s in range(seen):
                slope, at, other = row[s], t * batch, s * batch
                for i in range(first, last):
                    query, key = queries[i, at : at + batch], queries[width + i, other : other + batch]
                    of_query, of_key = out[i, at : at + batch], out[width + i, other : other + batch]
                    for b in range(batch):
                        of_query[b] += slope[b] * key[b]
                        of_key[b] += slope[b] * query[b]


@compiled
def _softmax_back(shares: Array, seen: int, factor: float, row: Array) -> None:
    """From the gradient of the shares of one token, in row (T, B), to factor times that of its scores, in place."""
    for b in range(row.shape[1]):
        mean = row.dtype.type(0)
        for s in range(seen):
            mean += row[s, b] * shares[s, b]
        for s in range(seen):
            row[s, b] = shares[s, b] * (row[s, b] - mean) * factor
