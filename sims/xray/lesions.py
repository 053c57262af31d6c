"""What a network loses without each of its branches, one at a time, on the same random numbers."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any

import torch
from torch import nn

from sims.xray.about import XrayError
from sims.xray.lineage import FoundSum, Key
from sims.xray.tracer import Tracer

OUT_OF_MEMORY: tuple[type[BaseException], ...] = (torch.cuda.OutOfMemoryError, MemoryError)


def lesions(
    model: nn.Module, sums: Mapping[Key, FoundSum], evaluate: Callable[[], Any]
) -> tuple[float, list[float | None], list[str]]:
    """Return what `evaluate()` gives for the whole network, how much it rises without each branch, and sentences on
    what went wrong. Raises XrayError if it returns no number."""
    state = [(buffer, buffer.clone()) for buffer in model.buffers()]
    whole, _reached = _evaluated(evaluate, state, None)
    rises: list[float | None] = []
    memory, missed = 0, 0
    for key in sums:
        try:
            value, reached = _evaluated(evaluate, state, Tracer(model, known=sums, lesion=key))
        except OUT_OF_MEMORY:
            memory += 1
            rises.append(None)
            continue
        missed += not reached
        rises.append(value - whole if reached else None)
    remarks = []
    if memory:
        remarks.append(f"{memory} of {len(rises)} lesions ran out of memory.")
    if missed:
        remarks.append(f"The evaluation did not reach {missed} of {len(rises)} sums, so they have no lesion.")
    return whole, rises, remarks


def _evaluated(
    evaluate: Callable[[], Any], state: list[tuple[torch.Tensor, torch.Tensor]], tracer: Tracer | None
) -> tuple[float, bool]:
    try:
        with torch.no_grad(), torch.random.fork_rng():
            torch.manual_seed(0)
            with tracer or nullcontext():
                value = evaluate()
    finally:
        with torch.no_grad():
            for buffer, saved in state:
                buffer.copy_(saved)
    try:
        return float(value), tracer is None or tracer.reached
    except (TypeError, ValueError, RuntimeError):
        kind = type(value).__name__
        raise XrayError(
            f"An evaluation for lesions returns one number, such as a loss; this one returned a {kind}."
        ) from None
