"""Writes a recipe as one PyTorch file that trains: block, model, start, optimizer groups and schedule."""

from functools import lru_cache
from string import Template

from sims.builder.excerpt import import_lines
from sims.builder.network_recipe.answers import (
    BASE_WIDTH,
    CLASSES,
    FEATURES,
    LABELS,
    PATCH,
    PRECISIONS,
    SIDE,
    TOKENS,
    VOCABULARY,
    Answers,
)
from sims.builder.network_recipe.plan import Plan, plan
from sims.builder.standalone import standalone

LAYERS = "sims.pytorch.layers"
MODULES = {
    "GPT2Block": "sims.pytorch.published.gpt2",
    "ConvNeXtBlock": "sims.pytorch.published.convnext",
    "BottleneckBlock": f"{LAYERS}.vision_blocks",
    "PreNormBlock": f"{LAYERS}.transformer_blocks",
    "PostNormBlock": f"{LAYERS}.transformer_blocks",
    "PeriNormBlock": f"{LAYERS}.transformer_blocks",
    "DeepNormBlock": f"{LAYERS}.transformer_blocks",
    "PerceptronBlock": f"{LAYERS}.transformer_blocks",
}
"""Block → the module with its source; the others are in `recipe_blocks`"""

IMAGES, EPOCH = 1_281_167, {"1,024 images": 1024, "4,096 images": 4096, "256 images": 256}
"""Images of ImageNet, and the batch of a recipe as a number: the length of an epoch in steps"""

HEAD = '''"""$title: $blocks blocks of width $width, $family.

    python which_block.py 100$argument

trains for 100 steps, on $data.
The rate is for batches of $batch: accumulate gradients up to
that size. Put your own data into `batch`.
"""'''

LANGUAGE = '''
class Model(nn.Module):
    """Tokens, whole numbers of shape (batch, tokens) → logits, (batch, tokens, VOCABULARY)."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding, self.positions = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(TOKENS, WIDTH)
        self.blocks = nn.ModuleList($block for _ in range(BLOCKS))
        self.norm = $norm

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.embedding(tokens) + self.positions(torch.arange(tokens.shape[1], device=tokens.device))
        for block in self.blocks:
            x = $call
        return $logits  # the head is the embedding
'''

PATCHES = '''
class Model(nn.Module):
    """Images, (batch, 3, SIDE, SIDE) → logits, (batch, CLASSES)."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, WIDTH, PATCH, PATCH)
        self.positions = nn.Parameter(torch.zeros((SIDE // PATCH) ** 2, WIDTH))
        self.blocks = nn.ModuleList($block for i in range(BLOCKS))
        self.norm = $norm
        self.head = nn.Linear(WIDTH, CLASSES)

    def forward(self, images: Tensor) -> Tensor:
        x = self.stem(images).flatten(2).transpose(1, 2) + self.positions
        for block in self.blocks:
            x = $call
        return self.head(self.norm(x).mean(1))
'''

POINTS = '''
class Model(nn.Module):
    """Points, (batch, FEATURES) → logits, (batch, LABELS)."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Linear(FEATURES, WIDTH)
        self.blocks = nn.ModuleList($block for _ in range(BLOCKS))
        self.norm = $norm
        self.head = nn.Linear(WIDTH, LABELS)

    def forward(self, points: Tensor) -> Tensor:
        x = self.stem(points)
        for block in self.blocks:
            x = $call
        return self.head(self.norm(x))
'''

STAGES = '''
class Model(nn.Module):
    """Images, (batch, 3, height, width), sides that 32 divides → logits, (batch, CLASSES)."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.ModuleList($stem)
        for stage, (count, c) in enumerate(zip(STAGES, CHANNELS)):
$stage
        self.norm = $norm
        self.head = nn.Linear(CHANNELS[-1], CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        for block in self.blocks:
            x = $call
        return self.head(self.norm(x.mean((2, 3))))
'''

