"""Where a tensor comes from: every operation of an eager forward pass as a node of a graph."""

import weakref
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor, nn
from torch.nn.parameter import is_lazy

OPERATIONS: Mapping[str, str] = {
    "view": """view reshape flatten unflatten transpose permute movedim moveaxis swapaxes swapdims squeeze unsqueeze
        expand expand_as view_as reshape_as contiguous clone to type type_as float half bfloat16 double t roll alias
        requires_grad cpu cuda chunk split unbind tensor_split __getitem__ narrow select pad ravel flip""",
    "detach": "detach",
    "activation": """relu gelu silu sigmoid tanh elu leaky_relu hardswish hardsigmoid mish softplus relu6 prelu selu
        celu hardtanh logsigmoid rrelu glu softmax log_softmax square pow clamp clamp_min maximum softsign erf exp abs
        sin cos""",
    "norm": "layer_norm batch_norm group_norm instance_norm rms_norm normalize local_response_norm",
    "dropout": "dropout dropout1d dropout2d dropout3d alpha_dropout feature_alpha_dropout",
    "fill": "masked_fill where nan_to_num __setitem__",
    "factor": "mul multiply div divide true_divide __mul__ __rmul__ __imul__ __truediv__ __itruediv__ neg",
    "add": "add __add__ __radd__ __iadd__ sub __sub__ __isub__ subtract",
    "reversed": "rsub __rsub__",
    "fused": "addcmul addcdiv lerp addmm baddbmm addbmm addmv addr",
    "linear": """linear conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d matmul __matmul__
        __rmatmul__ mm bmm einsum bilinear mv""",
    "pool": """avg_pool1d avg_pool2d avg_pool3d max_pool1d max_pool2d max_pool3d adaptive_avg_pool1d
        adaptive_avg_pool2d adaptive_max_pool2d interpolate upsample pixel_shuffle pixel_unshuffle boolean_dispatch fn
        mean amax amin""",
    "cut": """empty_like zeros_like ones_like rand_like randn_like full_like new_empty new_zeros new_ones new_full
        new_tensor bernoulli uniform normal random zero fill eq ne lt le gt ge isnan isinf argmax argmin argsort size
        dim numel stride item is_floating_point tolist __len__ __bool__ backward register_hook is_contiguous get_device
        nelement""",
}
"""Kind of operation → names of torch's functions. "reversed" subtracts its first operand from its second, "fused"
multiplies and adds at once, a "fill" may put a constant in some places, and what is "cut" does not depend on the values
that it got, or is none of our business."""

KIND_OF_NAME = {name: kind for kind, names in OPERATIONS.items() for name in names.split()}


Key = tuple[str, int, int]
"""The module that adds, which of its calls in a pass this is, and which of the sums of that call"""


def plain_name(function: Any) -> str:
    """The name of an operation, such as `add` for `torch.ops.aten.add.Tensor`; empty if it has none."""
    return str(getattr(function, "__name__", "")).partition(".")[0]


def kind_of(name: str) -> str:
    """The kind of an operation by its name, in place or not; "op" for all that the table does not know."""
    return KIND_OF_NAME.get(name if name.startswith("__") else name.rstrip("_"), "op")


@dataclass(slots=True, eq=False)
class Node:
    """A tensor of the forward pass, without its values."""

    order: int
    kind: str
    """A kind of `OPERATIONS`, or: root, sum (residual), plus (any other), bias, gain, gate, op"""
    parents: tuple["Node", ...] = ()
    """Tensors that depend on the input; weights and constants are not among them."""
    learned: bool = False
    """Whether a weight took part"""
    maker: str = ""
    """The outermost module that returned the tensor so far"""
    factor: float = 1.0
    constant: bool = False
    """It depends on nothing but weights, or on nothing."""
    shape: tuple[int, ...] = ()
    addition: "FoundSum | None" = None
    uses: list[str] = field(default_factory=list)
    """Kinds of the operations that read it"""
    weights: tuple[nn.Parameter, ...] = ()
    """Those that took part in the operation; of a constant, all that it was computed from. Biases are left out."""
    flat: Tensor | None = None
    """Of an activation: the share of units that were flat for all rows"""
    axis: int | None = None
    """The axis of its channels or features, where that is known: 1 or -1"""
    graded: bool = False
    """Whether the tensor requires a gradient"""

    def origin(self, *through: str) -> "Node":
        """The first node upstream whose kind is none of these."""
        node = self
        while node.kind in through and len(node.parents) == 1:
            node = node.parents[0]
        return node


