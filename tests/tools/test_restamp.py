"""What an earlier commit made gets today's version where nothing that can move it has changed since."""

import shutil
import subprocess
from pathlib import Path

import pytest

from sims.kept.book import NumberStore, spelled
from sims.kept.provenance import version
from sims.numbers.worked_examples.worked import batch_norm_gain, default_block_gain
from sims.paths import ROOT
from tools import restamp

NO_TEXTS = frozenset[str]()
TRAINED = ("sims.simulations.depth.degradation", "training_error", NO_TEXTS)
FAILED = ("sims.simulations.depth.failures", "training_error", NO_TEXTS)
NOWHERE = ("sims.simulations.depth.degradation", "no_such_function", NO_TEXTS)


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`sims` as it may have been: with another rule for versions, and with a constant that one example depends on."""
    folder = tmp_path_factory.mktemp("earlier")
    shutil.copytree(ROOT / "sims", folder / "sims", ignore=shutil.ignore_patterns("__pycache__"))
    for file, old, new in (
        ("kept/provenance.py", "ROUNDS = 4", "ROUNDS = 5"),
        ("instruments/gradients/gradient_ratio.py", "LEVEL = (0.1, 10.0)", "LEVEL = (0.2, 10.0)"),
        ("contract/usual_parameters.py", '9_999), label="', '9_999), label="Not '),
    ):
        path = folder / "sims" / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
    return folder


def test_a_version_is_renewed_where_the_code_is_the_same(earlier: Path) -> None:
    versions = restamp.renewed_versions(earlier, [TRAINED, FAILED, NOWHERE])
    assert set(versions) == {TRAINED}
    its_own, today = versions[TRAINED]
    assert today == version(*TRAINED[:2], texts=NO_TEXTS)
    assert its_own != today


def test_a_module_is_found_where_it_was_earlier(tmp_path: Path) -> None:
    (tmp_path / "sims" / "flat").mkdir(parents=True)
    (tmp_path / "sims" / "flat" / "degradation.py").write_text("")
    assert restamp.earlier_module(tmp_path, TRAINED[0]) == "sims.flat.degradation"
    assert restamp.earlier_module(tmp_path, FAILED[0]) == FAILED[0]
    (tmp_path / "sims" / "degradation.py").write_text("")
    assert restamp.earlier_module(tmp_path, TRAINED[0]) == TRAINED[0]


def test_only_numbers_of_the_earlier_version_are_renewed(tmp_path: Path) -> None:
    book = NumberStore(tmp_path / "numbers.json")
    earlier, stale, other = (
        spelled(batch_norm_gain, {}),
        spelled(batch_norm_gain, {"n": 2}),
        spelled(default_block_gain, {}),
    )
    book.keep({earlier: (1.5, "earlier"), stale: (2.5, "even earlier"), other: (3.5, "earlier")})
    versions = {("sims.numbers.worked_examples.worked", "batch_norm_gain", NO_TEXTS): ("earlier", "today")}
    assert restamp.renew_numbers(book, versions) == 1
    entries = NumberStore(book.path).entries
    assert {call: (entry.value, entry.code) for call, entry in entries.items()} == {
        earlier: (1.5, "today"),
        stale: (2.5, "even earlier"),
        other: (3.5, "earlier"),
    }


def test_only_runs_of_the_earlier_version_are_renewed(tmp_path: Path) -> None:
    for name in ("Degradation-0123.earlier.npz", "Degradation-4567.other.npz", "Failures-0123.earlier.npz"):
        (tmp_path / name).write_bytes(name.encode())
    versions = {("sims.simulations.depth.degradation", "Degradation", None): ("earlier", "today")}
    assert restamp.renew_runs(tmp_path, versions) == 1
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "Degradation-0123.today.npz": "Degradation-0123.earlier.npz",
        "Degradation-4567.other.npz": "Degradation-4567.other.npz",
        "Failures-0123.earlier.npz": "Failures-0123.earlier.npz",
    }


def test_a_commit_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        restamp.check_out("no-such-commit", tmp_path)
