"""Our own functions with a reader's choices filled in, so that only what these choices use is left of them."""

import ast
from collections.abc import Mapping
from typing import Any


def specialized(node: ast.stmt, known: Mapping[str, object]) -> ast.stmt:
    """A definition in which the objects called by the names in `known` are no longer needed.

    Their attributes become constants; comparisons and arithmetic of these are carried out, branches that are never
    taken fall away, and so do the objects as parameters and arguments. The node itself is not changed.
    """
    copy = ast.parse(ast.unparse(node)).body[0]
    changed = _Filling(known).visit(copy)
    assert isinstance(changed, ast.stmt)
    return ast.fix_missing_locations(changed)


def _constant(value: Any) -> ast.Constant:
    """A constant that comes from the choices, and not from the source."""
    made = ast.Constant(value)
    made.chosen = True  # type: ignore[attr-defined]
    return made


def _chosen(node: ast.AST) -> bool:
    return getattr(node, "chosen", False)


class _Filling(ast.NodeTransformer):
    def __init__(self, known: Mapping[str, object]) -> None:
        self.known = known

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id in self.known:
            return _constant(getattr(self.known[node.value.id], node.attr))
        return node

    # -- what is known is carried out ----------------------------------------------------------------------------

    def _computed(self, node: ast.expr) -> ast.expr:
        """The value of an expression of constants, if a choice is among them."""
        self.generic_visit(node)
        parts = list(ast.walk(node))
        plain = (ast.Constant, ast.Compare, ast.BinOp, ast.UnaryOp, ast.Tuple, ast.expr_context, ast.operator)
        if not any(map(_chosen, parts)):
            return node
        if not all(isinstance(each, (*plain, ast.cmpop, ast.unaryop)) for each in parts):
            return node
        return _constant(eval(compile(ast.fix_missing_locations(ast.Expression(_by_value(node))), "choices", "eval")))

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        return self._computed(node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        return self._computed(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        return self._computed(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        decides = isinstance(node.op, ast.Or)
        left: list[ast.expr] = []
        for each in node.values:
            if not _chosen(each):
                left.append(each)
            elif bool(each.value) == decides:  # type: ignore[attr-defined]
                return each
        if not left:
            return _constant(not decides)
        return left[0] if len(left) == 1 else ast.BoolOp(node.op, left)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        if not _chosen(node.test):
            return node
        return node.body if node.test.value else node.orelse  # type: ignore[attr-defined]

    def visit_If(self, node: ast.If) -> ast.stmt | list[ast.stmt]:
        self.generic_visit(node)
        if not _chosen(node.test):
            return node
        return node.body if node.test.value else node.orelse  # type: ignore[attr-defined]

    def visit_Match(self, node: ast.Match) -> ast.stmt | list[ast.stmt]:
        self.generic_visit(node)
        if not _chosen(node.subject):
            return node
        wanted = node.subject.value  # type: ignore[attr-defined]
        return next((each.body for each in node.cases if wanted in _alternatives(each.pattern, wanted)), [])

    # -- what has become superfluous falls away ------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        node.args = _flat([each for each in node.args if not self._is_known(each)])
        return node

    def visit_List(self, node: ast.List) -> ast.expr:
        self.generic_visit(node)
        node.elts = _flat(node.elts)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        self.generic_visit(node)
        node.args.args = [each for each in node.args.args if each.arg not in self.known]
        ends = [index for index, each in enumerate(node.body) if isinstance(each, ast.Return)]
        node.body = node.body[: ends[0] + 1] if ends else node.body
        return node

    def _is_known(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id in self.known


def _by_value(node: ast.expr) -> ast.expr:
    """A comparison that asks for equality where the source asks for identity, as with None."""
    if isinstance(node, ast.Compare):
        node.ops = [{ast.Is: ast.Eq, ast.IsNot: ast.NotEq}.get(type(each), type(each))() for each in node.ops]
    return node


def _alternatives(pattern: ast.pattern, wanted: object) -> list[object]:
    """The values that a pattern takes; what was wanted, where it takes all."""
    if isinstance(pattern, ast.MatchOr):
        return [value for each in pattern.patterns for value in _alternatives(each, wanted)]
    if isinstance(pattern, ast.MatchValue):
        return [ast.literal_eval(pattern.value)]
    return [wanted]


def _flat(values: list[ast.expr]) -> list[ast.expr]:
    """Elements of a list or arguments of a call, those of unpacked lists among them."""
    flat: list[ast.expr] = []
    for each in values:
        if isinstance(each, ast.Starred) and isinstance(each.value, ast.List):
            flat += each.value.elts
        else:
            flat.append(each)
    return flat
