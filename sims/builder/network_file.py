"""Writes a run of the explorer as a whole PyTorch file: a template, with the data and blocks copied from our source."""

import re
from functools import lru_cache
from string import Template
from textwrap import indent

from sims.builder.excerpt import excerpt, import_lines
from sims.data.datasets import Source
from sims.data.input_features import Featured
from sims.engines.perceptrons.architecture import Architecture
from sims.engines.recipe import Recipe

IMPORTS = {
    "import numpy as np",
    "import torch",
    "from torch import nn",
    "from torch.nn.functional import cross_entropy",
    "from collections.abc import Iterator",
}

HEAD = '''"""{a.depth} linear layers of width {a.width}, trained for {steps} steps.

For the same seed it begins with the same weights and sees the same batches as on the page.
"""'''

DIGITS = '''def digit_images() -> tuple[np.ndarray, np.ndarray]:
    """Pixels (1797, 8, 8) from 0 to 16 and labels (1797,) of the handwritten digits."""
    digits = load_digits()
    return digits.images, digits.target'''

VERBATIM = {
    "contract.own_points": ["parse"],
    "data.input_features": ["featured"],
    "pytorch.layers.blocks": ["LayerNorm", "BatchNorm", "Residual", "ReZero", "Highway", "LinearSkip", "Dense"],
    "engines.perceptrons.initialization": ["mirrored"],
    "engines.orthogonal": ["orthogonal"],
}
"""Module → definitions that a file copies from it if it needs them; a module is after those that need it"""

ACTIVATIONS = {"relu": "nn.ReLU()", "tanh": "nn.Tanh()"}
SKIPS = {
    "none": "branch()",
    "additive": "Residual(branch(){factors})",
    "rezero": "ReZero(branch())",
    "highway": "Highway(branch(), WIDTH, gate_bias={a.gate_bias})",
    "linear": "LinearSkip(branch(), WIDTH)",
    "dense": "Dense(branch(WIDTH + {a.growth} * number, {a.growth}))",
}
GATED = {"highway": "Highway", "linear": "LinearSkip"}
FACTORS = {"1/blocks^(1/4)": "BLOCKS**-0.25", "1/sqrt(blocks)": "BLOCKS**-0.5", "1/blocks": "1 / BLOCKS"}
NORMAL = "return random.normal(0, np.sqrt(2 / {}), (rows, columns)), np.zeros(rows)"
ORTHOGONAL = {
    "relu": "return np.sqrt(2) * orthogonal((rows, columns), random), np.zeros(rows)",
    "tanh": "return orthogonal((rows, columns), random), np.zeros(rows)",
}
DRAWN = {
    "default": "bound = columns**-0.5\n"
    "return random.uniform(-bound, bound, (rows, columns)), random.uniform(-bound, bound, rows)",
    "he": NORMAL.format("columns"),
    "zero-last": NORMAL.format("columns"),
    "xavier": NORMAL.format("(rows + columns)"),
    "uniform": "return random.uniform(-0.5, 0.5, (rows, columns)), np.full(rows, 0.1)",
}
OPTIMIZERS = {
    "sgd": "SGD(model.parameters(), {})",
    "momentum": "SGD(model.parameters(), {}, momentum=0.9)",
    "adam": "Adam(model.parameters(), {})",
}

NETWORK = '''
WIDTH, BLOCKS = $width, $blocks


def branch(inputs: int = WIDTH, outputs: int = WIDTH) -> nn.Sequential:
    """F, the part of a block that learns."""
    return nn.Sequential(
        $branch
    )


def block($parameter) -> nn.Module:
    """The branch, and how its result joins the stream."""
    return $block


def network(inputs: int, outputs: int) -> nn.Sequential:
    """The network for points (batch, inputs)."""
    return nn.Sequential(
        $layers
    )
'''

LAYER_START = '''
def drawn(rows: int, columns: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The weights (rows, columns) and biases (rows,) that a layer starts with."""
    $drawn
'''

START = '''
@torch.no_grad()
def start(data: Dataset, seed: int) -> nn.Sequential:
    """The network for that data, with the initial weights of that seed."""
    model = network(data.features, data.classes)
    random = np.random.default_rng((seed, 0))
    layers = [module for module in model.modules() if isinstance(module, nn.Linear)]
    $gates
    for $loop:
        $weight
        $changes
        layer.weight.copy_(torch.from_numpy(weight))
        if layer.bias is not None:
            $bias
    $gate_weights
    return model
'''

GATES = """gates = [module.gate for module in model.modules() if isinstance(module, {})]
layers = [layer for layer in layers if layer not in gates]"""
DRAWN_GATES = """for gate in gates:
    gate.weight.copy_(torch.from_numpy(drawn(*gate.weight.shape, random)[0]))"""
