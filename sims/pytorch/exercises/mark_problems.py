"""Grades the problem set: python mark_problems.py problem_set.py

It runs the code in the file, so grade only files that you would run. It prints a line for each problem, and exits with
0 if all of them are right. It needs only PyTorch.
"""

import copy
import importlib.util
import itertools
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

import torch
from torch import Tensor, nn

WIDTH = 6


class Wrong(Exception):
    """What is wrong with a solution, as a sentence for the student."""


def expect(right: bool, words: str) -> None:
    """Raise Wrong with these words if the solution is not right."""
    if not right:
        raise Wrong(words)


def mlp(width: int = WIDTH) -> nn.Sequential:
    """A branch with two layers."""
    return nn.Sequential(nn.Linear(width, 2 * width), nn.ReLU(), nn.Linear(2 * width, width))


def one_plus_sign(file: ModuleType) -> None:
    branch, x = mlp(), torch.randn(5, WIDTH)
    block = file.Residual(branch)
    expect(torch.equal(block(x), x + branch(x)), "the output is not x + F(x).")
    before = x.clone()
    block(x)
    expect(torch.equal(x, before), "the block changes its input in place.")


def a_block_that_does_nothing(file: ModuleType) -> None:
    branch, x = mlp(), torch.randn(5, WIDTH)
    first = copy.deepcopy(branch[0])
    file.start_at_zero(branch)
    expect(torch.equal(x + branch(x), x), "x + F(x) is not exactly x.")
    same = all(torch.equal(old, new) for old, new in zip(first.parameters(), branch[0].parameters(), strict=True))
    expect(same, "the first layer has changed, and it does not have to.")
    (x + branch(x)).sum().backward()
    learns = any(parameter.grad is not None and bool(parameter.grad.any()) for parameter in branch.parameters())
    expect(learns, "no weight in the branch gets a gradient, so this block can never learn.")


def the_bet(file: ModuleType) -> None:
    layers = [nn.Linear(3, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 8), nn.ReLU(), nn.Linear(8, 2)]
    shallow, x = nn.Sequential(*layers), torch.randn(20, 3)
    for after, count in ((3, 36), (1, 2), (3, 0)):
        deep = file.deepened(copy.deepcopy(shallow), after, count)
        linear = sum(isinstance(module, nn.Linear) for module in deep.modules())
        relus = sum(isinstance(module, nn.ReLU) for module in deep.modules())
        expect(linear == 3 + count, f"{count} more linear layers should make {3 + count}, but there are {linear}.")
        expect(relus == 2 + count, f"{count} more ReLUs should make {2 + count}, but there are {relus}.")
        expect(torch.equal(deep(x), shallow(x)), f"with {count} more layers after module {after}, the outputs differ.")


def the_gradient_arrives(file: ModuleType) -> None:
    for blocks in ([nn.Linear(WIDTH, WIDTH) for _ in range(5)], [nn.Sequential(mlp(), nn.Tanh()) for _ in range(3)]):
        x = torch.randn(4, WIDTH)
        start = x.clone().requires_grad_()
        end = start
        for block in blocks:
            end = block(end)
        (slope,) = torch.autograd.grad(end, start, end.detach())
        right = float(slope.norm() / end.detach().norm())
        answer = float(file.gradient_ratio(blocks, x))
        expect(math.isclose(answer, right, rel_tol=1e-4), f"got {answer:.6g}, expected {right:.6g}.")
        left = any(parameter.grad is not None for block in blocks for parameter in block.parameters())
        expect(not left, "gradients are left in the weights.")


def all_paths(file: ModuleType) -> None:
    for gains in ([0.3, 0.3, 0.3], [], [0.5, -0.9, 2.0, 0.1, -0.4, 1.5, 0.2, -1.0]):
        right = [0.0] * (len(gains) + 1)
        for chosen in itertools.product((False, True), repeat=len(gains)):
            taken = [gain for gain, through in zip(gains, chosen, strict=True) if through]
            right[len(taken)] += math.prod(taken)
        answer = [float(weight) for weight in file.path_weights(list(gains))]
        expect(len(answer) == len(right), f"{len(gains)} gains need {len(right)} entries, but there are {len(answer)}.")
        for k, (said, wanted) in enumerate(zip(answer, right, strict=True)):
            close = math.isclose(said, wanted, rel_tol=1e-6, abs_tol=1e-9)
            expect(close, f"for the gains {gains}, entry {k} is {said:.6g}, expected {wanted:.6g}.")


def where_the_norm_goes(file: ModuleType) -> None:
    branch, x = mlp(), 3 + 5 * torch.randn(4, 7, WIDTH)
    for kind, block in (("PreLN", file.PreLN(WIDTH, branch)), ("PostLN", file.PostLN(WIDTH, branch))):
        with torch.no_grad():
            block.norm.weight.uniform_(0.5, 2.0)
            block.norm.bias.normal_()
        right = x + branch(block.norm(x)) if kind == "PreLN" else block.norm(x + branch(x))
        expect(torch.allclose(block(x), right, rtol=1e-4, atol=1e-5), f"{kind} has its norm in the wrong place.")