@dataclass(eq=False)
class FoundSum:
    """A residual addition as the tracer knows it; `sims.xray.additions.Addition` is what readers see of it."""

    key: Key
    operation: str
    kind: str
    on_skip: list[str]
    made_by: str
    side: int
    """Which operand is the skip, 0 or 1; 2 where the operation does more than add"""
    factor: float
    pre_norm: bool
    ends_in: str
    shape: tuple[int, ...]
    flat: list[Tensor]
    weights: list[nn.Parameter]
    drops: bool
    skip_node: Node | None
    trunk: list[str]
    previous: "FoundSum | None"
    axis: int | None
    """The axis of channels or features of its stream, or of its branch where that of the stream is not known"""
    node: Node | None = None
    now: dict[str, Tensor] = field(default_factory=dict)
    """Measures of the last pass, as tensors of no dimension"""


class Family:
    """The node of every living tensor. It keeps no tensor alive."""

    def __init__(self, model: nn.Module) -> None:
        self._known: dict[int, tuple[weakref.ref[Tensor], Node]] = {}
        self._buffers = {id(buffer) for buffer in model.buffers()}
        self.size = 0

    def knows(self, tensor: Tensor) -> bool:
        """Whether the tensor already has a node."""
        entry = self._known.get(id(tensor))
        return entry is not None and entry[0]() is tensor

    def of(self, tensor: Tensor) -> Node:
        """The node of a tensor. One that came from nowhere is a new root: constant, if it is a weight or a buffer."""
        if self.knows(tensor):
            return self._known[id(tensor)][1]
        weight = isinstance(tensor, nn.Parameter)
        return self.add(tensor, "root", learned=weight, constant=weight or id(tensor) in self._buffers)

    def add(self, tensor: Tensor, kind: str, **values: Any) -> Node:
        """Give a tensor a new node; in place, its old one stays a parent of the new."""
        self.size += 1
        node = Node(self.size, kind, shape=tuple(tensor.shape), graded=tensor.requires_grad, **values)
        self._known[id(tensor)] = (weakref.ref(tensor), node)
        return node


CHANNELS_FIRST = frozenset(["batch_norm", "group_norm", "instance_norm", "local_response_norm"])
FEATURES_LAST = frozenset(["linear", "embedding"])
KEEPS_AXES = frozenset((
    "contiguous", "clone", "to", "type", "type_as", "float", "half", "bfloat16", "double", "roll", "alias",
    "requires_grad", "cpu", "cuda", "chunk", "split", "tensor_split", "narrow", "pad", "flip",
))  # fmt: skip
"""Views and copies after which every axis is where it was"""


def axis_of(name: str, kind: str, out: Tensor, parents: Iterable[Node]) -> int | None:
    """The axis of the channels or features of what an operation returned: 1 after a convolution or a batch norm, -1
    after a linear layer or a layer norm, and after an operation on single numbers that of its operands. None if it is
    not known, as after a transposition."""
    name = name.rstrip("_") if not name.startswith("__") else name
    if name.startswith("conv") and name[-1:] == "d":
        return 1 if out.ndim == int(name[-2]) + 2 else None  # without an axis of inputs, the channels come first
    if name in CHANNELS_FIRST or name in FEATURES_LAST:
        return 1 if name in CHANNELS_FIRST else -1
    if name in ("layer_norm", "rms_norm"):  # over a whole image, it leaves the channels of a convolution where they are
        return next((node.axis for node in parents), None) or -1
    if kind == "pool":
        return next((node.axis for node in parents if len(node.shape) == out.ndim), None)
    if kind in ("op", "linear", "norm") or (kind == "view" and name not in KEEPS_AXES):
        return None
    whole = [node for node in parents if name in KEEPS_AXES or node.shape == tuple(out.shape)]
    return next((node.axis for node in whole if node.axis is not None), None)


