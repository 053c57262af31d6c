"""`python -m tools.xray_stories`: writes docs/xray-stories.md, three X-rays of small networks, with pictures."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, linear

from sims.paths import ROOT
from sims.pytorch.library import GPT2Block, PostNormBlock, Residual, normal_start, shrink_ends
from sims.xray import Report, xray
from sims.xray.picture import HEIGHT, PANELS, STYLE, WIDTH, panel

PAGE = ROOT / "docs" / "xray-stories.md"
PICTURES = ROOT / "docs" / "xray-stories"

KINDS, HALF, TEXTS = 16, 12, 32
"""Of the GPT's texts: kinds of tokens, tokens of each half, and texts of a batch"""

HEAD = """# Three X-rays

This page is written by `python -m tools.xray_stories`, which trains the networks, X-rays them and draws the pictures.
Do not edit it. Each network has one seed, so the numbers are examples and not averages.
"""


@dataclass(frozen=True)
class Story:
    """A heading, a paragraph with computed numbers, and a picture: a measure at moments that have labels."""

    name: str
    heading: str
    words: str
    measure: str
    reports: Sequence[tuple[str, Report]]


class Reader(nn.Module):
    """Tokens, whole numbers of shape (batch, tokens) → logits, (batch, tokens, KINDS)."""

    def __init__(self, blocks: Sequence[nn.Module], width: int, final: nn.Module) -> None:
        super().__init__()
        self.embedding, self.positions = nn.Embedding(KINDS, width), nn.Embedding(2 * HALF, width)
        self.h, self.final = nn.ModuleList(blocks), final
        for table in (self.embedding, self.positions):
            nn.init.normal_(table.weight, 0, 0.02)

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.embedding(tokens) + self.positions.weight[: tokens.shape[1]]
        for block in self.h:
            x = block(x)
        return linear(self.final(x), self.embedding.weight)


def repeated(step: int) -> Tensor:
    """Texts whose second half repeats the first, (TEXTS, 2 · HALF)."""
    first = torch.randint(KINDS, (TEXTS, HALF), generator=torch.Generator().manual_seed(step))
    return torch.cat([first, first], dim=1)


def repeat_loss(model: nn.Module, step: int) -> Tensor:
    """The loss on the tokens that the first half tells: those of the second half but for its first."""
    tokens = repeated(step)
    logits = model(tokens[:, :-1])[:, HALF:]
    return cross_entropy(logits.flatten(0, 1), tokens[:, HALF + 1 :].flatten())


def trained(model: nn.Module, rate: float, looks: Sequence[int]) -> list[tuple[Report, float]]:
    """X-rays of a training with AdamW at these steps, with lesions, each with the loss at that step."""
    # In single precision, a thousand steps drive two machines apart.
    model.double()
    optimizer = torch.optim.AdamW(model.parameters(), rate)
    answers = []
    for step in range(max(looks) + 1):
        if step in looks:
            with xray(model) as report:
                loss = repeat_loss(model, 10_000)
                loss.backward()
            report.lesions(lambda: repeat_loss(model, 10_000))
            answers.append((report, loss.item()))
        optimizer.zero_grad()
        repeat_loss(model, step).backward()
        optimizer.step()
    return answers


def gpt() -> Story:
    """A GPT of four blocks at steps 0, 100 and 1000."""
    torch.manual_seed(0)
    model = Reader([GPT2Block(32, 2) for _ in range(4)], 32, nn.LayerNorm(32))
    for block in model.h:
        normal_start(block)
        shrink_ends(block, 8**-0.5, "attn.c_proj", "mlp.c_proj")
    looks = (0, 100, 1000)
    moments = trained(model, 3e-3, looks)
    lesions = [[addition.lesion or 0.0 for addition in report.additions] for report, _ in moments]
    top = max(range(8), key=lambda number: lesions[-1][number])
    ratios = [max(addition.ratio or 0.0 for addition in report.additions) for report, _ in moments]
    words = (
        f"A GPT of four blocks reads {HALF} random tokens twice; the second time they can be predicted. Its loss "
        f"there is {moments[0][1]:.2f} at step 0, {moments[1][1]:.2f} at step 100 and {moments[2][1]:.2f} at step "
        f"1000. The largest ratio of branch to stream is {ratios[0]:.2f}, {ratios[1]:.1f} and {ratios[2]:.1f}. At "
        f"step 0 no branch is worth more than {max(lesions[0]):.3f} of loss. At step 1000, leaving out "
        f"`{moments[-1][0].additions[top].name}` costs {lesions[-1][top]:.1f}, the most of all."
    )
    return Story(
        "gpt",
        "A small GPT at steps 0, 100 and 1000",
        words,
        "lesion",
        [(f"step {step}", report) for step, (report, _) in zip(looks, moments, strict=True)],
    )


