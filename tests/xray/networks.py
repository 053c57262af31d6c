"""Networks that are broken on purpose, each with the findings that it must raise, and healthy ones that raise none."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from sims.pytorch.layers.recipe_blocks import ReZeroBlock
from sims.xray import Report, xray
from tools.xray_networks import CLASSES, INPUTS, Residual, he, plain

POINTS = 256

Step = Callable[[], Tensor]


def spoiled(model: Residual, change: Callable[[Residual], object]) -> Residual:
    with torch.no_grad():
        change(model)
    return model


def points() -> tuple[Tensor, Tensor]:
    """Random inputs (POINTS, INPUTS), and as labels which of the first ten is the largest."""
    x = torch.randn(POINTS, INPUTS, generator=torch.Generator().manual_seed(1))
    return x, x[:, :CLASSES].argmax(1)


def step_of(model: nn.Module) -> Step:
    x, y = points()
    return lambda: functional.cross_entropy(model(x), y)


class Transformer(nn.Module):
    """PyTorch's own layers on random tokens; it returns the loss of the next token."""

    def __init__(self, layers: int, pre: bool, width: int = 32, words: int = 32) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(width, 4, 2 * width, dropout=0, batch_first=True, norm_first=pre)
            for _ in range(layers)
        )
        self.final = nn.LayerNorm(width) if pre else nn.Identity()
        self.head = nn.Linear(width, words)
        self.register_buffer("mask", nn.Transformer.generate_square_subsequent_mask(32))
        self.tokens = torch.randint(words, (16, 33), generator=torch.Generator().manual_seed(2))

    def forward(self) -> Tensor:
        x = self.embedding(self.tokens[:, :-1])
        for layer in self.layers:
            x = layer(x, src_mask=self.mask, is_causal=True)
        return functional.cross_entropy(self.head(self.final(x)).flatten(0, 1), self.tokens[:, 1:].flatten())


class Gated(nn.Module):
    """x + g·F(x) with a gate that starts at zero, so that only the gate gets a gradient in the first step"""

    def __init__(self, gate: Callable[[Tensor], Tensor], numbers: int = 1, width: int = 32) -> None:
        super().__init__()
        self.gate = gate
        self.weight = nn.Parameter(torch.zeros(numbers))
        self.branch = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))

    def forward(self, x: Tensor) -> Tensor:
        return x + self.gate(self.weight) * self.branch(x)


def gated(gate: Callable[[Tensor], Tensor], numbers: int = 1) -> nn.Module:
    blocks = [Gated(gate, numbers) for _ in range(6)]
    return nn.Sequential(nn.Linear(INPUTS, 32), *blocks, nn.LayerNorm(32), nn.Linear(32, CLASSES))


