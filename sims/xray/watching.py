"""`xray`: a report of the passes of a model that run inside of its `with`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn

from sims.xray.about import XrayError
from sims.xray.additions import Addition, Contents, Weight
from sims.xray.lesions import lesions
from sims.xray.lineage import FoundSum
from sims.xray.report import Report
from sims.xray.skips import chained
from sims.xray.tracer import MOST_NODES, MOST_SUMS, Tracer


@contextmanager
def xray(model: nn.Module, every: int = 1, first: int = 1, *, site: str = "") -> Iterator[Report]:
    """Find and measure the residual additions of a PyTorch model: `with xray(model) as report: step().backward()`.

    The first pass is followed; it and later ones are measured: the first `first` passes, and from then on every
    `every`-th. The report holds the last measures. Compiled code runs as it was written meanwhile. The loss, gradients
    and random numbers stay the same bit for bit, and nothing stays on the model. `site` is the address to which the
    links of findings lead.

    Raises XrayError if there is no model, or `every` or `first` is below 1. What fails in the X-ray while the model
    runs does not stop the model: the report says so.
    """
    if not isinstance(model, nn.Module):
        what = f"a {type(model).__name__}"
        raise XrayError(f"xray needs an nn.Module, whose calls it can watch; this is {what}. Wrap functions in one.")
    if every < 1 or first < 1:
        raise XrayError(f"`every` and `first` count passes from 1 on; they are {every} and {first}.")
    tracer = Tracer(model, every=every, first=first)
    source = _Watched(model, tracer)
    report = Report(source=source, site=site)
    try:
        with tracer:
            yield report
    finally:
        report.settle()
        source.let_go()


class _Watched:
    """The model and its tracer, as the source of a report"""

    def __init__(self, model: nn.Module, tracer: Tracer) -> None:
        self._model, self._tracer = model, tracer

    def contents(self) -> Contents:
        tracer = self._tracer
        with torch.no_grad():
            before, tracer.watching = tracer.watching, False  # so that it does not watch itself
            try:
                return contents(tracer)
            finally:
                tracer.watching = before

    def lesions(self, evaluate: Callable[[], Any]) -> tuple[float, list[float | None], list[str]]:
        return lesions(self._model, self._tracer.sums, evaluate)

    def let_go(self) -> None:
        """Forget the graph of the pass, of which lesions need nothing."""
        self._tracer.release()


def contents(tracer: Tracer) -> Contents:
    """What a tracer knows, with all numbers brought from the device."""
    model, sums = tracer.model, list(tracer.sums.values())
    names = {id(weight): name for name, weight in model.named_parameters()}
    gradients = {name: float(value) for name, value in tracer.gradients.items()}
    streams = chained(sums)
    additions = tuple(
        _addition(
            number, addition, stream, model.training, [gradients.get(names.get(id(w), "")) for w in addition.weights]
        )
        for number, (addition, stream) in enumerate(zip(sums, streams, strict=True))
    )
    weights = [(name, weight) for name, weight in model.named_parameters() if weight.ndim > 1 and name in gradients]
    adding = {tracer.keeping.get(addition.module) for addition in additions}
    return Contents(
        additions,
        tuple(Weight(name, tuple(weight.shape), gradients[name]) for name, weight in weights),
        dict(tracer.opaque),
        {module: kind for module, kind in tracer.keeping.items() if kind in adding},
        tuple(_remarks(tracer)),
        type(model).__name__,
        torch.__version__,
        tracer.passes,
    )


def _addition(number: int, addition: FoundSum, stream: int, training: bool, gradients: list[float | None]) -> Addition:
    measured = [gradient for gradient in gradients if gradient is not None]
    module, call, place = addition.key
    numbers = {name: float(value) for name, value in addition.now.items()}
    return Addition(
        number,
        module,
        call,
        place,
        addition.made_by,
        addition.kind,
        tuple(addition.on_skip),
        tuple(addition.trunk),
        stream,
        tuple(addition.shape),
        addition.factor,
        addition.pre_norm,
        addition.ends_in,
        addition.drops and training,
        tuple(addition.node.uses if addition.node else ()),
        flat=max(map(float, addition.flat)) if addition.flat else None,
        weight_gradient=sum(gradient**2 for gradient in measured) ** 0.5 if measured else None,
        **numbers,
    )


def _remarks(tracer: Tracer) -> Iterator[str]:
    if not tracer.passes and not tracer.sums and not tracer.keeping:
        yield "No forward pass of the model was seen: call the model itself inside of the `with`."
    if tracer.crowded:
        modules = ", ".join(sorted(tracer.crowded)[:3])
        yield f"Of the sums in one call of {modules}, only the first {MOST_SUMS} were examined: is it a loop over time?"
    if tracer.too_long:
        yield f"Only the first {MOST_NODES:,} tensors of the pass were followed."
    if tracer.changed:
        modules = ", ".join(sorted(tracer.changed)[:3])
        yield f"A later pass took another path than the one that was followed, in {modules}: measures may mix both."
    for error, times in list(tracer.stumbles.items())[:3]:
        yield f"The X-ray could not measure something, {times} times; the model went on ({error})."[:400]
