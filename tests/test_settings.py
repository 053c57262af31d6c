"""Settings are read in one place, and each of them is documented."""

import re

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
    for name in ("OPENINGS", "ROOMS", "SESSIONS", "ORIGINS", "RUNS", "WORKERS"):
        monkeypatch.setenv(f"SKIP_{name}", "")
    assert (settings.openings(), settings.rooms(), settings.sessions()) == (5, 50, 200)
    assert settings.origins() == []
    assert settings.runs_folder() is None
    assert settings.workers() >= 1


def test_hosts_and_sites_are_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIP_ORIGINS", "one.example.org, other.example.org,")
    monkeypatch.setenv("SKIP_FRAMED_BY", "https://one.example.org, *.example.edu")
    assert settings.origins() == ["one.example.org", "other.example.org"]
    assert settings.framed_by() == ["https://one.example.org", "*.example.edu"]
