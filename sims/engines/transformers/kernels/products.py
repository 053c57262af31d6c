"""Sums of products of two rows of B numbers, over tokens or features: the building block of attention."""

from typing import Any

import numpy as np

from sims.engines.kernels.compiled import compiled, inlined
from sims.engines.kernels.vectors import LANES, four_of, load, load_like, multiply_add, spread, store
from sims.engines.kernels.views import tail

Array = np.ndarray


@compiled
def products(
    left: Array,
    left_step: int,
    right: Array,
    right_step: int,
    apart: int,
    count: int,
    out: Array,
    out_apart: int,
    several: int,
    batch: int,
) -> None:
    """out[n, b] = Σ left[k, b] · right[n, k, b] over k < count, for all n < several and b < batch.

    The arrays are one-dimensional and begin with the first number to be used: left[k, b] is at index k left_step + b,
    right[n, k, b] at n apart + k right_step + b, out[n, b] at n out_apart + b. Each sum is taken in the order of k.

    Each addition of a sum must wait for the previous one. So several sums are taken at once: for many points, or for
    eight or four n. If the last group of n would not be full, it begins earlier, and some sums are taken twice.
    """
    long, whole = batch - batch % (4 * LANES), batch - batch % LANES
    nothing = left.dtype.type(0)
    for b in range(0, long, 4 * LANES):
        for n in range(several):
            _one(
                tail(left, b),
                left_step,
                tail(right, n * apart + b),
                right_step,
                count,
                tail(out, n * out_apart + b),
                four_of(nothing),
            )
    for b in range(long, whole, LANES):
        at_left, at_right, at_out = tail(left, b), tail(right, b), tail(out, b)
        size = 8 if several >= 8 else 4 if several >= 4 else 1
        for n in range(0, several, size):
            first = min(n, several - size)
            of_right, of_out = tail(at_right, first * apart), tail(at_out, first * out_apart)
            if size == 8:
                _eight(at_left, left_step, of_right, right_step, apart, count, of_out, out_apart)
            elif size == 4:
                _four(at_left, left_step, of_right, right_step, apart, count, of_out, out_apart)
            else:
                _one(at_left, left_step, of_right, right_step, count, of_out, spread(nothing))
    for n in range(several):
        for b in range(whole, batch):
            number = nothing
            for k in range(count):
                number += left[k * left_step + b] * right[n * apart + k * right_step + b]
            out[n * out_apart + b] = number


@inlined
def _one(left: Array, left_step: int, right: Array, right_step: int, count: int, out: Array, zero: Any) -> None:
    """Take the sums for one n, at as many of the first points as `zero` has lanes."""
    sums = zero
    for k in range(count):
        sums = multiply_add(load_like(left, k * left_step, zero), load_like(right, k * right_step, zero), sums)
    store(out, 0, sums)


@inlined
def _four(
    left: Array, left_step: int, right: Array, right_step: int, apart: int, count: int, out: Array, out_apart: int
) -> None:
    """Take the sums for the first four n, at the first `LANES` points."""
    a = b = c = d = spread(left.dtype.type(0))
    for k in range(count):
        numbers, place = load(left, k * left_step), k * right_step
        a = multiply_add(numbers, load(right, place), a)
        b = multiply_add(numbers, load(right, place + apart), b)
        c = multiply_add(numbers, load(right, place + 2 * apart), c)
        d = multiply_add(numbers, load(right, place + 3 * apart), d)
    store(out, 0, a)
    store(out, out_apart, b)
    store(out, 2 * out_apart, c)
    store(out, 3 * out_apart, d)


@inlined
def _eight(
    left: Array, left_step: int, right: Array, right_step: int, apart: int, count: int, out: Array, out_apart: int
) -> None:
    """Take the sums for the first eight n, at the first `LANES` points."""
    a = b = c = d = e = f = g = h = spread(left.dtype.type(0))
    for k in range(count):
        numbers, place = load(left, k * left_step), k * right_step
        a = multiply_add(numbers, load(right, place), a)
        b = multiply_add(numbers, load(right, place + apart), b)
        c = multiply_add(numbers, load(right, place + 2 * apart), c)
        d = multiply_add(numbers, load(right, place + 3 * apart), d)
        e = multiply_add(numbers, load(right, place + 4 * apart), e)
        f = multiply_add(numbers, load(right, place + 5 * apart), f)
        g = multiply_add(numbers, load(right, place + 6 * apart), g)
        h = multiply_add(numbers, load(right, place + 7 * apart), h)
    store(out, 0, a)
    store(out, out_apart, b)
    store(out, 2 * out_apart, c)
    store(out, 3 * out_apart, d)
    store(out, 4 * out_apart, e)
    store(out, 5 * out_apart, f)
    store(out, 6 * out_apart, g)
    store(out, 7 * out_apart, h)