CHANNEL_NORM = '''
class ChannelNorm(nn.LayerNorm):
    """LayerNorm over the channels of images (batch, channels, height, width)."""

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x.movedim(1, -1)).movedim(-1, 1)
'''

RATE = '''
def rate(step: int, steps: int) -> float:
    """Linear warm-up, then a cosine down to FLOOR of the rate. A short run warms up for $share of its steps."""
    warmup = min(WARMUP, steps // $part)
    if step < warmup:
        return RATE * (step + 1) / warmup
    done = (step - warmup) / max(steps - warmup, 1)
    return RATE * (FLOOR + (1 - FLOOR) * (1 + math.cos(math.pi * done)) / 2)
'''

TRAIN = '''
def train(steps: int) -> list[float]:
    """The loss before each of so many steps."""
    torch.manual_seed(0)
    model = Model().to(DEVICE)
    start(model)
    optimizer = $optimizer
$scaler    losses = []
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = rate(step, steps)$scale
        inputs, targets = (part.to(DEVICE) for part in batch(step))
$forward
        optimizer.zero_grad()
$step
        losses.append(loss.item())
    return losses


if __name__ == "__main__":
    seen = train(next((int(word) for word in sys.argv[1:] if word.isdigit()), 100))
    print(f"loss {seen[0]:.3f} -> {seen[-1]:.3f} in {len(seen)} steps")
'''

ADAPTIVE = '''
def clip_adaptively(model: nn.Module, most: float = 0.01, least: float = 1e-3) -> None:
    """Shrink each unit's gradient to `most` of the norm of its weights, except in the head (2102.06171, section 4)."""
    for name, weight in model.named_parameters():
        if weight.grad is not None and not name.startswith("head"):
            dims = tuple(range(1, weight.ndim)) if weight.squeeze().ndim > 1 else None
            size, slope = (torch.linalg.vector_norm(x.detach(), dim=dims, keepdim=True) for x in (weight, weight.grad))
            weight.grad.mul_((most * size.clamp(min=least) / slope.clamp(min=1e-6)).clamp(max=1))
'''

TEXT = '''
TEXT = torch.frombuffer(
    bytearray(next((Path(word) for word in sys.argv[1:] if word.endswith(".txt")), Path(torch.__file__)).read_bytes()),
    dtype=torch.uint8,
).long()


def batch(step: int) -> tuple[Tensor, Tensor]:
    """Bytes of a text in place of tokens, (BATCH, tokens), and the byte after each. Put your tokenizer here."""
    tokens = min(TOKENS, 128)
    places = torch.randint(len(TEXT) - tokens, (BATCH, 1), generator=torch.Generator().manual_seed(step))
    pieces = TEXT[places + torch.arange(tokens + 1)]
    return pieces[:, :-1], pieces[:, 1:]
'''

PICTURES = '''
EXAMPLES = torch.randn(10, 3, SIDE, SIDE, generator=torch.Generator().manual_seed(0))


def batch(step: int) -> tuple[Tensor, Tensor]:
    """Ten random images with noise, (BATCH, 3, SIDE, SIDE), and which one it is. Put your images here."""
    source = torch.Generator().manual_seed(step)
    labels = torch.randint(10, (BATCH,), generator=source)
    return EXAMPLES[labels] + torch.randn(BATCH, 3, SIDE, SIDE, generator=source), labels
'''

CLOUDS = '''
CENTERS = torch.randn(LABELS, FEATURES, generator=torch.Generator().manual_seed(0))


def batch(step: int) -> tuple[Tensor, Tensor]:
    """Points around random centers, (BATCH, FEATURES), and which center. Put your data here."""
    source = torch.Generator().manual_seed(step)
    labels = torch.randint(LABELS, (BATCH,), generator=source)
    return CENTERS[labels] + torch.randn(BATCH, FEATURES, generator=source), labels
'''


