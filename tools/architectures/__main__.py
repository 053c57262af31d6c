"""`make zoo`: X-rays published architectures with random weights, and writes what was found beside what is true.

The table is `docs/xray-architectures.md`. An architecture that cannot be built or run is a line of it, too. ONLY, names
or parts of names, leaves the file as it is and prints the lines.
"""

import importlib
import logging
import os
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

import torch
from torch import nn

from sims.paths import ROOT
from sims.xray import xray
from tools.architectures.entry import Entry

LIBRARIES = ("torchvision", "timm", "transformers", "diffusers")

TABLE = ROOT / "docs" / "xray-architectures.md"


@dataclass
class Line:
    """What came of an architecture"""

    entry: Entry
    true: int = 0
    counted: int = 0
    false: Counter[str] = field(default_factory=Counter)
    """Classes whose code has additions that are none"""
    missed: Counter[str] = field(default_factory=Counter)
    others: int = 0
    loud: tuple[str, ...] = ()
    """Problems and cautions"""
    cost: float = 0.0
    """Processor time of a forward pass that is followed, over one that is not"""
    failed: str = ""


def entries() -> Iterator[Entry]:
    for library in LIBRARIES:
        yield from importlib.import_module(f"tools.architectures.{library}_models").ENTRIES


def examined(entry: Entry) -> Line:
    """X-ray one architecture, forward and backward."""
    line = Line(entry)
    torch.manual_seed(0)
    try:
        model = entry.build().train()
        args, kwargs = entry.inputs()
        began = time.process_time()
        model(*args, **kwargs)
        plain = time.process_time() - began
        calls: Counter[str] = Counter()
        names = {module: name or "(model)" for name, module in model.named_modules()}
        handles = [module.register_forward_pre_hook(lambda m, _: calls.update([names[m]])) for module in names]
        with xray(model) as report:
            began = time.process_time()
            out = model(*args, **kwargs)
            line.cost = (time.process_time() - began) / plain
            for handle in handles:
                handle.remove()
            losses = [tensor.float().square().mean() for tensor in tensors(out)]
            if losses:
                torch.stack(losses).sum().backward()
    except Exception as error:
        line.failed = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0][:90]}"
        return line
    modules = dict(model.named_modules()) | {"(model)": model}
    true = Counter({name: count for name, count in expected(entry.truth, modules, calls).items() if count})
    counted = Counter(addition.module for addition in report.additions)
    for name in list(counted):
        if type(modules[name]).__name__ in entry.others and counted[name] > true[name]:
            line.others += counted[name] - true[name]
            counted[name] = true[name]
    line.true, line.counted = true.total(), counted.total()
    line.false, line.missed = (classes(rest, modules) for rest in (counted - true, true - counted))
    line.loud = tuple(f"{finding.grade}: {finding.name}" for finding in report.findings() if finding.grade != "note")
    return line


def expected(truth: Mapping[str, Any], modules: Mapping[str, nn.Module], calls: Counter[str]) -> dict[str, int]:
    """Module → its true additions in the pass, of which the model itself is listed under one name."""
    counts = {}
    for name, module in modules.items():
        count = truth.get(type(module).__name__, 0)
        counts[name] = calls[name] * (count(module) if callable(count) else count)
    return counts


def classes(counted: Counter[str], modules: Mapping[str, nn.Module]) -> Counter[str]:
    return Counter(type(modules[name]).__name__ for name in counted.elements())


def tensors(out: Any) -> list[torch.Tensor]:
    """The tensors of an output that have a gradient."""
    if isinstance(out, torch.Tensor):
        return [out] if out.requires_grad and out.is_floating_point() else []
    parts = out.to_tuple() if hasattr(out, "to_tuple") else out.values() if isinstance(out, dict) else out
    return (
        [tensor for part in parts for tensor in tensors(part)]
        if isinstance(parts, tuple | list | type({}.values()))
        else []
    )


def in_words(line: Line) -> str:
    """The row of the table."""
    if line.failed:
        return (
            f"| {line.entry.library} | {line.entry.name} | | | | | | | does not run: {line.failed.replace('|', '/')} |"
        )
    false, missed = (
        f"{counts.total()} ({', '.join(counts)})" if counts else "0" for counts in (line.false, line.missed)
    )
    held = "yes" if line.entry.held_out else ""
    others = str(line.others or "")
    cells = (
        line.entry.library,
        line.entry.name,
        held,
        line.true,
        line.counted,
        false,
        missed,
        others,
        ", ".join(line.loud),
    )
    return "| " + " | ".join(map(str, cells)) + " |"


HEAD = """# Published architectures and the X-ray

Made by `make zoo` with PyTorch {torch}, {versions}, random weights and one seed.
What is true was written down from each source: an addition x + F(x) in the code of a class, times its calls. “Held out”
are those that were not looked at while the rules were first made; four repairs followed from them. “Other skips” are
sums of another kind that were found and are not counted: cascades within a block, gates over time, sums between
resolutions. Findings are problems and cautions of the untrained network on random inputs.

Of {count} architectures {exact} are exact; {failed} do not run. Of {true} true additions {missed} are missed, and
{false} sums are found that should not be. Among the {held} held out {held_exact} are exact, with {held_missed} of
{held_true} missed and {held_false} false. Following a forward pass takes a median of {cost:.2f} times its processor
time.

| library | architecture | held out | true | found | false | missed | other skips | findings |
|---|---|---|---|---|---|---|---|---|
"""


def written(lines: list[Line]) -> str:
    """The table."""
    ran = [line for line in lines if not line.failed]
    held = [line for line in ran if line.entry.held_out]

    def totals(chosen: list[Line]) -> dict[str, int]:
        return {
            "exact": sum(not line.false and not line.missed for line in chosen),
            "true": sum(line.true for line in chosen),
            "missed": sum(line.missed.total() for line in chosen),
            "false": sum(line.false.total() for line in chosen),
        }

    head = HEAD.format(
        torch=version("torch"),
        versions=", ".join(f"{library} {version(library)}" for library in LIBRARIES),
        count=len(lines),
        failed=len(lines) - len(ran),
        held=len(held),
        cost=sorted(line.cost for line in ran)[len(ran) // 2],
        **totals(ran),
        **{f"held_{name}": value for name, value in totals(held).items()},
    )
    return head + "\n".join(map(in_words, lines)) + "\n"


def main(only: list[str]) -> None:
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    os.environ["HF_HUB_OFFLINE"] = "1"
    lines = []
    for entry in entries():
        if not only or any(part in f"{entry.library} {entry.name}" for part in only):
            lines.append(examined(entry))
            print(in_words(lines[-1]), flush=True)
    if not only:
        TABLE.write_text(written(lines), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
