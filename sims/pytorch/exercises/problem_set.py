"""Skip connections in PyTorch: eight problems for about two hours.

Fill in the functions and classes below. Add others as you need them. Then run this in the same folder:

    python mark_problems.py problem_set.py

It tells you for each problem whether your solution is right and, if not, what is wrong. It takes less than a minute.
You need Python 3.10 or later and PyTorch 2.0 or later.
"""

from collections.abc import Callable, Sequence

from torch import Tensor, nn

# 1 · One plus sign


class Residual(nn.Module):
    """A block that returns x + F(x), where `branch` is F. The input has any shape that the branch takes and returns."""

    def __init__(self, branch: nn.Module) -> None:
        super().__init__()
        self.branch = branch

    def forward(self, x: Tensor) -> Tensor:
        raise NotImplementedError


# 2 · A block that does nothing


def start_at_zero(branch: nn.Sequential) -> None:
    """Change the branch in place so that `Residual(branch)` returns exactly its input. Change as little as possible.

    The last module of the branch is an `nn.Linear`. The branch must still be able to learn: after one backward pass, at
    least one of its weights must have a gradient that is not zero.
    """
    raise NotImplementedError


# 3 · The bet


def deepened(network: nn.Sequential, after: int, count: int) -> nn.Sequential:
    """Return the network with `count` more pairs of `nn.Linear` and `nn.ReLU` after `network[after]`, which is a ReLU.

    Every new linear layer has as many outputs as inputs. The deeper network gives exactly the same outputs.
    `network[after - 1]` is a linear layer. It tells you the width.
    """
    raise NotImplementedError


# 4 · Does the gradient arrive?


def gradient_ratio(blocks: Sequence[nn.Module], x: Tensor) -> float:
    """Return the norm of the gradient at the first block's input, divided by its norm at the last block's output.

    The loss is half the sum of the squares of the last output. Do not leave gradients in the weights.
    """
    raise NotImplementedError


# 5 · All paths


def path_weights(gains: Sequence[float]) -> list[float]:
    """Return a list in which entry k is the sum of the weights of all paths through exactly k branches.

    Each gain g belongs to a residual block x + g·x. The weight of a path is the product of the gains of its branches.
    The list has one more entry than there are gains. There are 2 ** len(gains) paths, so do not list them.
    """
    raise NotImplementedError


# 6 · Where the norm goes


class PreLN(nn.Module):
    """A block with its norm on the branch, before everything else. `norm` is a LayerNorm of the given width."""

    def __init__(self, width: int, branch: nn.Module) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.branch = branch

    def forward(self, x: Tensor) -> Tensor:
        raise NotImplementedError


class PostLN(nn.Module):
    """A block with its norm after the sum."""

    def __init__(self, width: int, branch: nn.Module) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.branch = branch

    def forward(self, x: Tensor) -> Tensor:
        raise NotImplementedError


# 7 · An honest check


def gradient_is_right(function: Callable[[Tensor], Tensor], x: Tensor) -> bool:
    """Return whether the gradient that `backward` computes for the sum of `function(x)` agrees with finite differences.

    `x` is in double precision and has a few entries. Some of the functions have their own backward pass, with a mistake
    in it. Do not use `torch.autograd.gradcheck`.
    """
    raise NotImplementedError


# 8 · With and without


def network(inputs: int, width: int, outputs: int, blocks: int, skip: bool) -> nn.Module:
    """Return a network: a stem `nn.Linear(inputs, width)`, then the blocks, then a head `nn.Linear(width, outputs)`.

    The branch of each block is Linear, ReLU, Linear, all of the same width. With `skip`, each branch is added to the
    input of its block. In the branches, initialize the weight of every linear layer with `nn.init.kaiming_normal_` and
    `nonlinearity="relu"`, and its bias with zeros. With `skip`, the last layer of every branch starts at zero instead.
    """
    raise NotImplementedError