@lru_cache(maxsize=64)
def train_file(answers: Answers) -> str:
    """The text of a file that trains the recipe's network with only torch; its model has the parameters of `costs`."""
    chosen = plan(answers)
    paths = [f"{MODULES.get(chosen.block, 'sims.pytorch.layers.recipe_blocks')}.{chosen.block}"]
    if chosen.factor < 1:
        paths.append("sims.pytorch.layers.branch_ends.multiply_ends")
    if chosen.block == "NormalizerFreeBlock":
        paths.insert(0, "sims.pytorch.layers.recipe_blocks.StandardizedConv")
    imports, definitions = _split(standalone(paths))
    template, data = {
        "transformer": (LANGUAGE, TEXT),
        "vit": (PATCHES, PICTURES),
        "image": (STAGES, PICTURES),
        "perceptron": (POINTS, CLOUDS),
    }[answers.family]
    parts = [
        definitions,
        *([CHANNEL_NORM.strip()] if chosen.block == "ConvNeXtBlock" else []),
        _constants(answers, chosen),
        Template(template.strip()).substitute(_model(answers, chosen)),
        _start(answers, chosen),
        _groups(chosen),
        Template(RATE.strip()).substitute(_short_run(chosen)),
        data.strip(),
        *([ADAPTIVE.strip()] if chosen.adaptive_clip else []),
        Template(TRAIN.strip()).substitute(_training(answers, chosen)),
    ]
    head = Template(HEAD).substitute(
        title=chosen.title,
        blocks=answers.blocks,
        width=answers.width,
        family={
            "transformer": "a language model",
            "vit": "a vision transformer",
            "image": "a ConvNet",
            "perceptron": "an MLP",
        }[answers.family],
        argument=" text.txt" if answers.family == "transformer" else "",
        data={
            "transformer": "the bytes of a text (or, without one, of a file of PyTorch)",
            "perceptron": "points that it makes",
        }.get(answers.family, "images that it makes"),
        batch=chosen.batch,
    )
    body = "\n\n\n".join(parts)
    needed = {
        "import math",
        "import sys",
        "import torch",
        "from torch import Tensor",
        "from torch import nn",
        "from torch.nn.functional import cross_entropy",
    }
    if answers.family == "transformer":
        needed |= {"from pathlib import Path", "from torch.nn.functional import linear"}
    if chosen.checkpoints:
        needed.add("from torch.utils.checkpoint import checkpoint")
    return f"{head}\n\n{import_lines(imports | needed)}\n\n\n{body}\n"


def _split(text: str) -> tuple[set[str], str]:
    """The imports of a text, one name each, and the rest of it."""
    lines, _, rest = text.partition("\n\n\n")
    single = set[str]()
    for line in lines.splitlines():
        origin, _, names = line.partition(" import ")
        single |= {f"{origin} import {name}" for name in names.split(", ")} if names else {line}
    return single, rest


def _constants(a: Answers, chosen: Plan) -> str:
    lines = [f"BLOCKS, WIDTH, BATCH = {a.blocks}, {a.width}, 8"]
    if a.family == "transformer":
        lines.append(f"TOKENS, VOCABULARY = {TOKENS}, {VOCABULARY:_}")
    elif a.family == "perceptron":
        lines.append(f"FEATURES, LABELS = {FEATURES}, {LABELS}")
    else:
        lines.append(f"SIDE, CLASSES = {SIDE}, {CLASSES}")
        lines.append(
            f"PATCH = {PATCH}" if a.family == "vit" else f"STAGES, CHANNELS = {list(a.stages)}, {list(a.channels)}"
        )
    lines.append(f"RATE, FLOOR, DECAY = {chosen.rate:.3g}, {chosen.floor:g}, {chosen.decay:g}")
    lines.append(f"WARMUP = {warmup_steps(chosen):_}")
    if chosen.clip:
        lines.append(f"CLIP = {chosen.clip}")
    if chosen.drop_path:
        lines.append(f"DROP_PATH = {chosen.drop_path}  # of the last block; the first has 0")
    lines.append('DEVICE = "cuda" if torch.cuda.is_available() else "cpu"')
    return "\n".join(lines)


