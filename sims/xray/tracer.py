"""Follows the first forward pass, finds its residual additions, and measures them in that pass and in later ones."""

import sys
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.parameter import is_lazy
from torch.overrides import TorchFunctionMode

from sims.xray.lineage import (
    Family,
    FoundSum,
    Key,
    Node,
    axis_of,
    filled,
    kind_of,
    plain_name,
    precise_kind,
    tensors_in,
)
from sims.xray.measures import flat_units, measures, size
from sims.xray.skips import Ends, operands, residual

MOST_SUMS = 300
"""Sums of a module that are examined in a pass, over all its calls: a loop over time in plain Python has thousands, and
each looks for its skip among all that came before."""

MOST_NODES = 200_000
"""Tensors of one pass that are followed"""

Operands = tuple[Tensor, Tensor, float]


class _Call(NamedTuple):
    """A call of a module that goes on"""

    path: str
    number: int
    module: nn.Module
    sums: list[str]
    """Names of the operations so far that add"""


class _Join(NamedTuple):
    """An operation that adds, and where it is"""

    key: Key
    name: str
    pair: Operands | None


class _Hook:
    """A hook on a module or a weight. Copies of it do nothing, so that a model can be copied and saved meanwhile."""

    def __init__(self, action: Callable[..., None]) -> None:
        self._action = action

    def __call__(self, *inputs: Any) -> None:
        self._action(*inputs)

    def __reduce__(self) -> tuple[Any, ...]:
        # This method takes anything, returns None, and is in the standard library: a saved model loads without this
        # package.
        return getattr, (nullcontext(), "__exit__")


