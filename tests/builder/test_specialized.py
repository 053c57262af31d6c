"""Choices filled into a function: what is left computes the same, and nothing of the rest is there."""

import ast
from dataclasses import dataclass
from typing import Any

import pytest

from sims.builder.specialized import specialized

TEXT = '''
def price(choice, amount, *more):
    """What it costs."""
    base = 3 if amount > 1 else 4
    if choice.kind == "free" and amount:
        return 0
    match choice.kind:
        case "half" | "third":
            factor = {"half": 1 / 2, "third": 1 / 3}[choice.kind]
        case _:
            factor = choice.factor * 2 - 1
    if choice.limit is not None or amount < 0:
        base = min(base, choice.limit)
    return sum([base * factor * amount, *([7] if choice.extra else []), *more], *([] if choice.extra else [0]))
'''


@dataclass(frozen=True)
class Choice:
    kind: str = "full"
    factor: float = 1.5
    limit: float | None = None
    extra: bool = False


CHOICES = [
    Choice(), Choice("half"), Choice("third", extra=True), Choice("free"), Choice(limit=2.0), Choice(factor=0.5),
]  # fmt: skip


def run(node: ast.stmt) -> Any:
    names: dict[str, Any] = {}
    exec(compile(ast.Module([node], []), "text", "exec"), names)
    return names["price"]


@pytest.mark.parametrize("choice", CHOICES, ids=str)
@pytest.mark.parametrize("amount", [0, 1, 5])
def test_it_computes_the_same(choice: Choice, amount: float) -> None:
    node = ast.parse(TEXT).body[0]
    filled = run(specialized(node, {"choice": choice}))
    assert filled(amount, 11) == run(node)(choice, amount, 11)


def test_what_is_not_taken_is_gone_and_the_original_stays() -> None:
    node = ast.parse(TEXT).body[0]
    before = ast.dump(node)
    left = ast.unparse(specialized(node, {"choice": Choice("half")}))
    assert not [word for word in ("choice", "match", "free", "limit is", "7", "[]") if word in left]
    assert "base = 3 if amount > 1 else 4" in left
    assert ast.dump(node) == before


def test_a_function_without_the_object_stays_as_it_is() -> None:
    node = ast.parse("def twice(x):\n    return 2 * 2 * x").body[0]
    assert ast.dump(specialized(node, {"choice": Choice()})) == ast.dump(node)
