"""Compiled kernels are found again, on a disk that can be written and on one that cannot, and nobody else's are run."""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from numba import config

from sims.engines.kernels import compiled
from sims.engines.perceptrons.kernels import steps

KERNEL = '''"""A kernel."""

from sims.engines.kernels.compiled import compiled


@compiled
def twice(number: float) -> float:
    return 2 * number
'''


def fingerprint_of(folder: Path, source: str) -> str:
    path = folder / "engine" / "kernels" / "steps.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)
    return compiled.fingerprint(folder)


def test_comments_and_docstrings_leave_the_fingerprint_as_it_is(tmp_path: Path) -> None:
    before = fingerprint_of(tmp_path, KERNEL)
    commented = KERNEL.replace("A kernel.", "One kernel.").replace(
        "    return", '    """Twice."""\n    # So fast.\n    return'
    )
    assert commented != KERNEL
    assert fingerprint_of(tmp_path, commented) == before


@pytest.mark.parametrize(("old", "new"), [("2 * number", "3 * number"), ("@compiled\n", "")])
def test_code_changes_the_fingerprint(old: str, new: str, tmp_path: Path) -> None:
    before = fingerprint_of(tmp_path, KERNEL)
    assert fingerprint_of(tmp_path, KERNEL.replace(old, new)) != before


def test_so_does_a_file_of_another_name(tmp_path: Path) -> None:
    before = fingerprint_of(tmp_path, KERNEL)
    kernels = tmp_path / "engine" / "kernels"
    (kernels / "steps.py").rename(kernels / "paces.py")
    assert compiled.fingerprint(tmp_path) != before


@pytest.mark.parametrize(("name", "value"), [("CPU_NAME", "another"), ("CPU_FEATURES", "+another")])
def test_and_so_does_another_processor(name: str, value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint_of(tmp_path, KERNEL)
    monkeypatch.setattr(config, name, value)
    assert compiled.fingerprint(tmp_path) != before


@pytest.mark.parametrize("package", ["numba", "llvmlite"])
def test_and_another_compiler(package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint_of(tmp_path, KERNEL)
    monkeypatch.setattr(getattr(compiled, package), "__version__", "another")
    assert compiled.fingerprint(tmp_path) != before


def test_a_folder_that_can_be_written_is_used_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "kernels-1"
    assert compiled.writable(folder) == folder
    assert folder.is_dir()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the temporary files, which all users share."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_a_folder_that_cannot_be_written_is_copied(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "kernels-2"
    folder.mkdir()
    (folder / "index").write_text("kept")
    monkeypatch.setattr(os, "access", lambda *_: False)
    copy = compiled.writable(folder)
    assert copy.is_relative_to(temporary)
    assert (copy / "index").read_text() == "kept"
    assert compiled.writable(folder) == copy
    assert [path.name for path in copy.parent.iterdir()] == ["kernels-2"]


def test_the_copy_lies_where_only_this_user_can_write(temporary: Path) -> None:
    folder = compiled.private()
    assert folder.is_relative_to(temporary)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert compiled.private() == folder


def test_a_folder_that_others_may_write_to_is_not_taken(temporary: Path) -> None:
    planted = compiled.private()
    planted.chmod(0o777)
    folder = compiled.private()
    assert folder != planted
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_of_another_user_is_not_taken(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    me = os.getuid()
    planted = temporary / f"skip-connections-{me + 1}"
    planted.mkdir(mode=0o700)
    monkeypatch.setattr(os, "getuid", lambda: me + 1)
    assert compiled.private() != planted


def test_a_link_is_not_followed(temporary: Path) -> None:
    mine = compiled.private()
    target = temporary / "target"
    mine.rename(target)
    mine.symlink_to(target)
    assert compiled.private() not in (mine, target)


def test_folders_of_old_code_are_removed_after_a_week_without_a_start(tmp_path: Path) -> None:
    now, old, recent, stranger = (tmp_path / name for name in ("kernels-now", "kernels-old", "kernels-new", "other"))
    long_ago = time.time() - compiled.WEEK - 60
    for folder in (now, old, recent, stranger):
        folder.mkdir()
        (folder / "index").write_text("kept")
    for folder in (now, old, stranger):
        os.utime(folder, (long_ago, long_ago))
    compiled.renew(now)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kernels-new", "kernels-now", "other"]
    compiled.renew(recent)
    assert now.is_dir()


def test_every_state_of_the_sources_has_a_folder_of_its_own() -> None:
    path = Path(steps.run._cache.cache_path)
    assert path.parent.name == f"kernels-{compiled.fingerprint()}"
    assert path.name == "perceptrons.kernels"


def test_a_copy_of_the_sources_elsewhere_has_the_same_fingerprint(tmp_path: Path) -> None:
    shutil.copytree(compiled.FOLDER.parent, tmp_path, dirs_exist_ok=True)
    assert compiled.fingerprint(tmp_path) == compiled.fingerprint()


def test_numba_compiles_engines_at_its_first_level_unless_another_is_asked_for() -> None:
    program = "from sims.engines.kernels import compiled; print(int(compiled.config.OPT))"
    chosen = {name: value for name, value in os.environ.items() if name != "NUMBA_OPT"}
    for environment, level in ((chosen, 1), (chosen | {"NUMBA_OPT": "3"}, 3)):
        command = [sys.executable, "-c", program]
        assert int(subprocess.check_output(command, env=environment, cwd=compiled.FOLDER.parents[2])) == level
