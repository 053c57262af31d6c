"""Writes a race of one ancestor as a whole PyTorch file: a template, with data and blocks copied from our source."""

from functools import lru_cache
from string import Template

from sims.builder.excerpt import excerpt, import_lines
from sims.builder.network_file import DIGITS
from sims.data.datasets import Source

IMPORTS = {"import numpy as np", "import torch"}

HEAD = '''"""$blocks blocks, wired as in $year: $label.

$said
For the same seed it begins with the same weights and sees the same batches as on the page.
To race a block of your own, give it a name of its own in `initial_weights`, and a case in `_blocks`.
"""'''

RACE = '''
def race(kind: str, blocks: int, seeds: list[int], steps: int) -> torch.Tensor:
    """(seeds,) the share of training points that are wrong after that many steps of Adam."""
    data = $data
    points, labels = torch.tensor(data.train_inputs), torch.tensor(data.train_labels)
    starts = [initial_weights(kind, seed, blocks, $width, data.features, data.classes) for seed in seeds]
    stack = AncestorStack(kind, {name: torch.stack([start[name] for start in starts]) for name in starts[0]})
    optimizer = torch.optim.Adam(stack.parameters(), $rate)
    per_pass = len(labels) // $batch
    for step in range(steps):
        over, place = divmod(step, per_pass)
        orders = [np.random.default_rng((seed, 1, over)).permutation(len(labels)) for seed in seeds]
        chosen = torch.from_numpy(np.stack(orders)[:, place * $batch : (place + 1) * $batch])
        optimizer.zero_grad()
        losses(stack(points[chosen]), labels[chosen]).sum().backward()
        optimizer.step()
    with torch.no_grad():
        answers = stack(points.expand(len(seeds), -1, -1).contiguous())
    return (answers.argmax(dim=2) != labels).float().mean(dim=1)


if __name__ == "__main__":
    for seed, wrong in zip($seeds, race("$kind", $blocks, $seeds, $steps).tolist(), strict=True):
        print(f"seed {seed}: {wrong:.1%} of the training points wrong")
'''


@lru_cache(maxsize=64)
def ancestor_file(
    kind: str,
    words: tuple[int, str, str],
    source: Source,
    blocks: int,
    width: int,
    batch: int,
    learning_rate: float,
    seeds: range,
    steps: int,
) -> str:
    """Return the text of a file that trains networks of one ancestor, without any code of this site.

    `words` are the ancestor's year, its label and its idea in a sentence. The file needs torch and numpy, and
    scikit-learn for the digits.
    """
    year, label, idea = words
    imports, definitions = excerpt("data.datasets", [source.name], without=["digit_images"])
    if "digit_images(" in "\n".join(definitions):
        imports, definitions = imports | {"from sklearn.datasets import load_digits"}, [DIGITS, *definitions]
    for module, names in (
        ("engines.deep_norm", ["skip_factor", "start_factor"]),
        ("pytorch.models.ancestors", ["AncestorStack", "initial_weights", "losses"]),
    ):
        more, others = excerpt(module, names)
        imports, definitions = imports | more, definitions + others
    slots = {
        "kind": kind,
        "year": year,
        "label": label,
        "said": idea,
        "blocks": blocks,
        "data": f"{source.name}()",
        "width": width,
        "batch": batch,
        "rate": learning_rate,
        "seeds": list(seeds),
        "steps": steps,
    }
    head, body = (Template(template.strip()).substitute(slots) for template in (HEAD, RACE))
    return f"{head}\n\n{import_lines(imports | IMPORTS)}\n\n\n" + "\n\n\n".join([*definitions, body]) + "\n"