def warmup_steps(chosen: Plan) -> int:
    """The length of the warm-up of a full training, in steps; 0 if there is none or it has no fixed length."""
    first = chosen.warmup.split()[0].replace(",", "")
    if not first.isdigit():
        return 0
    return int(first) * (IMAGES // EPOCH[chosen.batch] if "epoch" in chosen.warmup else 1)


def _short_run(chosen: Plan) -> dict[str, object]:
    long = chosen.warmup in ("10,000 steps", "100 steps")
    return {"share": "a tenth" if long else "1%", "part": 10 if long else 100}


def _model(a: Answers, chosen: Plan) -> dict[str, object]:
    last = "CHANNELS[-1]" if a.family == "image" else "WIDTH"
    epsilon = ", eps=1e-6" if a.family in ("vit", "image") else ""
    final = f"nn.LayerNorm({last}{epsilon})" if chosen.final_norm else "nn.Identity()"
    logits = "linear(self.norm(x), self.embedding.weight)"
    if chosen.transfers and a.width > BASE_WIDTH:
        logits = f"linear(self.norm(x), self.embedding.weight) * ({BASE_WIDTH} / WIDTH)"
    slots: dict[str, object] = {
        "norm": final,
        "call": "checkpoint(block, x, use_reentrant=False)" if chosen.checkpoints else "block(x)",
        "logits": logits,
    }
    if a.family == "perceptron":
        return {**slots, "block": f"{chosen.block}(WIDTH, 4 * WIDTH)"}
    if a.family == "image":
        return {**slots, **_stages(chosen)}
    causal = a.family == "transformer"
    arguments = f"WIDTH, {a.heads}, 4 * WIDTH, causal={causal}"
    extra = {
        "DeepNormBlock": ", blocks=BLOCKS",
        "GPT2Block": f", dropout={chosen.dropout}",
        "LayerScaleBlock": f", gamma_start={chosen.gamma:g}, drop_path=DROP_PATH * i / max(BLOCKS - 1, 1)",
        **dict.fromkeys(("QKNormBlock", "PeriNormBlock"), ", norm_eps=1e-6" if a.family == "vit" else ""),
    }.get(chosen.block, "")
    return {**slots, "block": f"{chosen.block}({arguments}{extra})"}


def _stages(chosen: Plan) -> dict[str, str]:
    if chosen.block == "ConvNeXtBlock":
        return {
            "stem": "[nn.Conv2d(3, CHANNELS[0], 4, 4), ChannelNorm(CHANNELS[0], eps=1e-6)]",
            "stage": """            if stage:
                before = CHANNELS[stage - 1]
                self.blocks.extend([ChannelNorm(before, eps=1e-6), nn.Conv2d(before, c, 2, 2)])
            for i in range(count):
                deep = (sum(STAGES[:stage]) + i) / max(BLOCKS - 1, 1)
                self.blocks.append(ConvNeXtBlock(c, drop_path=DROP_PATH * deep))""",
        }
    if chosen.block == "BottleneckBlock":
        return {
            "stem": "[nn.Conv2d(3, CHANNELS[0] // 4, 7, 2, 3, bias=False), nn.BatchNorm2d(CHANNELS[0] // 4), "
            "nn.ReLU(), nn.MaxPool2d(3, 2, 1)]",
            "stage": """            before = CHANNELS[stage - 1] if stage else CHANNELS[0] // 4
            self.blocks.append(BottleneckBlock(before, c, stride=2 if stage else 1))
            self.blocks.extend(BottleneckBlock(c, c) for _ in range(count - 1))""",
        }
    return {
        "stem": (
            "[StandardizedConv(3, CHANNELS[0] // 2, 3, 2), nn.GELU(), "
            "StandardizedConv(CHANNELS[0] // 2, CHANNELS[0], 3, 2)]"
        ),
        "stage": """            if stage:
                self.blocks.append(StandardizedConv(CHANNELS[stage - 1], c, 3, 2))
            self.blocks.extend(NormalizerFreeBlock(c, spread=(1 + 0.04 * i) ** 0.5) for i in range(count))""",
    }


def _start(a: Answers, chosen: Plan) -> str:
    lines = ["@torch.no_grad()", "def start(model: Model) -> None:"]
    if a.family == "perceptron":
        lines += [
            '    """He\'s weights, biases 0; the head keeps those of the library."""',
            "    for layer in model.modules():",
            "        if isinstance(layer, nn.Linear) and layer is not model.head:",
            '            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")',
            "            layer.bias.zero_()",
        ]
        if chosen.start == "zero":
            lines += ["    for block in model.blocks:", "        block.mlp.narrow.weight.zero_()"]
        return "\n".join(lines)
    if chosen.block == "BottleneckBlock":
        lines += [
            '    """He\'s weights; the gain of the last norm of each branch is 0."""',
            "    for module in model.modules():",
            "        if isinstance(module, nn.Conv2d):",
            '            nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")',
            "        elif isinstance(module, BottleneckBlock):",
            "            module.norm3.weight.zero_()",
        ]
        if chosen.checkpoints:
            lines += [
                "        elif isinstance(module, nn.BatchNorm2d):",
                "            # Checkpoints run a block twice per step: two such updates equal one with 0.1.",
                "            module.momentum = 1 - (1 - 0.1) ** 0.5",
            ]
        return "\n".join(lines)
    if chosen.block == "NormalizerFreeBlock":
        return "\n".join(
            [
                *lines,
                '    """Weights of variance 1/fan-in, which standardization rescales anyway; biases 0."""',
                "    for module in model.modules():",
                "        if isinstance(module, nn.Conv2d):",
                '            nn.init.kaiming_normal_(module.weight, nonlinearity="linear")',
                "            module.bias.zero_()",
            ]
        )
    if chosen.start == "deepnorm":
        lines += ['    """The blocks bring their own start (2203.00555); everything around them is normal."""']
        if a.family == "transformer":
            lines += ["    model.embedding.weight.normal_(0, 0.02)", "    model.positions.weight.normal_(0, 0.01)"]
        else:
            lines += ["    for layer in (model.stem, model.head):", "        layer.weight.normal_(0, 0.02)"]
        if a.family == "vit":
            lines += ["    model.positions.normal_(0, 0.02)"]
        return "\n".join(lines)
    language = a.family == "transformer"
    kinds = "(nn.Linear, nn.Embedding)" if language else "(nn.Linear, nn.Conv2d)"
    draw = (
        f"layer.weight.normal_(0, {chosen.deviation:.3g})"
        if language
        else f"nn.init.trunc_normal_(layer.weight, std={chosen.deviation:.3g})"
    )
    lines += [
        '    """Normal weights and biases of 0."""',
        "    for layer in model.modules():",
        f"        if isinstance(layer, {kinds}):",
        f"            {draw}",
        '            if getattr(layer, "bias", None) is not None:',
        "                layer.bias.zero_()",
    ]
    if language:
        lines += ["    model.embedding.weight.normal_(0, 0.02)", "    model.positions.weight.normal_(0, 0.01)"]
    elif a.family == "vit":
        lines.append("    nn.init.trunc_normal_(model.positions, std=0.02)")
    ends = ("attn.c_proj", "mlp.c_proj") if chosen.block == "GPT2Block" else ("attention.output", "mlp.narrow")
    if chosen.start == "shrink":
        lines += [
            "    for block in model.blocks:",
            f'        for end in ("{ends[0]}", "{ends[1]}"):',
            "            block.get_submodule(end).weight.div_(math.sqrt(2 * BLOCKS))",
        ]
    if chosen.factor < 1:
        lines += [
            "    for block in model.blocks:",
            f'        multiply_ends(block, {chosen.factor:.4g}, "{ends[0]}", "{ends[1]}")',
        ]
    return "\n".join(lines)


def _groups(chosen: Plan) -> str:
    if chosen.block == "BottleneckBlock":
        return '''def groups(model: Model) -> list[dict]:
    """Everything decays, as in torchvision; timm leaves gains and biases out."""
    return [{"params": list(model.parameters()), "weight_decay": DECAY}]'''
    if chosen.transfers:
        return f'''def groups(model: Model) -> list[dict]:
    """Matrices decay, gains and biases do not; matrices inside the blocks learn at the rate × {BASE_WIDTH}/width."""
    inside = [weight for weight in model.blocks.parameters() if weight.ndim >= 2]
    others = [weight for weight in model.parameters() if weight.ndim < 2]
    around = [model.embedding.weight, model.positions.weight]
    scale = min({BASE_WIDTH} / WIDTH, 1.0)
    return [
        # AdamW shrinks weights by rate × decay. This product does not depend on the width (2505.01618; mup's MuAdamW).
        {{"params": inside, "weight_decay": DECAY / scale, "scale": scale}},
        {{"params": around, "weight_decay": DECAY, "scale": 1.0}},
        {{"params": others, "weight_decay": 0.0, "scale": 1.0}},
    ]'''
    names = "gain" if chosen.adaptive_clip else ""
    condition = 'weight.ndim >= 2 and not name.endswith("gain")' if names else "weight.ndim >= 2"
    return f'''def groups(model: Model) -> list[dict]:
    """Matrices decay; gains, biases and learned factors do not."""
    named = list(model.named_parameters())
    decayed = [weight for {"name" if names else "_"}, weight in named if {condition}]
    chosen = {{id(weight) for weight in decayed}}
    others = [weight for _, weight in named if id(weight) not in chosen]
    return [{{"params": decayed, "weight_decay": DECAY}}, {{"params": others, "weight_decay": 0.0}}]'''


def _training(a: Answers, chosen: Plan) -> dict[str, str]:
    optimizer = {
        "AdamW": f"torch.optim.AdamW(groups(model), RATE, betas={chosen.betas}, eps=1e-8)",
        "SGD": "torch.optim.SGD(groups(model), RATE, momentum=0.9"
        + (", nesterov=True)" if chosen.adaptive_clip else ")"),
    }[chosen.optimizer]
    half = a.precision == "float16"
    narrow = a.precision in PRECISIONS and a.precision != "float32"
    forward = "outputs = model(inputs)"
    lines = (
        [f"        with torch.autocast(DEVICE, torch.{a.precision}):", f"            {forward}"]
        if narrow
        else [f"        {forward}"]
    )
    flat = "outputs.float().flatten(0, -2), targets.flatten()"
    lines.append(f"        loss = cross_entropy({flat})")
    clip = (
        ["        nn.utils.clip_grad_norm_(model.parameters(), CLIP)"]
        if chosen.clip
        else ["        clip_adaptively(model)"]
        if chosen.adaptive_clip
        else []
    )
    if half:
        step = ["        scaler.scale(loss).backward()"]
        step += ["        scaler.unscale_(optimizer)", *clip] if clip else []
        step += ["        scaler.step(optimizer)", "        scaler.update()"]
    else:
        step = ["        loss.backward()", *clip, "        optimizer.step()"]
    return {
        "optimizer": optimizer,
        "scaler": "    scaler = torch.amp.GradScaler(DEVICE)  # float16 ends at 65,504\n" if half else "",
        "scale": ' * group["scale"]' if chosen.transfers else "",
        "forward": "\n".join(lines),
        "step": "\n".join(step),
    }
