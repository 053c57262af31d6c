"""Attention between the tokens of each point, for all points of a batch at once (Vaswani et al. 1706.03762, 3.2).

Tokens stand side by side: token t of point b in column t B + b. Everything here is a sum over tokens or features of
products of two rows of B numbers, so that neighboring points share a vector.
"""

import numpy as np

from sims.engines.kernels.compiled import compiled, enclosed
from sims.engines.kernels.exponentials import exponential, exponential_of
from sims.engines.kernels.vectors import (
    LANES,
    add,
    divide,
    larger,
    load,
    multiply,
    multiply_add,
    spread,
    store,
    subtract,
)
from sims.engines.kernels.views import flat, slot, view

Array = np.ndarray


@compiled
def attend(queries: Array, causal: bool, shares: Array, mixed: Array) -> None:
    """mixed (width, T B) = what each token collects: the values of all tokens, or of those up to itself, in shares.

    queries (3 width, T B) holds queries, keys and values; the softmax of query · key / sqrt(width of a head) goes into
    shares (heads, T, T, B), with 0 for what is not seen.
    """
    width, columns = mixed.shape
    heads, tokens, _, batch = shares.shape
    of_head = width // heads
    factor = queries.dtype.type(1 / np.sqrt(of_head))
    numbers, flat_shares, flat_mixed = flat(queries), flat(shares), flat(mixed)
    for head in range(heads):
        first = head * of_head
        for t in range(tokens):
            seen, row = t + 1 if causal else tokens, (head * tokens + t) * tokens * batch
            for s in range(seen):
                _product(
                    numbers,
                    first * columns + t * batch,
                    columns,
                    numbers,
                    (width + first) * columns + s * batch,
                    columns,
                    of_head,
                    flat_shares,
                    row + s * batch,
                    batch,
                )
            _softmax(view(shares, row, (tokens, batch)), seen, factor)
            for i in range(first, first + of_head):
                _product(
                    flat_shares,
                    row,
                    batch,
                    numbers,
                    (2 * width + i) * columns,
                    batch,
                    seen,
                    flat_mixed,
                    i * columns + t * batch,
                    batch,
                )


@compiled
def attend_back(queries: Array, shares: Array, causal: bool, change: Array, slopes: Array, out: Array) -> None:
    """The gradient with respect to queries, keys and values, into out (3 width, T B), from that of `mixed` in change.

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
        first = head * of_head
        for t in range(tokens):
            seen = t + 1 if causal else tokens
            for s in range(seen):
                _product(
                    flat_change,
                    first * columns + t * batch,
                    columns,
                    numbers,
                    (2 * width + first) * columns + s * batch,
                    columns,
                    of_head,
                    flat_slopes,
                    t * square + s * batch,
                    batch,
                )
            of_token = view(shares, (head * tokens + t) * square, (tokens, batch))
            _softmax_back(of_token, seen, factor, slot(slopes, t))
        for i in range(first, first + of_head):
            for t in range(tokens):
                first_seeing, offset = t if causal else 0, t * batch
                seen, seeing = t + 1 if causal else tokens, tokens - first_seeing
                of_query, key, behind = i * columns + offset, (width + i) * columns, i * columns + first_seeing * batch
                of_key, of_value = key + offset, (2 * width + i) * columns + offset
                column = first_seeing * square + offset
                _product(flat_slopes, t * square, batch, numbers, key, batch, seen, flat_out, of_query, batch)
                _product(flat_slopes, column, square, numbers, behind, batch, seeing, flat_out, of_key, batch)
                _product(
                    flat_shares,
                    head * tokens * square + column,
                    square,
                    flat_change,
                    behind,
                    batch,
                    seeing,
                    flat_out,
                    of_value,
                    batch,
                )


@enclosed
def _product(
    left: Array,
    left_start: int,
    left_step: int,
    right: Array,
    right_start: int,
    right_step: int,
    count: int,
    out: Array,
    out_start: int,
    batch: int,
) -> None:
    """out[o + b] = Σ left[l + k m + b] · right[r + k n + b], over k < count, for all b < batch.

    l, r and o are the starts, m and n the steps in arrays of one dimension.
    """
    whole = batch - batch % LANES
    for b in range(0, whole, LANES):
        sums = spread(left.dtype.type(0))
        for k in range(count):
            sums = multiply_add(
                load(left, left_start + k * left_step + b), load(right, right_start + k * right_step + b), sums
            )
        store(out, out_start + b, sums)
    for b in range(whole, batch):
        number = left.dtype.type(0)
        for k in range(count):
            number += left[left_start + k * left_step + b] * right[right_start + k * right_step + b]
        out[out_start + b] = number


@enclosed
def _softmax(rows: Array, seen: int, factor: float) -> None:
    """Softmax of factor times the first `seen` rows of (T, B), for every column, in place; 0 in the other rows."""
    zero, one, batch = rows.dtype.type(0), rows.dtype.type(1), rows.shape[1]
    whole, scale = batch - batch % LANES, spread(factor)
    for b in range(0, whole, LANES):
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
    """From the gradient of the shares of one token, in rows (T, B), to that of query · key, in place."""
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
