"""Skip connections in PyTorch: eight problems for about two hours.

Fill in the functions and classes below; add others as you need them. Then run, in the same folder,

    python mark_problems.py problem_set.py

which says for each problem whether it is right, and if not, what it tried. It takes less than a minute. You need Python
3.10 or later and PyTorch 2.0 or later.
"""

from collections.abc import Callable, Sequence

from torch import Tensor, nn

# 1 · One plus sign


class Residual(nn.Module):
    """x + F(x), where `branch` is F. The input has any shape that the branch takes and returns."""

    def __init__(self, branch: nn.Module) -> None:
        super().__init__()
        self.branch = branch

    def forward(self, x: Tensor) -> Tensor:
        raise NotImplementedError


# 2 · A block that does nothing


def start_at_zero(branch: nn.Sequential) -> None:
    """Change the branch in place, and as little as possible, so that `Residual(branch)` returns exactly its input.

    The last module of the branch is an `nn.Linear`. The branch has to be able to learn: after one backward pass, some
    weight of it must have a gradient that is not zero.
    """
    raise NotImplementedError


# 3 · The bet


def deepened(network: nn.Sequential, after: int, count: int) -> nn.Sequential:
    """A network with `count` more pairs of `nn.Linear` and `nn.ReLU` after module number `after`, which is a ReLU.

    Every new linear layer has as many outputs as inputs. The deeper network gives exactly the same outputs. Module
    number `after - 1` is a linear layer, which tells the width.
    """
    raise NotImplementedError


# 4 · Does the gradient arrive?


def gradient_ratio(blocks: Sequence[nn.Module], x: Tensor) -> float:
    """The norm of the gradient at the first block's input, divided by the norm of that at the last block's output.

    The loss is half the sum of the squares of the last output. Do not leave gradients in the weights.
    """
    raise NotImplementedError


# 5 · All paths


def path_weights(gains: Sequence[float]) -> list[float]:
    """For residual blocks x + g·x with these gains: entry k is the sum of the weights of all paths through k branches.

    The weight of a path is the product of the gains of its branches; the list has one entry more than there are gains.
    There are 2 ** len(gains) paths: do not list them.
    """
    raise NotImplementedError


# 6 · Where the norm goes


class PreLN(nn.Module):
    """The norm on the branch, before everything else. `norm` is a LayerNorm of the width."""

    def __init__(self, width: int, branch: nn.Module) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.branch = branch

    def forward(self, x: Tensor) -> Tensor:
        raise NotImplementedError


class PostLN(nn.Module):
    """The norm after the sum."""

    def __init__(self, width: int, branch: nn.Module) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.branch = branch

    def forward(self, x: Tensor) -> Tensor:
        raise NotImplementedError


# 7 · An honest check


def gradient_is_right(function: Callable[[Tensor], Tensor], x: Tensor) -> bool:
    """Whether the gradient of the sum of `function(x)` that `backward` gives agrees with finite differences.

    `x` is in double precision and has a few entries. Some of the functions have a backward pass of their own, with a
    slip in it. Do not use `torch.autograd.gradcheck`.
    """
    raise NotImplementedError


# 8 · With and without


def network(inputs: int, width: int, outputs: int, blocks: int, skip: bool) -> nn.Module:
    """A stem `nn.Linear(inputs, width)`, blocks, and a head `nn.Linear(width, outputs)`.

    The branch of each block is Linear, ReLU, Linear, all of the same width. With `skip`, each branch is added to what
    the block received. Start the weight of every linear layer in the branches with `nn.init.kaiming_normal_` and
    `nonlinearity="relu"`, its bias at zero, and with `skip` the last layer of every branch at zero.
    """
    raise NotImplementedError