def post_norm() -> Story:
    """A Post-LN network whose learning rate is too high, and its grade before and after some steps."""
    torch.manual_seed(0)
    model = Reader([PostNormBlock(32, 2, 128, causal=True) for _ in range(12)], 32, nn.Identity())
    for block in model.h:
        normal_start(block)
    looks = (0, 100)
    moments = trained(model, 1e-2, looks)
    problems = [" and ".join(f"“{f.name}”" for f in report.findings() if f.grade == "problem") for report, _ in moments]
    alike = [report.additions[-1].alike or 0.0 for report, _ in moments]
    last = moments[-1][0].additions
    fall = (last[0].gradient or 0.0) / (last[-1].gradient or 1.0)
    words = (
        f"The same task, for {len(model.h)} Post-LN blocks that AdamW trains at a rate of 0.01 without a warm-up. "
        f"Guessing costs {torch.tensor(KINDS).log():.2f}; the loss goes from {moments[0][1]:.2f} to "
        f"{moments[1][1]:.2f} in 100 steps. Before training, the X-ray sees {problems[0] or 'no problem'}. At step 100 "
        f"it sees {problems[1] or 'no problem'}: the gradient at the first sum is {_part(fall)} of that at the last. "
        f"The mean cosine of two tokens in the last sum is {alike[1]:.3f}; before training it was {alike[0]:.2f}."
    )
    return Story(
        "post-norm",
        "A Post-LN network that does not train",
        words,
        "gradient",
        [(f"step {step}", report) for step, (report, _) in zip(looks, moments, strict=True)],
    )


def _part(share: float) -> str:
    """A share in words; one that is tiny differs too much between trainings for a number."""
    return "less than a thousandth" if share < 1e-3 else f"{share:.2g}"


def resnet() -> Story:
    """A ResNet with a factor on every skip, and the same one without."""
    reports = {carry: _convolutions(carry) for carry in (0.5, 1.0)}
    shares = {carry: report.additions[-1].identity_share or 0.0 for carry, report in reports.items()}
    problems = [finding.name for finding in reports[0.5].findings() if finding.grade == "problem"]
    count = len(reports[0.5].additions)
    words = (
        f"A ResNet of {count} blocks on random images, before training, with every skip multiplied by 0.5. The "
        f"skips alone pass on {0.5**count:.1e} of what enters the first block. In the last sum, the skip's "
        f"share is {shares[0.5]:.2f}; in the same network without the factor, {shares[1.0]:.2f}. The X-ray calls it a "
        f"problem: “{problems[0]}”. It lists every skip as {reports[0.5].additions[0].kind}, with the factor "
        f"{reports[0.5].additions[0].factor:g}."
    )
    labels = [(f"skip × {carry:g}", report) for carry, report in reports.items()]
    return Story("resnet", "A ResNet with a factor on its skips", words, "identity_share", labels)


def _convolutions(carry: float) -> Report:
    torch.manual_seed(0)
    branches = [
        nn.Sequential(
            nn.Conv2d(8, 8, 3, padding=1, bias=False),
            nn.BatchNorm2d(8),
            nn.ReLU(),
            nn.Conv2d(8, 8, 3, padding=1, bias=False),
        )
        for _ in range(12)
    ]
    for branch in branches:
        nn.init.normal_(branch.get_parameter("3.weight"), 0, 0.02)
    blocks = [Residual(branch, carry=carry) for branch in branches]
    model = nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1), *blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 10)
    )
    images, labels = torch.randn(32, 3, 8, 8), torch.randint(10, (32,))
    with xray(model) as report:
        cross_entropy(model(images), labels).backward()
    return report


STORIES: Sequence[Callable[[], Story]] = (gpt, post_norm, resnet)


def picture(story: Story) -> str:
    """An SVG with one panel of the story's measure for each of its reports."""
    title, logarithmic, lines = next(entry for entry in PANELS if entry[2][0][0] == story.measure)
    drawn = [line for line in lines if line[0] == story.measure]
    parts = []
    for number, (label, report) in enumerate(story.reports):
        words = f"{label}: {title}" if len(lines) == 1 else label
        svg = panel(report.additions, words, logarithmic, drawn)
        inner = re.sub(r"^<div[^>]*><svg |</div>$", "", svg)
        parts.append(f'<svg y="{number * HEIGHT}" width="{WIDTH}" height="{HEIGHT}" {inner}')
    height = HEIGHT * len(parts)
    style = re.sub(r"\.xray svg \{[^}]*\}", "", STYLE)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="xray" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}"><style>{style}</style><rect width="100%" height="100%" fill="var(--paper)"/>'
        f"{''.join(parts)}</svg>\n"
    )


def text(stories: Sequence[Story]) -> str:
    """The page."""
    parts = [HEAD]
    for story in stories:
        parts.append(f"## {story.heading}\n\n{story.words}\n\n![{story.heading}](xray-stories/{story.name}.svg)\n")
    return "\n".join(parts)


def main() -> None:
    """Write the page and its pictures."""
    stories = [tell() for tell in STORIES]
    PAGE.write_text(text(stories), encoding="utf-8")
    PICTURES.mkdir(exist_ok=True)
    for story in stories:
        (PICTURES / f"{story.name}.svg").write_text(picture(story), encoding="utf-8")


if __name__ == "__main__":
    main()
