"""The plan of a block as a downloadable file: operations, lines, both passes, and a check by finite differences."""

from sims.builder.excerpt import excerpt, import_lines
from sims.instruments.hand_derived.examined_block import SHAPES, TOKENS, WIDTH

HEAD = '''"""A {arrangement}-norm transformer block in NumPy, with its backward pass by hand: a plan of ten lines.

t holds the tensors, d their gradients, w the weights and dw theirs. Run it to check every weight's gradient against
finite differences.
"""
'''

CHECK = '''
def check(seed: int = 0) -> None:
    """Nudge every weight up and down, and compare the slope of a random loss with the gradient by hand."""
    rng = np.random.default_rng(seed)
    x, dy = rng.standard_normal((2, {tokens}, {width}))
    shapes = {shapes}
    w = Tensors(**{{name: rng.standard_normal(shape) / shape[0] ** 0.5 for name, shape in shapes.items()}})
    _d, dw = backward({plan}, dy, forward({plan}, x, w), w)
    for name in shapes:
        weight, found = getattr(w, name), np.zeros(shapes[name])
        for place in np.ndindex(weight.shape):
            value, losses = weight[place], []
            for step in (1e-5, -1e-5):
                weight[place] = value + step
                losses.append((forward({plan}, x, w).y * dy).sum())
            weight[place], found[place] = value, (losses[0] - losses[1]) / 2e-5
        error = np.linalg.norm(getattr(dw, name) - found) / np.linalg.norm(found)
        print(f"{{name:6}} relative error {{error:.0e}}")


if __name__ == "__main__":
    check()
'''


def plan_file(arrangement: str) -> str:
    """The text of the file for "pre" or "post"."""
    plan = arrangement.upper()
    lines_imports, lines = excerpt("instruments.hand_derived.block_plan", [plan, "forward", "backward"])
    operations = [
        "outer",
        "norm",
        "norm_back",
        "gain_back",
        "attention",
        "attend",
        "attend_back",
        "swiglu",
        "swiglu_back",
    ]
    needed_imports, needed = excerpt("instruments.hand_derived.block_operations", operations)
    check = CHECK.format(plan=plan, shapes=SHAPES, tokens=TOKENS, width=WIDTH)
    parts = [
        HEAD.format(arrangement=arrangement.capitalize()),
        import_lines(lines_imports | needed_imports | {"import numpy as np"}),
        "\n\n\n".join([*needed, *lines]),
        check,
    ]
    return (
        "\n\n".join(part.strip("\n") for part in parts[:2])
        + "\n\n"
        + "\n\n".join(part.strip("\n") for part in parts[2:]).replace("\n\n\n\n", "\n\n\n")
        + "\n"
    )
