"""Settings are read in one place, and each of them is documented."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from app import settings
from sims.paths import ROOT

SETTING = re.compile(r"\bSKIP_[A-Z_]+\b")


def test_no_other_module_reads_the_environment_for_them() -> None:
    places = {
        str(path.relative_to(ROOT))
        for wing in ("app", "sims")
        for path in (ROOT / wing).rglob("*.py")
        if re.search(r"""(environ\.get\(|getenv\(|_text\()["']SKIP_""", path.read_text(encoding="utf-8"))
    }
    assert places == {"app/settings.py", "sims/paths.py"}


@pytest.mark.parametrize("page", ["architecture.md", "operations.md"])
def test_each_is_documented(page: str) -> None:
    documented = set(SETTING.findall((ROOT / "docs" / page).read_text(encoding="utf-8")))
    source = (ROOT / "app" / "settings.py").read_text(encoding="utf-8")
    assert set(SETTING.findall(source)) - {"SKIP_LIVE", "SKIP_WRITE"} <= documented


def test_an_empty_setting_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENINGS", "ROOMS", "SESSIONS", "ORIGINS", "RUNS", "WORKERS", "TRAIN", "FRAMED_BY", "AHEAD"):
        monkeypatch.setenv(f"SKIP_{name}", "")
    assert (settings.openings(), settings.rooms(), settings.sessions()) == (5, 50, 200)
    assert settings.origins() == settings.framed_by() == []
    assert settings.runs_folder() is None
    assert (settings.training(), settings.ahead()) == ("auto", True)
    assert settings.workers() == settings.usable_cores()


def test_hosts_and_sites_are_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIP_ORIGINS", "one.example.org, other.example.org,")
    monkeypatch.setenv("SKIP_FRAMED_BY", "https://one.example.org, *.example.edu")
    assert settings.origins() == ["one.example.org", "other.example.org"]
    assert settings.framed_by() == ["https://one.example.org", "*.example.edu"]


def cores(folder: Path, membership: str, files: Mapping[str, str]) -> int:
    """The usable cores of a process with these cgroups, in a folder with these files."""
    (folder / "membership").write_text(membership, encoding="utf-8")
    for name, text in files.items():
        path = folder / "mounted" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return settings.usable_cores(folder / "membership", folder / "mounted")


CONTAINER_2 = "0::/\n"
SERVICE = "0::/system.slice/skip.service\n"
CONTAINER_1 = "5:memory:/docker/f16\n4:cpu,cpuacct:/docker/f16\n0::/\n"


@pytest.mark.parametrize(
    ("membership", "files", "expected"),
    [
        (CONTAINER_2, {"cpu.max": "200000 100000\n"}, 2),
        (CONTAINER_2, {"cpu.max": "150000 100000\n"}, 2),
        (CONTAINER_2, {"cpu.max": "20000 100000\n"}, 1),
        (CONTAINER_2, {"cpu.max": "max 100000\n"}, 64),
        (CONTAINER_2, {"cpu.max": "12800000 100000\n"}, 64),
        (SERVICE, {"system.slice/skip.service/cpu.max": "max 100000", "system.slice/cpu.max": "300000 100000"}, 3),
        (CONTAINER_1, {"cpu/cpu.cfs_quota_us": "250000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 3),
        (CONTAINER_1, {"cpu/docker/f16/cpu.cfs_quota_us": "50000", "cpu/docker/f16/cpu.cfs_period_us": "50000"}, 1),
        (CONTAINER_1, {"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, 64),
        (CONTAINER_1, {"memory/cpu.max": "100000 100000"}, 64),
        ("", {}, 64),
    ],
)
def test_a_quota_limits_the_cores(
    membership: str, files: Mapping[str, str], expected: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(64)), raising=False)
    assert cores(tmp_path, membership, files) == expected


def test_so_does_affinity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {3, 5}, raising=False)
    assert settings.usable_cores(tmp_path / "none", tmp_path) == 2
    monkeypatch.delattr(os, "sched_getaffinity")
    assert settings.usable_cores(tmp_path / "none", tmp_path) == 64
