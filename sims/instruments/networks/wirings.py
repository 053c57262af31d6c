"""Networks of blocks some of which have lost their plus sign: which these are, and what is measured, in words."""

from collections.abc import Collection, Mapping

from sims.contract.number_list import parse
from sims.contract.wording import number, times_as_large


def missing(cut: str, blocks: int) -> list[int]:
    """The blocks that a text such as "3, 7-12" names, counted from 1, in rising order; none beyond the last block."""
    return sorted(block for block in parse(cut) if block <= blocks)


def skips(without: Collection[int], blocks: int) -> tuple[float, ...]:
    """The weight on the skip of every block: 0 in the blocks without a plus sign, 1 elsewhere."""
    return tuple(0.0 if block in without else 1.0 for block in range(1, blocks + 1))


def wiring(without: Collection[int], blocks: int) -> str:
    """Say how many plus signs there are, as the beginning of a sentence."""
    if not without:
        return f"With all {blocks} plus signs"
    if len(without) == blocks:
        return f"Without any of the {blocks} plus signs"
    return f"With {blocks - len(without)} of {blocks} plus signs"


def in_words(
    results: Mapping[str, float | int | str],
    compared: str = "different images",
    first: str = "first block",
    last: str = "last",
) -> str:
    """Say what `stream`, `came`, `apart` and `gradient` of a frame's results mean, without a full stop.

    `compared` says what is some degrees apart; `first` and `last` are the ends of the gradient's path.
    """
    stream, gradient = (times_as_large(float(results[name])) for name in ("stream", "gradient"))
    came, apart = (number(float(results[name]), 2) for name in ("came", "apart"))
    return (
        f"the stream comes out {stream} as it went in, two {compared} come in {came}° and go out {apart}° apart, "
        f"and the gradient reaches the {first} {gradient} as it was after the {last}"
    )
