"""Small networks for the X-ray, healthy ones and ones with a fault."""

from torch import Tensor, nn
from torch.nn import functional

INPUTS, CLASSES, WIDTH = 20, 10, 64


class Block(nn.Module):
    """x + F(x), and the ways to spoil it"""

    def __init__(
        self,
        pre: bool = False,
        post: bool = False,
        activation_after: bool = False,
        skip: float = 1.0,
        branch: float = 1.0,
        bent: bool = False,
        dropped: float = 0.0,
        mapped: bool = False,
        detached: bool = False,
        norm_first: bool = False,
    ) -> None:
        super().__init__()
        self.one, self.two = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.pre = nn.LayerNorm(WIDTH) if pre or norm_first else None
        self.post = nn.LayerNorm(WIDTH) if post else None
        self.drop = nn.Dropout(dropped) if dropped else None
        self.map = nn.Linear(WIDTH, WIDTH) if mapped else None
        self.activation_after, self.skip, self.branch, self.bent = activation_after, skip, branch, bent
        self.detached, self.norm_first, self.forgets = detached, norm_first, False

    def forward(self, x: Tensor) -> Tensor:
        if self.norm_first and self.pre:
            x = self.pre(x)
        y = self.pre(x) if self.pre and not self.norm_first else x
        y = self.two(functional.relu(self.one(y)))
        y = functional.relu(y) if self.bent else y
        y = self.branch * y if self.branch != 1 else y
        x = self.skip * x if self.skip != 1 else x
        x = self.drop(x) if self.drop else x
        x = self.map(x) if self.map else x
        x = x.detach() if self.detached else x
        z = y if self.forgets else x + y
        z = functional.relu(z) if self.activation_after else z
        return self.post(z) if self.post else z


class Residual(nn.Module):
    """A stem, blocks, perhaps a final norm, and a head"""

    def __init__(self, blocks: int, final: bool = False, inputs: int = INPUTS, **kinds: float) -> None:
        super().__init__()
        self.stem = nn.Linear(inputs, WIDTH)
        self.blocks = nn.ModuleList(Block(**kinds) for _ in range(blocks))  # type: ignore[arg-type]
        self.final = nn.LayerNorm(WIDTH) if final else nn.Identity()
        self.head = nn.Linear(WIDTH, CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        return self.head(self.final(x))


def plain(layers: int, batch_norm: bool = False, inputs: int = INPUTS) -> nn.Sequential:
    """Layers in a row, without a skip."""
    norms = [[nn.BatchNorm1d(WIDTH)] if batch_norm else [] for _ in range(layers)]
    hidden = [nn.Sequential(nn.Linear(WIDTH, WIDTH), *norm, nn.ReLU()) for norm in norms]
    return nn.Sequential(nn.Linear(inputs, WIDTH), *hidden, nn.Linear(WIDTH, CLASSES))


def he(model: nn.Module) -> nn.Module:
    """He's initial weights."""
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.kaiming_normal_(module.weight)
    return model
