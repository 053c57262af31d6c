"""Attention between the tokens of each point, for all points of a batch at once (Vaswani et al. 1706.03762, 3.2).

Token t of point b is in column t B + b. All sums here, over tokens or features, are of products of two rows of B
numbers, so that neighboring points share a vector.
"""

import numpy as np

from sims.engines.kernels.compiled import compiled, enclosed
from sims.engines.kernels.exponentials import exponential, exponential_of
from sims.engines.kernels.vectors import LANES, add, divide, larger, load, multiply, spread, store, subtract
from sims.engines.kernels.views import flat, slot, tail, view
from sims.engines.transformers.kernels.products import products

Array = np.ndarray


@compiled
def attend(queries: Array, causal: bool, shares: Array, mixed: Array) -> None:
    """mixed (width, T B) = for each token, a weighted sum of the values of all tokens (if `causal`, of those up to it).

    queries (3 width, T B) holds queries, keys and values. The weights, the softmax of query · key / sqrt(width of a
    head), go into shares (heads, T, T, B), with 0 for tokens that are not seen.
    """
    width, columns = mixed.shape
    heads, tokens, _, batch = shares.shape
    of_head = width // heads
    factor = queries.dtype.type(1 / np.sqrt(of_head))
    numbers, flat_shares, flat_mixed = flat(queries), flat(shares), flat(mixed)
    for head in range(heads):
        first = head * of_head * columns
        keys, values = tail(numbers, width * columns + first), tail(numbers, 2 * width * columns + first)
        for t in range(tokens):
            visible, row, offset = t + 1 if causal else tokens, (head * tokens + t) * tokens * batch, first + t * batch
            query, of_token = tail(numbers, offset), tail(flat_shares, row)
            products(query, columns, keys, columns, batch, of_head, of_token, batch, visible, batch)
            _softmax(view(shares, row, (tokens, batch)), visible, factor)
            products(
                of_token, batch, values, batch, columns, visible, tail(flat_mixed, offset), columns, of_head, batch
            )


@compiled
def attend_back(queries: Array, shares: Array, causal: bool, change: Array, slopes: Array, out: Array) -> None:
    """Write the gradient of queries, keys and values to out (3 width, T B), given that of `mixed` in `change`.

    slopes (T, T, B) is scratch space.
    """
    width, columns = change.shape
    heads, tokens, _, batch = shares.shape
    of_head = width // heads
    factor = queries.dtype.type(1 / np.sqrt(of_head))
    square = tokens * batch
    numbers, flat_shares, flat_change = flat(queries), flat(shares), flat(change)
    flat_slopes, flat_out = flat(slopes), flat(out)
    for head in range(heads):
        first, square_of_head = head * of_head * columns, head * tokens * square
        keys, values = tail(numbers, width * columns + first), tail(numbers, 2 * width * columns + first)
        # First the gradient of every score query · key, into `slopes`.
        for t in range(tokens):
            visible, row = t + 1 if causal else tokens, tail(flat_slopes, t * square)
            arriving = tail(flat_change, first + t * batch)
            products(arriving, columns, values, columns, batch, of_head, row, batch, visible, batch)
            of_token = view(shares, square_of_head + t * square, (tokens, batch))
            _softmax_back(of_token, visible, factor, slot(slopes, t))
        # A query's gradient is a sum over the tokens that it sees; those of a key and a value are sums over the tokens
        # that see them: from `earliest` on.
        for t in range(tokens):
            earliest, offset = t if causal else 0, first + t * batch
            visible, seeing = t + 1 if causal else tokens, tokens - earliest
            of_query, of_key = tail(flat_out, offset), tail(flat_out, width * columns + offset)
            of_value, column = tail(flat_out, 2 * width * columns + offset), earliest * square + t * batch
            slope, slopes_on = tail(flat_slopes, t * square), tail(flat_slopes, column)
            shares_on, behind = tail(flat_shares, square_of_head + column), first + earliest * batch
            queries_on, change_on = tail(numbers, behind), tail(flat_change, behind)
            products(slope, batch, keys, batch, columns, visible, of_query, columns, of_head, batch)
            products(slopes_on, square, queries_on, batch, columns, seeing, of_key, columns, of_head, batch)
            products(shares_on, square, change_on, batch, columns, seeing, of_value, columns, of_head, batch)


@enclosed
def _softmax(rows: Array, seen: int, factor: float) -> None:
    """Replace the first `seen` rows of (T, B) by the softmax of `factor` times them, column by column; the other rows
    become 0."""
    zero, one, batch = rows.dtype.type(0), rows.dtype.type(1), rows.shape[1]
    whole, scale = batch - batch % LANES, spread(factor)
    for b in range(0, whole, LANES):
        # The largest score is subtracted from all, so that no exponential overflows.
        largest = load(rows, b)
        for s in range(1, seen):
            largest = larger(largest, load(rows, s * batch + b))
        total = spread(zero)
        for s in range(seen):
            share = exponential(multiply(subtract(load(rows, s * batch + b), largest), scale))
            total = add(total, share)
            store(rows, s * batch + b, share)
        total = divide(spread(one), total)
        for s in range(seen):
            store(rows, s * batch + b, multiply(load(rows, s * batch + b), total))
    for b in range(whole, batch):
        most = rows[0, b]
        for s in range(1, seen):
            most = max(most, rows[s, b])
        sums = zero
        for s in range(seen):
            rows[s, b] = exponential_of((rows[s, b] - most) * factor)
            sums += rows[s, b]
        for s in range(seen):
            rows[s, b] *= one / sums
    for s in range(seen, rows.shape[0]):
        for b in range(batch):
            rows[s, b] = zero


@enclosed
def _softmax_back(shares: Array, seen: int, factor: float, rows: Array) -> None:
    """Replace the gradient of one token's shares, in rows (T, B), by that of its scores query · key."""
    batch, zero = rows.shape[1], rows.dtype.type(0)
    whole, scale = batch - batch % LANES, spread(factor)
    for b in range(0, whole, LANES):
        mean = spread(zero)
        for s in range(seen):
            mean = add(mean, multiply(load(rows, s * batch + b), load(shares, s * batch + b)))
        for s in range(seen):
            gap = subtract(load(rows, s * batch + b), mean)
            store(rows, s * batch + b, multiply(multiply(load(shares, s * batch + b), gap), scale))
    for b in range(whole, batch):
        level = zero
        for s in range(seen):
            level += rows[s, b] * shares[s, b]
        for s in range(seen):
            rows[s, b] = shares[s, b] * (rows[s, b] - level) * factor
