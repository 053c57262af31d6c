"""What a network loses without each of its branches, one at a time, on the same random numbers."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.parameter import is_lazy

from sims.xray.about import XrayError
from sims.xray.lineage import FoundSum, Key
from sims.xray.tracer import Tracer

OUT_OF_MEMORY: tuple[type[BaseException], ...] = (torch.cuda.OutOfMemoryError, MemoryError)


class _Buffers:
    """The buffers of a model as they were: which tensor each name stood for, and its values."""

    def __init__(self, model: nn.Module) -> None:
        own = [module for module in model.modules() if not isinstance(module, torch.jit.ScriptModule)]
        self._entries = [(module, dict(module._buffers)) for module in own]
        self._values = {id(buffer): (buffer, buffer.clone()) for buffer in model.buffers() if not is_lazy(buffer)}

    def restore(self) -> None:
        """Put every tensor and its values back. Only what changed is written: an expanded buffer cannot be."""
        with torch.no_grad():
            for module, entries in self._entries:
                module._buffers.clear()
                module._buffers.update(entries)
            for buffer, saved in self._values.values():
                if not _same(buffer, saved):
                    buffer.copy_(saved)


def _same(one: Tensor, other: Tensor) -> bool:
    """Whether two tensors hold the same values, NaN included. Those on the meta device have none, and sparse ones
    cannot be compared."""
    if one.is_meta or one.layout != torch.strided:
        return one.is_meta
    return bool(((one == other) | ((one != one) & (other != other))).all())


def lesions(
    model: nn.Module,
    sums: Mapping[Key, FoundSum],
    signatures: Mapping[tuple[str, int], list[str]],
    evaluate: Callable[[], Any],
) -> tuple[float, list[float | None], list[str]]:
    """Return what `evaluate()` gives for the whole network, how much it rises without each branch, and sentences on
    what went wrong. `signatures` are the sums of each call of a module in the pass that was followed: where the
    evaluation has others, it is not known which of them is which. Raises XrayError if it returns no number."""
    buffers = _Buffers(model)
    whole = _evaluated(evaluate, buffers, None)
    rises: list[float | None] = []
    memory, missed = 0, 0
    others: dict[str, int] = {}
    for key in sums:
        tracer = Tracer(model, known=sums, lesion=key, signatures=signatures)
        try:
            value = _evaluated(evaluate, buffers, tracer)
        except OUT_OF_MEMORY:
            memory += 1
            rises.append(None)
            continue
        if tracer.changed:
            others[key[0]] = others.get(key[0], 0) + 1
        else:
            missed += not tracer.reached
        rises.append(value - whole if tracer.reached and not tracer.changed else None)
    remarks = []
    if memory:
        remarks.append(f"{memory} of {len(rises)} lesions ran out of memory.")
    if missed:
        remarks.append(f"The evaluation did not reach {missed} of {len(rises)} sums, so they have no lesion.")
    if others:
        modules = ", ".join(list(others)[:3])
        remarks.append(
            f"{sum(others.values())} of {len(rises)} sums have no lesion, because the evaluation adds otherwise than "
            f"the pass that was followed, in {modules}: X-ray the model in the mode in which you evaluate it."
        )
    return whole, rises, remarks


def _evaluated(evaluate: Callable[[], Any], buffers: _Buffers, tracer: Tracer | None) -> float:
    try:
        with torch.no_grad(), torch.random.fork_rng():
            torch.manual_seed(0)
            with tracer or nullcontext():
                value = evaluate()
    finally:
        buffers.restore()
    try:
        return float(value)
    except (TypeError, ValueError, RuntimeError):
        kind = type(value).__name__
        raise XrayError(
            f"An evaluation for lesions returns one number, such as a loss; this one returned a {kind}."
        ) from None