GATE_WEIGHTS = {"highway": DRAWN_GATES, "linear": f"{DRAWN_GATES}\n    gate.bias.zero_()"}

BATCHES = "batches(len(labels), seed, steps)"

TRAINING = '''
def batches(points: int, seed: int, steps: int) -> Iterator[np.ndarray]:
    """Which points make up the batch of every step; the incomplete last batch of an epoch is left out."""
    size = $size
    per_epoch = points // size
    for step in range(steps):
        epoch, place = divmod(step, per_epoch)
        if place == 0:
            order = np.random.default_rng((seed, 1, epoch)).permutation(points)
        yield order[place * size : (place + 1) * size]


def train(model: nn.Module, data: Dataset, seed: int, steps: int) -> list[float]:
    """Train for that many steps, or until the loss is no finite number; the loss of every batch before its step."""
    inputs, labels = torch.tensor(data.train_inputs), torch.tensor(data.train_labels)
    optimizer = torch.optim.$optimizer
    losses = []
    for $loop:
        $warmup
        loss = cross_entropy(model(inputs[rows]), labels[rows])
        losses.append(loss.item())
        if not loss.isfinite():
            break
        optimizer.zero_grad()
        loss.backward()
        $clip
        optimizer.step()
    return losses


@torch.no_grad()
def judged(model: nn.Module, data: Dataset) -> tuple[float, float]:
    """Loss and share of wrong answers over all training points."""
    inputs, labels = torch.tensor(data.train_inputs), torch.tensor(data.train_labels)
    answers = model(inputs)
    return cross_entropy(answers, labels).item(), (answers.argmax(1) != labels).float().mean().item()


if __name__ == "__main__":
    data = $data
    for seed in range($first, $last):
        model = start(data, seed)
        train(model, data, seed, $steps)
        loss, error = judged(model, data)
        print(f"seed {seed}: training loss {loss:.3g}, training error {error:.1%}")
'''


def _filled(template: str, **slots: object) -> str:
    """Fill the slots of a template. A slot on a line of its own takes any number of lines, or none."""

    def lines(match: re.Match[str]) -> str:
        text = str(slots[match[2]])
        return indent(text, match[1]) + "\n" if text else ""

    return Template(re.sub(r"^( +)\$(\w+)\n", lines, template.strip() + "\n", flags=re.M)).substitute(slots).strip()


@lru_cache(maxsize=64)
def network_file(architecture: Architecture, recipe: Recipe, source: Source, seeds: range, steps: int) -> str:
    """Return the text of a file that trains that network on that data, once for every seed, without code of this site.

    The file needs torch and numpy, and scikit-learn for the digits. Raises ValueError for what the explorer does not
    offer: dropout or a factor on the skip, squashed outputs, and squared errors.
    """
    a = architecture
    if a.skip not in SKIPS or a.scaled_skip != 1 or a.squashed or recipe.loss != "cross-entropy":
        raise ValueError("there is no file for what the explorer does not offer")
    imports, definitions = excerpt("data.datasets", [source.name], without=["digit_images"])
    body = [_network(a), *_start(a), _training(recipe, source, seeds, steps)]
    text = "\n".join([*definitions, *body])
    if "digit_images(" in text:
        imports, definitions = imports | {"from sklearn.datasets import load_digits"}, [DIGITS, *definitions]
    # Copy a definition only if its name appears in the text that has been written so far.
    for module, names in VERBATIM.items():
        more, others = excerpt(module, [name for name in names if re.search(rf"\b{name}\b", text)])
        imports, definitions = imports | more, definitions + others
        text = "\n".join([text, *others])
    head = HEAD.format(a=a, steps=steps)
    return f"{head}\n\n{import_lines(imports | IMPORTS)}\n\n\n" + "\n\n\n".join([*definitions, *body]) + "\n"


def _linear(a: Architecture, inputs: str, outputs: str) -> list[str]:
    """Return a linear layer and the norm after it, if there is one. With batch norm, the layer has no bias."""
    norms = {"batch": [f"BatchNorm({outputs})"], "layer": [f"LayerNorm({outputs})"]}
    return [_bare_linear(a, inputs, outputs), *norms.get(a.norm, [])]


def _norm_in_front(a: Architecture, inputs: str) -> list[str]:
    """Return the norm in front of an activation where the activation comes first, if there is one."""
    if a.norm == "batch":
        return [f"BatchNorm({inputs})"]
    return [f"LayerNorm({inputs})"] if a.norm in ("layer", "pre-layer", "peri-layer") else []


