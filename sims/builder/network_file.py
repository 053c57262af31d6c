"""A run of the trainer as a whole file of PyTorch: our own source, with a reader's choices filled in."""

from functools import lru_cache

from sims.builder.excerpt import excerpt, import_lines
from sims.data.datasets import Source
from sims.engines.perceptrons.architecture import Architecture
from sims.engines.recipe import Recipe

DIGITS = '''def digit_images() -> tuple[np.ndarray, np.ndarray]:
    """Pixels (1797, 8, 8) from 0 to 16 and labels (1797,) of the handwritten digits."""
    digits = load_digits()
    return digits.images, digits.target'''


@lru_cache(maxsize=64)
def network_file(architecture: Architecture, recipe: Recipe, source: Source, seeds: range, steps: int) -> str:
    """The text of a file that trains that network on that data, once for every seed, and needs nothing of ours.

    It takes torch and numpy, and scikit-learn for the digits.
    """
    known = {"architecture": architecture, "recipe": recipe}
    imports, definitions = excerpt("data.datasets", [source.name], given={"digit_images": DIGITS})
    if DIGITS in definitions:
        imports |= {"from sklearn.datasets import load_digits"}
    more, functions = excerpt("pytorch.readable_training", ["start", "train", "judged"], known)
    parts = definitions + [each for each in functions if each not in definitions]
    return "\n\n".join(
        [
            '"""' + _head(architecture, steps) + '\n"""',
            import_lines(imports | more),
            *(f"\n{each}" for each in parts),
            _main(source, seeds, steps),
        ]
    )


def _head(architecture: Architecture, steps: int) -> str:
    said = f"{architecture.depth} linear layers of width {architecture.width}, trained for {steps} steps."
    return f"{said}\n\nFor the same seed it begins with the same weights and sees the same batches as on the page."


def _main(source: Source, seeds: range, steps: int) -> str:
    arguments = ", ".join(f"{name}={value!r}" for name, value in source.arguments)
    lines = [
        '\nif __name__ == "__main__":',
        f"    data = {source.name}({arguments})",
        f"    for seed in range({seeds.start}, {seeds.stop}):",
        "        model = start(data, seed)",
        f"        train(model, data, seed, {steps})",
        "        loss, error = judged(model, data)",
        '        print(f"seed {seed}: training loss {loss:.3g}, training error {error:.1%}")',
    ]
    return "\n".join(lines) + "\n"