class _Add(torch.autograd.Function):
    """x + x², with a backward pass written by hand. `slip` names what is wrong with it."""

    @staticmethod
    def forward(ctx, x: Tensor, slip: str) -> Tensor:  # type: ignore[no-untyped-def]
        ctx.save_for_backward(x)
        ctx.slip = slip
        return x + x**2

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # type: ignore[no-untyped-def]
        (x,) = ctx.saved_tensors
        skip, branch = dy, 2 * x * dy
        last = skip + branch
        last[-1] = skip[-1]
        dx = {"": skip + branch, "skip": branch, "branch": skip, "half": (skip + branch) / 2, "last": last}
        return dx[ctx.slip], None


def an_honest_check(file: ModuleType) -> None:
    x = torch.tensor([0.7, -1.3, 0.2, 2.1], dtype=torch.float64)
    for slip, words in (
        ("", "your check rejects a right gradient."),
        ("skip", "your check misses a lost skip."),
        ("branch", "your check misses a lost branch."),
        ("half", "your check misses a gradient that is halved at the sum."),
        ("last", "your check misses a gradient that is wrong in its last entry only."),
    ):
        answer = file.gradient_is_right(lambda tensor, slip=slip: _Add.apply(tensor, slip), x.clone())
        expect(bool(answer) == (not slip), words)
    expect(bool(file.gradient_is_right(torch.tanh, x.clone())), "your check rejects the right gradient of tanh.")


def with_and_without(file: ModuleType) -> None:
    blocks, width = 16, 24
    torch.manual_seed(0)
    teacher = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 4))
    x = torch.randn(256, 8)
    labels = teacher(x).argmax(1)
    errors = {}
    for skip in (False, True):
        torch.manual_seed(1)
        net = file.network(8, width, 4, blocks, skip)
        linear = [module for module in net.modules() if isinstance(module, nn.Linear)]
        expect(
            len(linear) == 2 * blocks + 2, f"{blocks} blocks need {2 * blocks + 2} linear layers, not {len(linear)}."
        )
        if skip:
            zeros = [module.weight for module in linear if not bool(module.weight.any())]
            expect(len(zeros) == blocks, f"{blocks} last layers should start at zero, but {len(zeros)} do.")
            nn.functional.cross_entropy(net(x), labels).backward()
            learn = sum(weight.grad is not None and bool(weight.grad.any()) for weight in zeros)
            expect(learn == blocks, f"only {learn} of the {blocks} layers that start at zero get a gradient.")
            expect(torch.allclose(net(x), linear[-1](linear[0](x)), atol=1e-5), "the blocks do not start as copies.")
        optimizer = torch.optim.Adam(net.parameters(), 3e-3)
        for _ in range(100):
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(x), labels).backward()
            optimizer.step()
        errors[skip] = float((net(x).argmax(1) != labels).float().mean())
    expect(errors[True] < errors[False], f"training error: {errors[True]:.0%} with skips, {errors[False]:.0%} without.")


PROBLEMS: tuple[Callable[[ModuleType], None], ...] = (
    one_plus_sign,
    a_block_that_does_nothing,
    the_bet,
    the_gradient_arrives,
    all_paths,
    where_the_norm_goes,
    an_honest_check,
    with_and_without,
)


def loaded(path: Path) -> ModuleType:
    """Load the student's file as a module. Raises ImportError if it is no Python file."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def marked(file: ModuleType, problems: Sequence[Callable[[ModuleType], None]] = PROBLEMS) -> list[str]:
    """Return "" for each problem that is right, and what is wrong for each of the others."""
    remarks = []
    for number, problem in enumerate(problems, 1):
        torch.manual_seed(number)
        try:
            problem(file)
            remarks.append("")
        except NotImplementedError:
            remarks.append("not done yet.")
        except Wrong as found:
            remarks.append(str(found))
        except Exception as error:  # whatever a student's code raises
            remarks.append(f"{type(error).__name__}: {error}")
    return remarks


def main() -> None:
    """Grade the file named on the command line."""
    if len(sys.argv) != 2:
        sys.exit("Usage: python mark_problems.py problem_set.py")
    remarks = marked(loaded(Path(sys.argv[1])))
    for number, (problem, remark) in enumerate(zip(PROBLEMS, remarks, strict=True), 1):
        print(f"{number}  {problem.__name__.replace('_', ' '):28} {remark or 'right'}")
    print(f"\n{remarks.count('')} of {len(remarks)} are right.")
    sys.exit(any(remarks))


if __name__ == "__main__":
    main()
