"""The version of a result changes with the code that it reaches, and with nothing else."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sims.kept import provenance
from sims.kept.provenance import REST, reached, version

TRAINED = ("sims.simulations.degradation", "training_error")
FAILED = ("sims.simulations.failures", "training_error")
ALGEBRA = ("sims.numbers.worked", "batch_norm_gain")
EXAMPLES = (TRAINED, FAILED, ALGEBRA, ("sims.simulations.landscape", "Landscape"), ("sims.numbers.race", "finishers"))

Edit = Callable[[str, str, str], None]


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Edit]:
    """A copy of `sims` that the test may change; the versions are those of the copy."""
    root = tmp_path / "sims"
    shutil.copytree(provenance.ROOT, root, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(provenance, "ROOT", root)
    monkeypatch.setattr(provenance, "FILES", root / "data" / "files")
    provenance.forget()

    def edit(file: str, old: str, new: str) -> None:
        path = root / file
        text = path.read_text()
        assert text.count(old) == 1, file
        path.write_text(text.replace(old, new))
        provenance.forget()

    yield edit
    provenance.forget()


def versions() -> dict[tuple[str, str], str]:
    return {each: version(*each) for each in EXAMPLES}


def changed(before: dict[tuple[str, str], str]) -> set[tuple[str, str]]:
    return {each for each, known in before.items() if version(*each) != known}


def test_what_is_named_is_reached_through_packages_and_methods() -> None:
    found = reached(*TRAINED)
    assert {
        ("sims.simulations.degradation", "Degradation"),
        ("sims.engines.perceptrons.engine", "advance"),
        ("sims.engines.perceptrons.kernels.backward", "backward"),
        ("sims.engines.kernels.activations", REST),
        ("sims.data.datasets", "Source"),
    } <= found
    assert not [module for module, _ in found if module.startswith(("sims.kept", "sims.registry", "sims.pytorch"))]
    assert {module for module, _ in reached(*ALGEBRA)} <= {"sims.numbers.worked", "sims.contract.calculation"}


def test_a_version_is_short_and_stable(copied: Edit) -> None:
    before = versions()
    assert all(len(each) == 12 for each in before.values())
    provenance.forget()
    assert changed(before) == set()
    with pytest.raises(KeyError, match="defines no nothing"):
        version("sims.simulations.degradation", "nothing")


def test_comments_docstrings_and_layout_orphan_nothing(copied: Edit) -> None:
    before = versions()
    for path in provenance.ROOT.rglob("*.py"):
        text = path.read_text()
        path.write_text(f"# A comment.\n\n{text}\n\n# The end.\n")
    provenance.forget()
    copied("simulations/degradation.py", '"""Degradation: ', '"""Another docstring: ')
    assert changed(before) == set()


def test_words_about_numbers_orphan_nothing(copied: Edit) -> None:
    before = versions()
    copied("simulations/degradation.py", "    def describe(", "    def describe(  # words\n        ")
    copied(
        "simulations/degradation.py",
        "def honesty(self) -> Honesty:\n",
        "def honesty(self) -> Honesty:\n        1 + 1\n",
    )
    assert changed(before) == set()


def test_a_constant_orphans_exactly_what_depends_on_it(copied: Edit) -> None:
    before = versions()
    copied("instruments/gradient_ratio.py", "LEVEL = (0.1, 10.0)", "LEVEL = (0.2, 10.0)")
    assert changed(before) == {FAILED, ("sims.numbers.race", "finishers")}


def test_a_kernel_orphans_all_that_trains(copied: Edit) -> None:
    before = versions()
    copied(
        "engines/kernels/losses.py",
        "def _cross_entropy(outputs: Array, labels: Array, differentiates: bool) -> float:\n",
        "def _cross_entropy(outputs: Array, labels: Array, differentiates: bool) -> float:\n    outputs += 0\n",
    )
    assert changed(before) == set(EXAMPLES) - {ALGEBRA}


def test_what_only_a_decorator_files_counts(copied: Edit) -> None:
    before = versions()
    copied(
        "engines/kernels/activations.py",
        "def _tanh(x: Any) -> Callable[[Any], Any]:\n",
        "def _tanh(x: Any) -> Callable[[Any], Any]:\n    assert x\n",
    )
    assert TRAINED in changed(before)
    assert ALGEBRA not in changed(before)


def test_data_belongs_to_what_names_it(copied: Edit) -> None:
    before = versions()
    with (provenance.FILES / "published.toml").open("a") as file:
        file.write("# more\n")
    provenance.forget()
    assert changed(before) == set()
    with (provenance.FILES / "digits.npz").open("ab") as file:
        file.write(b"more")
    provenance.forget()
    assert TRAINED in changed(before)
    assert ALGEBRA not in changed(before)


def test_what_was_added_from_elsewhere_has_a_version_too() -> None:
    assert len(version(__name__, "versions")) == 12
