"""A second detector, which shares nothing with the first: the same question put to autograd's graph.

It knows neither modules nor values, only `grad_fn` nodes, and sees identity skips, with factors or views at most.
"""

import re
from collections.abc import Iterable
from typing import Any

from torch import Tensor

VIEWS = re.compile(
    "View|Reshape|Transpose|Permute|Clone|ToCopy|Expand|Squeeze|Unsqueeze|Alias|Slice|Select|TBackward|Split|Chunk|Unbind|"
    "Dropout|AsStrided|Roll|CopySlices|Unfold|ConstantPad|Narrow"
)
SUMS = re.compile("(Add|Sub|Addcmul|Lerp|Addmm|Baddbmm)Backward")
FACTORS = ("MulBackward", "DivBackward")
HOPS = 12


def residual_sums(output: Tensor, inputs: Iterable[Tensor] = ()) -> int:
    """How many sums of the graph that ends in an output add a branch with a weight to a node from which it descends."""
    ours = {tensor.grad_fn or tensor.view_as(tensor).grad_fn.next_functions[0][0] for tensor in inputs}
    return _Graph(output.grad_fn, ours).residual_sums()


class _Graph:
    def __init__(self, root: Any, inputs: set[Any]) -> None:
        self.inputs = inputs
        seen, waiting = {root}, [root]
        while waiting:
            for node in self.parents(waiting.pop()):
                if node not in seen:
                    seen.add(node)
                    waiting.append(node)
        self.nodes = sorted((node for node in seen if not self.is_leaf(node)), key=self.order)
        self.constant: dict[Any, bool] = {}
        for node in self.nodes:
            parents = self.parents(node)
            embedded = type(node).__name__.startswith("Embedding")
            self.constant[node] = not embedded and bool(parents) and all(map(self.is_constant, parents))

    @staticmethod
    def parents(node: Any) -> list[Any]:
        return [parent for parent, _ in node.next_functions if parent is not None]

    @staticmethod
    def is_leaf(node: Any) -> bool:
        return type(node).__name__ == "AccumulateGrad"

    def order(self, node: Any) -> int:
        return -1 if self.is_leaf(node) else node._sequence_nr()

    def is_constant(self, node: Any) -> bool:
        """Whether nothing but weights is upstream of it."""
        return node not in self.inputs if self.is_leaf(node) else self.constant[node]

    def residual_sums(self) -> int:
        skip_of: dict[Any, Any] = {}
        for node in self.nodes:
            ends = [parent for parent in self.parents(node) if not self.is_constant(parent)]
            if SUMS.match(type(node).__name__) and len(ends) == 2:
                for skip, other in (ends, ends[::-1]):
                    if self.goes_around(skip, other, skip_of):
                        skip_of[node] = skip
                        break
        return len(skip_of)

    def goes_around(self, skip: Any, other: Any, skip_of: dict[Any, Any]) -> bool:
        for _ in range(HOPS):
            learned = self.learned_between(skip, other) if skip is not other else None
            if learned is not None:
                return learned
            name = type(skip).__name__
            ends = [parent for parent in self.parents(skip) if not self.is_constant(parent)]
            if skip in skip_of:
                skip = skip_of[skip]
            elif len(ends) == 1 and (VIEWS.search(name) or name.startswith((*FACTORS, "AddBackward"))):
                skip = ends[0]
            else:
                return False
        return False

    def learned_between(self, source: Any, end: Any) -> bool | None:
        """Whether a weight takes part on a way from a source to an end; None if there is no way."""
        inside, waiting = {end}, [end]
        while waiting:
            for parent in self.parents(waiting.pop()):
                if parent not in inside and self.order(parent) >= self.order(source):
                    inside.add(parent)
                    waiting.append(parent)
        if source not in inside:
            return None
        reached = {source}
        learned = False
        for node in sorted(inside, key=self.order):
            parents = self.parents(node)
            if node is not source and not self.is_leaf(node) and any(parent in reached for parent in parents):
                reached.add(node)
                learned |= any(map(self.is_constant, parents))
        return learned