class Tracer(TorchFunctionMode):
    """Watches every call of torch while it is active. What fails in it is counted in `stumbles`; it raises nothing, so
    that the pass that it watches goes on.

    With `known`, nothing is looked for; with a key of it as `lesion`, the branch of that sum is left out, and `changed`
    tells whether the call that it is in added otherwise than in `signatures`.
    """

    def __init__(
        self,
        model: nn.Module,
        *,
        every: int = 1,
        first: int = 1,
        known: Mapping[Key, FoundSum] | None = None,
        lesion: Key | None = None,
        signatures: Mapping[tuple[str, int], list[str]] | None = None,
    ) -> None:
        super().__init__()
        self.model, self.every, self.first, self.lesion = model, every, first, lesion
        self.sums: dict[Key, FoundSum] = dict(known or {})
        self.tracing, self.watching, self.passes = known is None, True, 0
        self._may_trace = known is None
        self._traced: set[str] = set()
        """Modules that were called while their pass was followed"""
        self.opaque: Counter[str] = Counter()
        self.stumbles: Counter[str] = Counter()
        self.crowded: set[str] = set()
        """Modules with more sums than are examined"""
        self.changed: set[str] = set()
        """Modules whose sums were others in a later call than in the first"""
        self.too_long = False
        self.called = False
        """Whether a module of the model was called"""
        self.reached = False
        """Whether the sum of the lesion was reached"""
        self.keeping: dict[str, str] = {}
        """Modules that return the shape that they got in their first call, but not their input itself → their class"""
        self.gradients: dict[str, Tensor] = {}
        """Parameter → root mean square of its gradient"""
        self.signatures: dict[tuple[str, int], list[str]] = dict(signatures or {})
        """Module and number of its call → the operations that added in it when it was followed"""
        self._names = {module: name or "(model)" for name, module in model.named_modules()}
        self._biases = {id(weight) for name, weight in model.named_parameters() if name.endswith("bias")}
        self._busy = False
        self._asked = False
        """Whether torch.autograd.grad runs"""
        self._begin()

    def _begin(self) -> None:
        self.family = Family(self.model)
        self._stack: list[_Call] = []
        self._calls: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        self._examined: Counter[str] = Counter()

    # What is attached to the model, and taken off again

    def __enter__(self) -> "Tracer":
        self._handles: list[Any] = []
        self._weights: list[tuple[Any, Any, Any]] = []
        try:
            self._attach()
        except BaseException:
            self._detach()
            raise
        # What is compiled runs as it was written. Without torch.compile, its import (some 70 MB) is spared.
        compiled = "torch._dynamo.eval_frame" in sys.modules and hasattr(torch.compiler, "set_stance")
        self._stance: AbstractContextManager[Any] = (
            torch.compiler.set_stance("force_eager") if compiled else nullcontext()
        )
        self._stance.__enter__()
        super().__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        super().__exit__(*error)
        self._stance.__exit__(*error)
        self._detach()

    def _attach(self) -> None:
        for module, name in self._names.items():
            if isinstance(module, torch.jit.ScriptModule):
                self.opaque[f"{name} (torch.jit)"] += 1
                continue
            before = module.register_forward_pre_hook(_Hook(self._into), prepend=True, with_kwargs=True)
            after = module.register_forward_hook(_Hook(self._out_of), with_kwargs=True, always_call=True)
            self._handles += [before, after]
        if self.lesion:
            return
        for name, weight in self.model.named_parameters():
            if is_lazy(weight):  # it has no size before the first pass
                continue
            if weight.requires_grad and id(weight) not in self._biases and weight.numel():
                hooks: Any = getattr(weight, "_post_accumulate_grad_hooks", None)
                self._weights.append(
                    (weight, weight.register_post_accumulate_grad_hook(self._accumulated(name)), hooks)
                )

    def _detach(self) -> None:
        for handle in self._handles:
            handle.remove()
        for weight, handle, hooks in self._weights:
            handle.remove()
            weight._post_accumulate_grad_hooks = hooks
        self._handles, self._weights = [], []

    def _accumulated(self, name: str) -> Callable[[Tensor], None]:
        def hook(weight: Tensor) -> None:
            if self.watching and weight.grad is not None:
                self.attempt(lambda gradient: self.gradients.update({name: size(gradient)}), weight.grad)

        return hook

    def release(self) -> None:
        """Forget the graph of the pass; what was found can still be left out in lesions."""
        self._begin()
        self.gradients = {}
        for addition in self.sums.values():
            addition.weights, addition.flat, addition.now = [], [], {}
            addition.skip_node = addition.node = addition.previous = None

    # Modules

    def _into(self, module: nn.Module, args: Any, kwargs: Any) -> None:
        self.attempt(self._enter_module, module, args, kwargs)

    def _out_of(self, module: nn.Module, args: Any, kwargs: Any, out: Any) -> None:
        self.attempt(self._leave_module, module, args, kwargs, out)

    def _enter_module(self, module: nn.Module, args: Any, kwargs: Any) -> None:
        path, again = self._names.get(module), in_backward()
        if path is None:
            return
        self.called = True
        # Without the whole model, whatever is called from outside a second time begins a pass.
        if not again and not self._stack:
            if module is self.model or self._calls[False][path]:
                self._next_pass()
            # What is called from outside for the first time is followed, even after passes of other parts.
            self.tracing = self._may_trace and (not self.sums or path not in self._traced)
        if self._follows():
            self._traced.add(path)
        if again and not self._stack:
            super().__enter__()  # a mode is off while its `backward` runs, and a checkpoint runs again inside of that
        calls = self._calls[again]
        self._stack.append(_Call(path, calls[path], module, []))
        calls[path] += 1
        for tensor in tensors_in([args, kwargs]) if self._follows() else ():
            # Rule 6: a learned query, or the zeros that a decoder begins with, starts a stream.
            if tensor.ndim > 1 and not isinstance(tensor, nn.Parameter) and self.family.of(tensor).constant:
                self.family.add(tensor, "root")

    def _next_pass(self) -> None:
        self.watching = self.passes < self.first or self.passes % self.every == 0
        self.passes += 1
        self._begin()

    def _leave_module(self, module: nn.Module, args: Any, kwargs: Any, out: Any) -> None:
        if module not in self._names:
            return
        call = self._leave_stack(module)
        again = in_backward()
        if again and not self._stack:
            super().__exit__(None, None, None)
        if call and self.watching and not again:
            self._compare(call)
        if self._follows():
            self._take_over(call, module, args, kwargs, out)

    def _leave_stack(self, module: nn.Module) -> _Call | None:
        while self._stack:
            call = self._stack.pop()
            if call.module is module:
                return call
        return None

    def _compare(self, call: _Call) -> None:
        """Note whether a module adds as it did when it was followed."""
        if self.tracing:
            self.signatures[call.path, call.number] = call.sums
        elif self.lesion and (call.path, call.number) != self.lesion[:2]:
            return
        elif self.signatures.get((call.path, call.number), call.sums) != call.sums:
            self.changed.add(call.path)

    def _take_over(self, call: _Call | None, module: nn.Module, args: Any, kwargs: Any, out: Any) -> None:
        """Collapse a norm that was written out, and give what came from nowhere the lineage of what the module got."""
        path = self._names[module]
        inputs = tensors_in([args, kwargs])
        incoming = [node for tensor in inputs if not (node := self.family.of(tensor)).constant]
        norm = _is_norm(module) and len(incoming) == 1
        for tensor in tensors_in([out]):
            known = self.family.knows(tensor)
            written_out = (
                norm and self.family.of(tensor).kind != "activation" and self.family.of(tensor) is not incoming[0]
            )
            if incoming and (not known or written_out):
                kind = "norm" if norm else "op"
                _used(incoming, kind)
                if not known:
                    self.opaque[path] += 1
                weights = tuple(weight for weight in module.parameters() if id(weight) not in self._biases)
                axis = self.family.of(tensor).axis if known else None
                self.family.add(
                    tensor, kind, parents=tuple(incoming), learned=bool(weights), weights=weights, axis=axis
                )
            node = self.family.of(tensor)
            node.maker = path
            # A block that stochastic depth left out returns what it got. So does x += F(x), but it adds.
            left_out = any(tensor is one for one in inputs) and not (call and call.sums)
            if incoming and incoming[0].shape == node.shape and call and not call.number and not left_out:
                self.keeping[path] = type(module).__qualname__

    # Operations

    def __torch_function__(
        self, function: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        if self._busy or not self.watching:
            return function(*args, **kwargs)
        name = plain_name(function)
        kind = kind_of(name)
        if name in ("backward", "grad"):  # checkpoints run modules in it
            before, self._asked = self._asked, name == "grad"
            try:
                return function(*args, **kwargs)
            finally:
                self._asked = before
        pair = self.attempt(operands, name, args, kwargs) if kind == "add" else None
        join = self._join(name, kind, pair)
        follows = self._follows()
        if not follows and join is None:
            return function(*args, **kwargs)
        if not follows:
            addition = self.sums.get(join.key) if join else None
            return self._run(
                function, join, addition if addition and addition.operation == name else None, args, kwargs
            )
        inputs = tensors_in([args, kwargs])
        nodes = self.attempt(lambda: [self.family.of(tensor) for tensor in inputs]) or []
        addition = self.attempt(self._find, join, inputs, nodes) if join else None
        if kind == "op" and type(function).__module__ == "torch._ops" and len({n for n in nodes if not n.constant}) > 1:
            self.opaque[name] += 1  # somebody's kernel of several tensors; it may hold an addition
        result = self._run(function, join, addition, args, kwargs)
        self.attempt(
            self._record,
            name,
            kind,
            args,
            kwargs,
            inputs,
            nodes,
            args[0] if name == "__setitem__" else result,
            addition,
        )
        return result

    def _follows(self) -> bool:
        if self.tracing and self.family.size > MOST_NODES:
            self.too_long, self.tracing, self._may_trace = True, False, False
        return self.tracing and self.watching and not in_backward()

    def _join(self, name: str, kind: str, pair: Operands | None) -> _Join | None:
        if (pair is None and kind != "fused") or not self._stack:
            return None
        call = self._stack[-1]
        call.sums.append(name)
        return _Join((call.path, call.number, len(call.sums) - 1), name, pair)

    def _find(self, join: _Join, inputs: list[Tensor], nodes: list[Node]) -> FoundSum | None:
        if not all(tensor.is_floating_point() for tensor in inputs[:2]):
            return None
        path = join.key[0]
        if self._examined[path] == MOST_SUMS:
            self.crowded.add(path)
            return None
        self._examined[path] += 1
        if join.pair:
            one, two = (self.family.of(tensor) for tensor in join.pair[:2])
            shape = tuple(torch.broadcast_shapes(one.shape, two.shape))
            ends = Ends((one, two), (0, 1), shape, (1.0, join.pair[2]), True)
        else:  # x + a·b, x + A b, (1 − w) x + w y: what comes first is the skip, and all else makes the branch
            rest = tuple(node for node in nodes[1:] if not node.constant)
            order = max(node.order for node in nodes) + 1
            branch = Node(order, "op", rest, any(node.learned for node in nodes[1:]), constant=not rest)
            branch.graded = any(node.graded for node in rest)
            ends = Ends((nodes[0], branch), (0,), nodes[0].shape, (1.0, 1.0), False)
        addition = residual(join.key, join.name, ends)
        if addition:
            self.sums.pop(join.key, None)  # so that what is followed again, in a larger part, is in the order of that
            self.sums[join.key] = addition
        return addition

    def _record(
        self,
        name: str,
        kind: str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        inputs: list[Tensor],
        nodes: list[Node],
        out: Any,
        addition: FoundSum | None,
    ) -> None:
        """Give what came out its node."""
        active = tuple(node for node in nodes if not node.constant)
        if kind == "cut" or not active:
            learned = kind != "cut" and any(node.learned for node in nodes)
            weights = () if kind == "cut" else self._weights_of(inputs, nodes)
            for tensor in tensors_in([out]):
                self.family.add(tensor, "root", constant=True, learned=learned, weights=weights)
            return
        weights = self._weights_of(inputs, nodes)
        learned = any(node.constant and node.learned for node in nodes)
        kept = filled(inputs, nodes, out) if kind == "fill" else None
        if kept:  # The mask is no parent: it says where, but passes no value on.
            active, factor = (kept,), 1.0
        elif kind == "view" and not nodes[0].constant:
            # Neither is the tensor whose shape or type it takes. x.view_as(x) is what torch itself does with all that
            # goes into a module with backward hooks and comes out of it.
            active, factor = (nodes[0],), 1.0
        else:
            kind, factor = ("sum", 1.0) if addition else precise_kind(name, kind, args, kwargs, nodes)
        _used(active, kind)
        flat = None
        if kind == "activation" and isinstance(out, Tensor):
            flat = flat_units(name, out, axis_of(name, kind, out, active))
        for tensor in tensors_in([out]):
            node = self.family.add(
                tensor,
                kind,
                parents=active,
                learned=learned,
                factor=factor,
                flat=flat,
                addition=addition,
                weights=weights,
                axis=addition.axis if addition else axis_of(name, kind, tensor, active),
            )
            node.maker = active[0].maker if kind == "view" else ""
            if addition:
                addition.node = node

    def _weights_of(self, inputs: list[Tensor], nodes: list[Node]) -> tuple[nn.Parameter, ...]:
        """The weights among some tensors, and those that the constants among them were computed from, such as the gate
        in tanh(g)·F(x). Biases are left out."""
        found: dict[int, nn.Parameter] = {}
        for tensor, node in zip(inputs, nodes, strict=False):
            own = (tensor,) if isinstance(tensor, nn.Parameter) else node.weights if node.constant else ()
            found |= {id(weight): weight for weight in own if id(weight) not in self._biases}
        return tuple(found.values())

    def _run(
        self,
        function: Any,
        join: _Join | None,
        addition: FoundSum | None,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        """Run an operation, and measure it if it is a residual addition, or leave out its branch."""
        if addition is None or join is None or (self.lesion and addition.key != self.lesion):
            return self._quietly(function, args, kwargs)
        if self.lesion:
            return self._without_branch(join, addition, args, kwargs)
        again = in_backward()
        stream = None
        if not again:
            if join.pair:  # measured before an addition in place can overwrite them
                self.attempt(self._measure_pair, addition, join.pair)
            else:
                stream = self.attempt(lambda: _first(args, kwargs).detach().clone())
        result = self._quietly(function, args, kwargs)
        if stream is not None and not again:
            self.attempt(lambda out: self._measure(addition, stream, out.detach() - stream), result)
        self.attempt(self._watch_gradient, addition, result)
        return result

    def _measure_pair(self, addition: FoundSum, pair: Operands) -> None:
        self._measure(addition, *_terms(pair, addition.side))

    def _measure(self, addition: FoundSum, stream: Tensor, branch: Tensor) -> None:
        if stream.shape[-1:] != addition.shape[-1:] and branch.shape[-1:] != addition.shape[-1:]:
            self.changed.add(addition.key[0])
            return
        with torch.no_grad():
            addition.now = measures(stream, branch, addition.axis)

    def _watch_gradient(self, addition: FoundSum, result: Any) -> None:
        if not isinstance(result, Tensor) or not result.requires_grad:
            return
        now = addition.now
        earlier: list[Tensor] = []  # of losses whose backward pass kept the graph for the next one

        def add(gradient: Tensor) -> None:
            if self._asked:  # torch.autograd.grad, as in a gradient penalty, is no backward pass of the loss
                if not earlier:
                    now["gradient"] = size(gradient)
                return
            total = earlier.pop().add(gradient.detach()) if earlier else gradient.detach()
            if _keeps_graph():
                earlier.append(total.clone())
            now["gradient"] = size(total)

        def arrived(gradient: Tensor) -> None:
            self.attempt(add, gradient)

        result.register_hook(arrived)

    def _without_branch(self, join: _Join, addition: FoundSum, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        self.reached = True
        in_place = join.name.startswith("__i") or (join.name.endswith("_") and not join.name.startswith("__"))
        if join.pair is None:
            return _first(args, kwargs) if in_place else _first(args, kwargs).clone()
        stream, branch = _terms(join.pair, addition.side)
        if in_place:
            return args[0].copy_(stream)
        whole = stream.expand(torch.broadcast_shapes(stream.shape, branch.shape))
        return whole.to(torch.result_type(stream, branch), copy=True)

    def _quietly(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run an operation that may call others: if this mode is active twice, as in a checkpoint, it sees it once."""
        before, self._busy = self._busy, True
        try:
            return function(*args, **kwargs)
        finally:
            self._busy = before

    def attempt(self, action: Callable[..., Any], *values: Any) -> Any:
        """Do something for the X-ray that must not stop what it watches; None if it fails."""
        before, self._busy = self._busy, True
        try:
            return action(*values)
        except Exception as error:
            self.stumbles[f"{type(error).__name__}: {str(error).partition(chr(10))[0][:120]}"] += 1
            return None
        finally:
            self._busy = before


def _first(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Tensor:
    tensor: Tensor = args[0] if args else kwargs["input"]
    return tensor


def _terms(pair: Operands, side: int) -> tuple[Tensor, Tensor]:
    """Stream and branch of a sum, each with what the operation multiplies it by."""
    terms = (pair[0].detach(), pair[1].detach() * pair[2] if pair[2] != 1 else pair[1].detach())
    return terms[side], terms[1 - side]


def _used(nodes: Any, kind: str) -> None:
    for node in nodes:
        node.origin("view", "pool", "dropout", "factor", "bias", "fill").uses.append(kind)


def _is_norm(module: nn.Module) -> bool:
    maps = (nn.Linear, nn.modules.conv._ConvNd)
    return "norm" in type(module).__name__.lower() and not any(isinstance(part, maps) for part in module.modules())


def in_backward() -> bool:
    """Whether a backward pass runs: a forward pass in it is a checkpoint's second one."""
    return torch._C._current_graph_task_id() != -1


def _keeps_graph() -> bool:
    """Whether another backward pass through the graph may follow the one that runs; False if torch does not tell."""
    keeps = getattr(torch._C._autograd, "_get_current_graph_task_keep_graph", None)
    return bool(keeps and keeps())
