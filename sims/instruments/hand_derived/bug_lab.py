"""The lab about silent bugs as two downloadable files: the block that students test, and the program that marks."""

import inspect
import re
from textwrap import dedent

from sims.instruments.hand_derived.block_bugs import WRONG
from sims.instruments.hand_derived.examined_block import SHAPES, TOKENS, WIDTH
from sims.instruments.hand_derived.plan_file import plan_file

NAME, MARKER = "bug_lab.py", "mark_bugs.py"

ARRANGEMENT = "pre"

TASK = '''

# Your task


def first_wrong_line(plan: Plan, x: np.ndarray, dy: np.ndarray, w: Tensors) -> int:
    """Return the number, 1 to 10, of the first line in the backward pass that leaves a wrong gradient, or 0 for none.

    The backward pass begins with line 10. A plan may have a wrong backward function in one line or in two lines. Its
    forward functions are right. The loss is (y * dy).sum(). A tensor that two lines read gets its gradient in two
    parts. The gradient is complete when the earlier of these lines has run backward.
    """
    raise NotImplementedError
'''

HEAD = '''"""Find the bug: a transformer block in NumPy with ten lines and a backward pass written by hand.

t holds the tensors, d holds their gradients, w holds the weights, and dw holds the gradients of the weights. Fill in
`first_wrong_line` at the end. Then run this in the same folder:

    python {marker} {name}

It gives your function the right block first, and then the block with each of seven bugs. You need only NumPy.
"""
'''

MARKING = '''"""Grades the lab: python {marker} {name}

It gives the student's function the right block and seven wrong ones. It runs the code in the file, so grade only files
that you would run. It needs only NumPy.
"""

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from types import SimpleNamespace as Tensors

import numpy as np

SHAPES = {shapes}
"""The name of each weight → its shape"""


def wrong_lines(lab: ModuleType) -> dict[str, dict[int, object]]:
    """Return, for each bug, the line numbers and the wrong backward functions of those lines."""
    norm_back, gain_back, outer = lab.norm_back, lab.gain_back, lab.outer
    attention, attend_back = lab.attention, lab.attend_back

{functions}

    return {{
{table}
    }}


def loaded(path: Path) -> ModuleType:
    """Load the student's file as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{{path}} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def marked(lab: ModuleType, seed: int = 0) -> dict[str, str]:
    """Return "" for each bug that the student's function finds, and what is wrong for each of the others."""
    rng = np.random.default_rng(seed)
    remarks = {{}}
    for bug, wrong in {{"none": {{}}, **wrong_lines(lab)}}.items():
        x, dy = rng.standard_normal((2, {tokens}, {width}))
        weights = {{name: rng.standard_normal(shape) / shape[0] ** 0.5 for name, shape in SHAPES.items()}}
        lines = enumerate(lab.PRE, 1)
        plan = [replace(line, backward=wrong.get(at, line.backward)) for at, line in lines]
        first = max(wrong, default=0)
        try:
            said = lab.first_wrong_line(plan, x, dy, Tensors(**weights))
            remarks[bug] = "" if said == first else f"got line {{said}}, expected line {{first}}."
        except NotImplementedError:
            remarks[bug] = "not done yet."
        except Exception as error:  # whatever a student's code raises
            remarks[bug] = f"{{type(error).__name__}}: {{error}}"
    return remarks


def main() -> None:
    """Grade the file named on the command line."""
    if len(sys.argv) != 2:
        sys.exit("Usage: python {marker} {name}")
    remarks = marked(loaded(Path(sys.argv[1])))
    for bug, remark in remarks.items():
        print(f"{{bug:10}} {{remark or 'found'}}")
    print(f"\\n{{list(remarks.values()).count('')}} of {{len(remarks)}} are right.")
    sys.exit(any(remarks.values()))


if __name__ == "__main__":
    main()
'''


def lab_file() -> str:
    """The text of the file that students fill in."""
    block = plan_file(ARRANGEMENT)
    body = block[block.index('"""\n', 3) + 4 : block.index("\ndef check(")].rstrip("\n")
    return HEAD.format(name=NAME, marker=MARKER) + body + "\n" + TASK


def marking_file() -> str:
    """The text of the program that marks it, with the wrong lines of `block_bugs`."""
    wrong = WRONG[ARRANGEMENT]
    functions = dict.fromkeys(function for lines in wrong.values() for function in lines.values())
    texts = []
    for function in functions:
        source = dedent(inspect.getsource(function))
        head, _, body = source.partition("\n")
        named = re.sub(r": Tensors|\) -> None", lambda match: ")" if match[0].startswith(")") else "", head)
        texts.append("\n".join(f"    {line}" if line else "" for line in [named, *body.rstrip().splitlines()]))
    rows = []
    for bug, lines in wrong.items():
        named_lines = ", ".join(f"{at}: {function.__name__}" for at, function in lines.items())
        rows.append(f'        "{bug}": {{{named_lines}}},')
    return MARKING.format(
        name=NAME,
        marker=MARKER,
        shapes=SHAPES,
        functions="\n\n".join(texts),
        table="\n".join(rows),
        tokens=TOKENS,
        width=WIDTH,
    )
