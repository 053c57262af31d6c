"""Writes a language model as a whole PyTorch file that trains on any text: a template, and our network's source."""

from functools import lru_cache
from string import Template

from sims.builder.excerpt import excerpt, import_lines
from sims.engines.language.architecture import LanguageModel
from sims.engines.language.engine import LanguageRecipe

IMPORTS = {
    "import numpy as np",
    "import sys",
    "import torch",
    "from pathlib import Path",
    "from torch.nn.functional import cross_entropy",
}

HEAD = '''"""A small GPT that learns to write: $said.

    python language.py some-text.txt "The first words "

Any .txt file in UTF-8 will do; without one, it reads a file of PyTorch. On the text of the page, the same seed takes
the same steps, to rounding.
"""'''

TRAIN = '''
def train(text: str, steps: int, seed: int = $seed) -> tuple[Language, list[float]]:
    """A model that has read pieces of a text in so many steps, and the loss before each of them, in nats per symbol."""
    symbols = sorted(set(text))
    numbers = torch.tensor([symbols.index(symbol) for symbol in text])
    model = LanguageModel(
        $blocks,
        len(symbols),
        skip="$skip",
        attention="$attention",
        norm="$norm",
        initialization="$initialization",
    )
    network = loaded(model, initial_parameters(model, make_layout(model), seed).astype(np.float32))
    decaying = [weight for weight in network.parameters() if weight.ndim == 2]
    others = [weight for weight in network.parameters() if weight.ndim != 2]
    groups = [{"params": decaying, "weight_decay": $decay}, {"params": others, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups)
    losses = []
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = $rate * min(1, (step + 1) / $warmup)
        starts = np.random.default_rng((seed, 1, step)).integers(0, len(numbers) - model.context, $batch)
        pieces = torch.stack([numbers[start : start + model.context + 1] for start in starts])
        loss = cross_entropy(network(pieces[:, :-1]).flatten(0, 1), pieces[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), $clip)
        optimizer.step()
        losses.append(loss.item())
    return network, losses


@torch.no_grad()
def write(network: Language, symbols: list[str], words: str, count: int = 200) -> str:
    """What the model writes after some words, symbol after symbol."""
    numbers = [symbols.index(symbol) for symbol in words]
    for _ in range(count):
        seen = numbers[-network.model.context :]
        padded = seen + [0] * (network.model.context - len(seen))
        logits = network(torch.tensor([padded]))[0, len(seen) - 1]
        numbers.append(int(torch.multinomial((logits / $temperature).softmax(dim=0), 1)))
    return "".join(symbols[number] for number in numbers)


if __name__ == "__main__":
    texts = [word for word in sys.argv[1:] if word.endswith(".txt")]  # a notebook has other arguments
    read = Path(texts[0] if texts else torch.__file__).read_text(encoding="utf-8")
    first = sys.argv[2] if texts and len(sys.argv) > 2 else read[:10]
    trained, seen = train(read, $steps)
    print(f"loss {seen[0]:.2f} -> {sum(seen[-20:]) / len(seen[-20:]):.2f} nats per symbol")
    print(write(trained, sorted(set(read)), first))
'''


FORMULAS = {
    "additive": "h + F around each branch",
    "rezero": "h + αF around each branch",
    "block": "one skip around both branches of a block",
    "attention": "a skip around attention only",
    "feed-forward": "a skip around the feed-forward branch only",
    "none": "no skips",
}
"""What the first line of the file says of each skip"""


@lru_cache(maxsize=64)
def language_file(model: LanguageModel, recipe: LanguageRecipe, seed: int, steps: int, temperature: float) -> str:
    """Return the text of a file that trains this model on a reader's text, with only torch and numpy."""
    imports, definitions = set[str](), list[str]()
    for module, names in (
        ("engines.language.architecture", ["LanguageModel"]),
        ("engines.language.layout", ["make_layout"]),
        ("engines.orthogonal", ["orthogonal"]),
        ("engines.language.initialization", ["initial_parameters"]),
        ("pytorch.models.language_model", ["Language", "loaded"]),
    ):
        more, others = excerpt(module, names)
        imports, definitions = imports | more, definitions + others
    slots = {
        "said": f"{model.blocks} block{'s' * (model.blocks > 1)}, {FORMULAS[model.skip]}",
        "blocks": model.blocks,
        "skip": model.skip,
        "attention": model.attention,
        "norm": model.norm,
        "initialization": model.initialization,
        "seed": seed,
        "steps": steps,
        "rate": recipe.learning_rate,
        "warmup": recipe.warmup,
        "batch": recipe.batch,
        "decay": recipe.decay,
        "clip": recipe.clip,
        "temperature": temperature,
    }
    head, body = (Template(template.strip()).substitute(slots) for template in (HEAD, TRAIN))
    return f"{head}\n\n{import_lines(imports | IMPORTS)}\n\n\n" + "\n\n\n".join([*definitions, body]) + "\n"