def _branch(a: Architecture) -> list[str]:
    """Return the modules of a branch."""
    activation, last = ACTIVATIONS[a.activation], ["LayerNorm(outputs)"] if a.norm == "peri-layer" else []
    if a.unit == "pre-activation":
        return [*_norm_in_front(a, "inputs"), activation, _bare_linear(a, "inputs", "outputs"), *last]
    first = ["LayerNorm(inputs)"] if a.norm in ("pre-layer", "peri-layer") else []
    second = _linear(a, "outputs", "outputs") if a.layers_per_block == 2 else []
    return [*first, *_linear(a, "inputs", "outputs"), activation, *second, *last]


def _bare_linear(a: Architecture, inputs: str, outputs: str) -> str:
    """Return a linear layer without a norm after it; batch norm replaces the bias."""
    return f"nn.Linear({inputs}, {outputs}{', bias=False' if a.norm == 'batch' else ''})"


def _network(a: Architecture) -> str:
    activation, branch = ACTIVATIONS[a.activation], _branch(a)
    width = f"WIDTH + {a.growth} * BLOCKS" if a.skip == "dense" else "WIDTH"
    stem, last = [*_linear(a, "inputs", "WIDTH"), activation], [f"LayerNorm({width})"] if a.final_norm else []
    if a.unit == "pre-activation":
        normed = _norm_in_front(a, width) if a.norm in ("batch", "layer") else last
        stem, last = [_bare_linear(a, "inputs", "WIDTH")], [*normed, activation]
    layers = [
        *stem,
        "*map(block, range(BLOCKS))" if a.skip == "dense" else "*(block() for _ in range(BLOCKS))",
        *last,
        f"nn.Linear({width}, outputs)",
    ]
    return _filled(
        NETWORK,
        width=a.width,
        blocks=a.blocks,
        branch=",\n".join(branch) + ",",
        parameter="number: int" if a.skip == "dense" else "",
        block=_block(a),
        layers=",\n".join(layers) + ",",
    )


def _block(a: Architecture) -> str:
    factors = (f", factor={FACTORS[a.branch_factor]}" if a.branch_factor != "1" else "") + (
        ", carry=BLOCKS**0.25" if a.norm == "deep-norm" else ""
    )
    block = SKIPS[a.skip].format(a=a, factors=factors)
    if a.unit == "original":
        return f"nn.Sequential({block}, {ACTIVATIONS[a.activation]})"
    return f"nn.Sequential({block}, LayerNorm(WIDTH))" if a.norm in ("post-layer", "deep-norm") else block


def _start(a: Architecture) -> list[str]:
    """Return the code that draws one layer (unless all are mirrored), and the code that draws the whole network."""
    mirrored, gates = a.initialization == "looks-linear", GATES.format(GATED[a.skip]) if a.skip in GATED else ""
    weight, bias = "weight, bias = drawn(*layer.weight.shape, random)", "layer.bias.copy_(torch.from_numpy(bias))"
    if mirrored:
        weight = "weight = mirrored(*layer.weight.shape, random, number == 0, number == len(layers) - 1)"
        bias = "layer.bias.zero_()"
    changes = []
    if a.initialization == "zero-last":
        changes += [
            f"if number in range({a.layers_per_block}, len(layers) - 1, {a.layers_per_block}):",
            "    weight[:] = 0",
        ]
    if a.norm == "deep-norm":
        changes += ["if 0 < number < len(layers) - 1:", "    weight *= (4 * BLOCKS) ** -0.25"]
    start = _filled(
        START,
        gates=gates,
        loop="number, layer in enumerate(layers)" if mirrored or changes else "layer in layers",
        weight=weight,
        changes="\n".join(changes),
        bias=bias,
        gate_weights=GATE_WEIGHTS[a.skip] if gates else "",
    )
    layer_start = _filled(LAYER_START, drawn=DRAWN.get(a.initialization, ORTHOGONAL[a.activation]))
    return [start] if mirrored and not gates else [layer_start, start]


def _training(recipe: Recipe, source: Source, seeds: range, steps: int) -> str:
    rate = recipe.learning_rate
    group = f'for group in optimizer.param_groups:\n    group["lr"] = {rate} * min(step / {recipe.warmup}, 1)'
    return _filled(
        TRAINING,
        size=f"min({recipe.batch}, points)" if recipe.batch else "points",
        optimizer=OPTIMIZERS[recipe.optimizer].format(rate),
        loop=f"step, rows in enumerate({BATCHES}, 1)" if recipe.warmup else f"rows in {BATCHES}",
        warmup=group if recipe.warmup else "",
        clip="" if recipe.clip is None else f"nn.utils.clip_grad_norm_(model.parameters(), {recipe.clip})",
        data=_data(source),
        first=seeds.start,
        last=seeds.stop,
        steps=steps,
    )


def _data(source: Source) -> str:
    """Return the call that makes the data."""
    call = f"{source.name}({', '.join(f'{name}={value!r}' for name, value in source.arguments)})"
    return f"featured({call}, {list(source.features)})" if isinstance(source, Featured) else call