def rezero() -> nn.Module:
    """The site's own ReZero blocks, on tokens"""
    blocks = [ReZeroBlock(32, 2, 64, True) for _ in range(4)]
    ends = (nn.LayerNorm(32), nn.Flatten(), nn.Linear(4 * 32, CLASSES))
    return nn.Sequential(nn.Unflatten(1, (4, INPUTS // 4)), nn.Linear(INPUTS // 4, 32), *blocks, *ends)


class SometimesLeftOut(nn.Module):
    """Stochastic depth by an early return"""

    def __init__(self, left_out: bool) -> None:
        super().__init__()
        self.norm, self.map, self.left_out = nn.LayerNorm(32), nn.Linear(32, 32), left_out

    def forward(self, x: Tensor) -> Tensor:
        if self.training and self.left_out:
            return x
        return x + self.map(torch.relu(self.norm(x)))


def stochastic_depth() -> nn.Module:
    blocks = [SometimesLeftOut(number in (2, 9)) for number in range(12)]
    return nn.Sequential(nn.Linear(INPUTS, 32), *blocks, nn.LayerNorm(32), nn.Linear(32, CLASSES))


class Rooted(nn.Module):
    """Adds the root of zero, which is finite and has no derivative"""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, x: Tensor) -> Tensor:
        y = self.model(x)
        return y + torch.sqrt(0 * y.square())


class Case(NamedTuple):
    name: str
    model: Callable[[], nn.Module]
    findings: frozenset[str] = frozenset()
    steps: int = 0
    """Of Adam before the X-ray"""
    rate: float = 0.003
    slow: bool = False
    after: Callable[[nn.Module], object] | None = None
    """What is broken after training"""


def case(name: str, model: Callable[[], nn.Module], *findings: str, **values: object) -> Case:
    return Case(name, model, frozenset(findings), **values)  # type: ignore[arg-type]


def examined(case: Case) -> Report:
    """The report of one step, lesions included if the finding needs them."""
    torch.manual_seed(0)
    model = case.model()
    step = step_of(model) if not isinstance(model, Transformer) else model
    optimizer = torch.optim.Adam(model.parameters(), case.rate)
    for _ in range(case.steps):
        optimizer.zero_grad()
        step().backward()
        optimizer.step()
    model.zero_grad()
    if case.after:
        with torch.no_grad():
            case.after(model)
    with xray(model) as report:
        loss = step()
        if torch.isfinite(loss):
            loss.backward()
    if "idle" in case.findings:
        report.lesions(step)
    return report


class Stacked(nn.Module):
    """Adds in a way that is not found."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(INPUTS, INPUTS) for _ in range(3))

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = torch.stack([x, torch.tanh(layer(x))]).sum(0)
        return x[:, :CLASSES]


def _forgets(model: Residual) -> None:
    model.blocks[7].forgets = True  # type: ignore[assignment]


def _silences(model: nn.Module) -> None:
    for parameter in model.blocks[5].two.parameters():  # type: ignore[union-attr]
        parameter.zero_()


def _idles(model: nn.Module) -> None:
    for block in model.blocks[:6]:  # type: ignore[index]
        block.two.weight.mul_(1e-4)
        block.two.bias.mul_(1e-4)


SILENT = ("silent branches",)

BROKEN = (
    case("100 plain layers, default start", lambda: plain(100), "gradient vanishes"),
    case("100 plain layers, He start", lambda: he(plain(100)), "plain"),
    case("100 plain layers, He, batch norm", lambda: he(plain(100, True)), "gradient explodes"),
    case("20 plain layers", lambda: he(plain(20)), "plain"),
    case(
        "100 blocks without norm, He",
        lambda: he(Residual(100)),
        "stream explodes",
        "gradient explodes",
        "half precision",
    ),
    case("100 blocks without norm, default start", lambda: Residual(100), "stream grows"),
    case("400 blocks without norm, He", lambda: he(Residual(400)), "not finite", slow=True),
    case(
        "branches times 5, without norm", lambda: he(Residual(18, branch=5.0)), "stream explodes", "branches dominate"
    ),
    case("24 Post-LN sums", lambda: Residual(24, post=True), "post-norm"),
    case("Post-LN transformer, 48 sums", lambda: Transformer(24, False), "post-norm", slow=True),
    case(
        "Post-LN transformer, 48 sums, after Adam at 0.01",
        lambda: Transformer(24, False),
        "post-norm",
        "gradient vanishes",
        "all alike",
        steps=120,
        rate=0.01,
        slow=True,
    ),
    case("no final norm", lambda: Residual(24, pre=True), "no final norm"),
    case("skips times 0.9, 54 blocks", lambda: Residual(54, skip=0.9, branch=0.1), "skip scaled"),
    case("skips times 0.5", lambda: Residual(18, pre=True, skip=0.5, final=True), "skip scaled"),
    case("skips times 1.1, 54 blocks", lambda: Residual(54, skip=1.1, branch=0.1), "skip scaled"),
    case("ReLU after every sum", lambda: Residual(18, activation_after=True), "activation on stream"),
    case("branches end in a ReLU", lambda: Residual(18, pre=True, bent=True, final=True), "branch ends in activation"),
    case("dropout on the skips", lambda: Residual(18, pre=True, dropped=0.1, final=True), "dropout on skip"),
    case("linear maps on the skips", lambda: Residual(18, pre=True, mapped=True, final=True), "linear on skip"),
    case("skips detached", lambda: Residual(18, pre=True, detached=True, final=True), "detached"),
    case("norm before the fork", lambda: Residual(18, norm_first=True), "post-norm"),
    case("one skip of 18 forgotten", lambda: spoiled(Residual(18, pre=True, final=True), _forgets), "skip forgotten"),
    case("a branch of zeros, trained", lambda: Residual(12, pre=True, final=True), *SILENT, steps=15, after=_silences),
    case(
        "ReLUs of one branch dead",
        lambda: spoiled(Residual(12, pre=True, final=True), lambda m: m.blocks[5].one.bias.fill_(-10)),
        "dead branch",
        "flat units",
    ),
    case(
        "stem 10 000 times too large",
        lambda: spoiled(Residual(12, pre=True, final=True), lambda m: m.stem.weight.mul_(3e5)),
        "half precision",
        "silent branches",
    ),
    case(
        "NaN in a weight",
        lambda: spoiled(Residual(12, pre=True, final=True), lambda m: m.blocks[5].one.weight[0].fill_(float("nan"))),
        "not finite",
    ),
    case(
        "infinity in a weight",
        lambda: spoiled(Residual(12, pre=True, final=True), lambda m: m.blocks[3].two.bias[0].fill_(float("inf"))),
        "not finite",
    ),
    case(
        "NaN in the backward pass alone",
        lambda: Rooted(Residual(12, pre=True, final=True)),
        "gradient not finite",
    ),
    case("NaN in the backward pass of plain layers", lambda: Rooted(plain(20)), "gradient not finite", "plain"),
    case("24 blocks with skips times 0.7", lambda: Residual(24, skip=0.7), "skip scaled"),
    case("idle branches", lambda: Residual(12, pre=True, final=True), "idle", steps=15, after=_idles),
    case("sums by torch.stack", Stacked, "plain"),
    case("12 blocks without norm, He", lambda: he(Residual(12)), "gradient tilts"),
)

HEALTHY = (
    case("Pre-LN, 12 blocks", lambda: Residual(12, pre=True, final=True)),
    case("Pre-LN, 100 blocks", lambda: Residual(100, pre=True, final=True)),
    case("Pre-LN, 100 blocks, He", lambda: he(Residual(100, pre=True, final=True)), slow=True),
    case("Pre-LN, 24 blocks, trained", lambda: Residual(24, pre=True, final=True), steps=60, slow=True),
    case("no norm, branches divided by 10, He", lambda: he(Residual(100, branch=0.1))),
    case("no norm, 8 blocks", lambda: Residual(8)),
    case("ReLU after 8 sums", lambda: Residual(8, activation_after=True)),
    case("Post-LN, 8 blocks", lambda: Residual(8, post=True)),
    case("Pre-LN transformer, 8 sums", lambda: Transformer(4, True)),
    case("Pre-LN transformer, 48 sums", lambda: Transformer(24, True), slow=True),
    case("Pre-LN transformer, 48 sums, trained", lambda: Transformer(24, True), steps=60, slow=True),
    case("Post-LN transformer, 8 sums", lambda: Transformer(4, False)),
    case("ReZero, α[0] and α[1] of one weight", rezero),
    case("gates tanh(g) that start at 0", lambda: gated(torch.tanh)),
    case("gates with another shape than their weight", lambda: gated(lambda weight: weight.view(1, -1), 32)),
    case("stochastic depth by an early return", stochastic_depth),
)
