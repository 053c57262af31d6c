"""`xray`: a report of the passes of a model that run inside of its `with`."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from sims.xray.about import XrayError
from sims.xray.additions import Addition, Contents, Weight
from sims.xray.lesions import lesions
from sims.xray.lineage import FoundSum
from sims.xray.report import Report
from sims.xray.skips import chained
from sims.xray.tracer import MOST_NODES, MOST_SUMS, Tracer

NOT_CALLED = "No forward pass of the model was seen: call the model itself inside of the `with`."


@contextmanager
def xray(model: nn.Module, every: int = 1, first: int = 1, *, site: str = "") -> Iterator[Report]:
    """Find and measure the residual additions of a PyTorch model: `with xray(model) as report: step().backward()`.

    The first pass is followed; it and later ones are measured: the first `first` passes, and from then on every
    `every`-th. A part of the model that is called by itself is followed when it is first called. The report holds the
    last measures. Compiled code runs as it was written meanwhile. The loss, gradients and random numbers stay the same
    bit for bit, and nothing stays on the model. `site` is the address to which the links of findings lead.

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
        try:
            report.settle()
        finally:
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
                known: Contents | None = tracer.attempt(contents, tracer)
                return known or Contents(remarks=tuple(_remarks(tracer, _Reader())), model=type(self._model).__name__)
            finally:
                tracer.watching = before

    def lesions(self, evaluate: Callable[[], Any]) -> tuple[float, list[float | None], list[str]]:
        return lesions(self._model, self._tracer.sums, self._tracer.signatures, evaluate)

    def let_go(self) -> None:
        """Forget the graph of the pass, of which lesions need nothing."""
        self._tracer.release()


class _Reader:
    """Brings numbers from the device, and counts those that cannot be read: tensors on the meta device, fake tensors
    and those inside of torch.vmap have none."""

    def __init__(self) -> None:
        self.unread = 0
        self.error = ""

    def read(self, value: Tensor) -> float | None:
        """The number in a tensor of no dimension, or None."""
        try:
            return float(value)
        except Exception as error:
            self.unread += 1
            self.error = f"{type(error).__name__}: {str(error).partition(chr(10))[0][:120]}"
            return None

    def read_all(self, values: Mapping[str, Tensor]) -> dict[str, float]:
        """The numbers that can be read."""
        return {name: number for name, value in values.items() if (number := self.read(value)) is not None}


def contents(tracer: Tracer) -> Contents:
    """What a tracer knows, with all numbers brought from the device."""
    model, sums, reader = tracer.model, list(tracer.sums.values()), _Reader()
    names = {id(weight): name for name, weight in model.named_parameters()}
    gradients = reader.read_all(tracer.gradients)
    streams = chained(sums)
    additions = tuple(
        _addition(
            number,
            addition,
            stream,
            model.training,
            [gradients.get(names.get(id(w), "")) for w in addition.weights],
            reader,
        )
        for number, (addition, stream) in enumerate(zip(sums, streams, strict=True))
    )
    weights = [(name, weight) for name, weight in model.named_parameters() if name in gradients and weight.ndim > 1]
    adding = {tracer.keeping.get(addition.module) for addition in additions}
    return Contents(
        additions,
        tuple(Weight(name, tuple(weight.shape), gradients[name]) for name, weight in weights),
        dict(tracer.opaque),
        {module: kind for module, kind in tracer.keeping.items() if kind in adding},
        tuple(_remarks(tracer, reader)),
        type(model).__name__,
        torch.__version__,
        tracer.passes,
    )


def _addition(
    number: int,
    addition: FoundSum,
    stream: int,
    training: bool,
    gradients: list[float | None],
    reader: _Reader,
) -> Addition:
    measured = [gradient for gradient in gradients if gradient is not None]
    module, call, place = addition.key
    flat = [share for value in addition.flat if (share := reader.read(value)) is not None]
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
        flat=max(flat, default=None),
        weight_gradient=sum(gradient**2 for gradient in measured) ** 0.5 if measured else None,
        **reader.read_all(addition.now),
    )


def _remarks(tracer: Tracer, reader: _Reader) -> Iterator[str]:
    if not tracer.called and not tracer.sums:
        yield NOT_CALLED
    if tracer.crowded:
        modules = ", ".join(sorted(tracer.crowded)[:3])
        yield f"Of the sums in {modules}, only the first {MOST_SUMS} were examined: is it a loop over time?"
    if tracer.too_long:
        yield f"Only the first {MOST_NODES:,} tensors of the pass were followed."
    if tracer.changed:
        modules = ", ".join(sorted(tracer.changed)[:3])
        yield f"A later pass took another path than the one that was followed, in {modules}: measures may mix both."
    if reader.unread:
        yield f"{reader.unread} measures have no value that can be read, as on the meta device ({reader.error})."[:400]
    for error, times in list(tracer.stumbles.items())[:3]:
        yield f"The X-ray could not measure something, {times} times; the model went on ({error})."[:400]