def filled(inputs: Sequence[Tensor], nodes: Sequence[Node], out: Any) -> Node | None:
    """What an operation kept but for some places, in which it put constants: masked_fill(x, mask, 0), where(mask, x, 0)
    and x[mask] = 0 all keep x. None if it did anything else, such as putting values of another tensor there."""
    numbers = [node for tensor, node in zip(inputs, nodes, strict=True) if tensor.is_floating_point()]
    kept = [node for node in numbers if not node.constant]
    learned = any(node.learned for node in numbers if node.constant)
    whole = isinstance(out, Tensor) and len(kept) == 1 and kept[0].shape == tuple(out.shape)
    return kept[0] if whole and not learned else None


def tensors_in(values: Iterable[Any], depth: int = 2) -> list[Tensor]:
    """The tensors among some values, and in their lists, tuples and dictionaries down to this depth. Weights of lazy
    modules are none before they have a shape."""
    tensors: list[Tensor] = []
    for value in values:
        if isinstance(value, Tensor):
            tensors += [] if is_lazy(value) else [value]
        elif depth and isinstance(value, list | tuple | dict):
            tensors += tensors_in(value.values() if isinstance(value, dict) else value, depth - 1)
    return tensors


def precise_kind(
    name: str, kind: str, args: tuple[Any, ...], kwargs: dict[str, Any], nodes: list[Node]
) -> tuple[str, float]:
    """The kind of an operation that takes its operands into account, and the constant that it multiplies by."""
    active = [node for node in nodes if not node.constant]
    learned = any(node.constant and node.learned for node in nodes)
    one, factor = len(active) == 1, 1.0
    if name in ("__get__", "numpy_T"):
        kind = "view"
    elif kind == "dropout":
        kind = "dropout" if _drops(args, kwargs) else "view"
    elif kind == "factor" and "div" in name and nodes[0].constant:
        kind = "op"  # k / x
    elif kind == "factor":
        constant = one and not learned and not any(node.shape for node in nodes if node.constant)
        number = _constant_in(args, kwargs, any(node.constant for node in nodes)) if constant else None
        if constant:
            factor = -1.0 if name.startswith("neg") else _multiplier(name, number)
            kind = "view" if factor == 1 and number is not None else "factor"
        else:
            kind = "gain" if one else "gate"
    elif kind in ("add", "reversed"):
        zero = any(type(value) is int and not value for value in args)
        kind = "plus" if not one else "view" if zero else "bias"
    elif kind in ("linear", "fused"):
        kind = "linear" if one and learned else "op"
    elif kind == "fill":
        kind = "op"  # other than what `filled` knows
    if (kind not in ("op", "gate", "plus") and not one) or (name == "__getitem__" and nodes[0].constant):
        kind = "op"
    return kind, factor


def _drops(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    rate, on = (kwargs.get(word, args[at] if len(args) > at else None) for at, word in ((1, "p"), (2, "training")))
    return on is not False and rate != 0


def _constant_in(args: tuple[Any, ...], kwargs: dict[str, Any], tensors: bool) -> float | None:
    """The first number among the operands, the second one before the first; with `tensors`, a buffer of no dimension is
    one too."""
    for value in (*args[1:], *kwargs.values(), *args[:1]):
        if isinstance(value, int | float):
            return float(value)
        if tensors and isinstance(value, Tensor) and not value.ndim and not value.is_complex():
            return _readable(value)
    return None


def _readable(value: Tensor) -> float | None:
    try:
        return float(value)
    except Exception:  # it has no value, as on the meta device
        return None


def _multiplier(name: str, number: float | None) -> float:
    if number is None:
        return 1.0
    return 1 / number if "div" in name and number else number
