"""The calls that the engines make to their kernels: arguments, and what the kernels wrote."""

import inspect
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from sims.engines.language import engine as language_engine
from sims.engines.language.kernels import steps as language
from sims.engines.perceptrons.kernels import steps as perceptrons
from sims.engines.perceptrons.kernels import weighted_stack
from sims.engines.transformers.kernels import steps as transformers

LANGUAGE = SimpleNamespace(run=language.run, one_pass=language.one_pass)
"""The module of kernels as the language engine sees it while calls are recorded. A recorder in the module itself would
be in the way of `run`, which calls `one_pass` too"""

ENGINES: dict[str, dict[str, tuple[Any, str]]] = {
    "perceptrons": {
        "run": (perceptrons, "run"),
        "evaluate": (perceptrons, "evaluate"),
        "answer": (perceptrons, "answer"),
    },
    "language": {
        "run": (LANGUAGE, "run"),
        "one_pass": (LANGUAGE, "one_pass"),
        "forward": (language_engine, "forward"),
    },
    "transformers": {
        "run": (transformers, "run"),
        "evaluate": (transformers, "evaluate"),
        "answer": (transformers, "answer"),
    },
    "weighted_stack": {
        "run": (weighted_stack, "run"),
        "evaluate": (weighted_stack, "evaluate"),
    },
}
"""Engine → kernel → the module in which the engine looks it up, and its name there"""

SCRATCH = frozenset({"workspace", "training_workspace", "gradient", "gradients"})
"""Arguments whose numbers do not matter before a call, if they are of single precision"""

RESULTS = {("language", "forward"): ("workspace.stream", "workspace.outputs")}
"""Kernel → what it writes, if that is in its workspace"""

Values = dict[str, Any]
"""Name → array, number or truth value; a field of a named tuple is called `plan.width`"""


@dataclass(frozen=True)
class Call:
    """A call of a kernel by its engine."""

    engine: str
    kernel: str
    arguments: tuple[Any, ...]
    """As the engine passed them; the kernel has written to them since"""
    before: Values
    """Copies of the arguments before the call"""
    shared: Mapping[str, str]
    """Name of an array → that of an earlier one that is in the same memory"""
    after: Values
    """Copies of the arrays that the call may write to, after it, without scratch space"""
    result: float | None


def kernel_of(engine: str, kernel: str) -> Any:
    """The compiled function of a kernel. Raises KeyError for an unknown engine or kernel."""
    module, name = ENGINES[engine][kernel]
    return getattr(module, name)


@contextmanager
def recorded(runs: bool = True) -> Iterator[list[Call]]:
    """Record all calls of the kernels by their engines. Unless it `runs`, the kernels themselves are not called."""
    calls: list[Call] = []
    kernels = [(*place, engine, kernel) for engine, all_of in ENGINES.items() for kernel, place in all_of.items()]
    originals = [getattr(module, name) for module, name, _engine, _kernel in kernels]
    for (module, name, engine, kernel), original in zip(kernels, originals, strict=True):
        setattr(module, name, _recorder(engine, kernel, original, calls, runs))
    _seen_by_language(LANGUAGE)
    try:
        yield calls
    finally:
        _seen_by_language(language)
        for (module, name, _engine, _kernel), original in zip(kernels, originals, strict=True):
            setattr(module, name, original)


def flattened(names: list[str], arguments: tuple[Any, ...]) -> Values:
    """Return the arguments by name, with the fields of named tuples one by one."""
    values: Values = {}
    for name, argument in zip(names, arguments, strict=True):
        if isinstance(argument, tuple):
            fields: dict[str, Any] = argument._asdict()  # type: ignore[attr-defined]
            values |= {f"{name}.{field}": value for field, value in fields.items()}
        else:
            values[name] = argument
    return values


def parameters(kernel: Any) -> list[str]:
    """Return the names of a kernel's arguments."""
    return list(inspect.signature(kernel.py_func).parameters)


def is_scratch(name: str, array: np.ndarray) -> bool:
    """Whether an argument is working memory of single precision, whose numbers do not matter before a call."""
    return name.partition(".")[0] in SCRATCH and array.dtype == np.float32


def _seen_by_language(kernels: Any) -> None:
    vars(language_engine)["kernels"] = kernels


def _recorder(engine: str, kernel: str, original: Any, calls: list[Call], runs: bool) -> Any:
    names = parameters(original)

    def call(*arguments: Any) -> Any:
        values = flattened(names, arguments)
        before = _copied(values)
        result = original(*arguments) if runs else 0
        wanted = RESULTS.get((engine, kernel), ())
        after = {
            name: value
            for name, value in values.items()
            if isinstance(value, np.ndarray)
            and value.flags.writeable
            and (name in wanted or not is_scratch(name, value))
        }
        calls.append(Call(engine, kernel, arguments, before, _shared(values), _copied(after), result))
        return result

    return call


def _copied(values: Values) -> Values:
    return {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in values.items()}


def _shared(values: Values) -> dict[str, str]:
    """Name of an array → name of an earlier one at the same address."""
    first: dict[int, str] = {}
    shared = {}
    for name, value in values.items():
        if isinstance(value, np.ndarray) and value.size:
            owner = first.setdefault(value.ctypes.data, name)
            if owner != name:
                shared[name] = owner
    return shared
