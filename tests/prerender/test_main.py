"""The command that builds: it ends with its input, watches files, and says what to do where nothing can be written."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace

import pytest

from app.prerender import __main__ as command
from app.prerender import states
from sims.kept import browser_kernels as kernels
from sims.paths import ROOT


class Stub:
    """A build of a few items that notes what is done."""

    def __init__(self, *items: str) -> None:
        self.todo = dict.fromkeys(items)
        self.done: list[str] = []
        self.complaints: dict[str, str] = {}
        self.places: dict[str, object] = {}
        self.examples: dict[str, object] = {}
        self.builder = SimpleNamespace(sources=SimpleNamespace(code=lambda: "code"))

    def step(self) -> None:
        self.done.append(self.todo.popitem()[0])

    def first(self, item: str) -> None:
        self.done.append(f"first {item}")

    def renew(self, saved: set[Path]) -> None:
        self.todo = {path.name: None for path in saved}


def test_requests_come_before_the_next_item_and_the_build_ends_with_its_input(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    build = Stub()
    monkeypatch.setattr(sys, "stdin", iter(["page one\n", "page two\n"]))
    with pytest.raises(SystemExit):
        command.make(build, requests=True, watch=True)  # type: ignore[arg-type]
    assert build.done == ["first page one", "first page two"]


def test_a_saved_file_is_built_when_the_rest_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    build = Stub("page one")

    def changes(_build: object, events: command.Events) -> None:
        events.put(partial(command.renew, build, {Path("arena.md")}))  # type: ignore[arg-type]
        events.put(sys.exit)

    monkeypatch.setattr(command, "watch_files", changes)
    with pytest.raises(SystemExit):
        command.make(build, requests=False, watch=True)  # type: ignore[arg-type]
    assert set(build.todo) | set(build.done) >= {"arena.md"}


def test_other_code_is_run_by_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    build, started = Stub(), []
    codes = iter(["old", "new"])
    build.builder.sources.code = lambda: next(codes)
    monkeypatch.setattr(os, "execv", lambda *arguments: started.append(arguments))
    command.renew(build, {Path("page.py")})  # type: ignore[arg-type]
    assert started[0][1][:3] == [sys.executable, "-m", "app.prerender"]


def test_a_file_that_vanishes_while_it_is_saved_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    build = Stub()
    monkeypatch.setattr(build, "renew", lambda saved: Path("/nowhere/at/all").read_bytes())
    command.renew(build, set())  # type: ignore[arg-type]


def test_changes_on_the_disk_are_events(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    events: command.Events = SimpleQueue()
    build = Stub()
    monkeypatch.setattr("watchfiles.watch", lambda *paths: iter([{(1, str(tmp_path / "a.md"))}]))
    command.watch_files(build, events)  # type: ignore[arg-type]
    events.get()()
    assert build.todo == {"a.md": None}


@pytest.mark.parametrize(
    ("stage", "steps"),
    [
        ("pages", []),
        ("pictures", ["kernels"]),
        ("tables", ["train", "tables", "bind", "kernels"]),
        ("states", ["train", "tables", "atlas", "bind", "kernels"]),
    ],
)
def test_later_stages_are_left_out(
    stage: str, steps: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))
    done: list[str] = []
    pictures: list[bool] = []

    def build(pictures_too: bool) -> Stub:
        pictures.append(pictures_too)
        return Stub("page home")

    monkeypatch.setattr(command, "Build", lambda pictures, say: build(pictures))
    for name in ("train", "tables", "atlas", "bind"):
        monkeypatch.setattr(states, name, lambda _every, name=name: done.append(name))
    monkeypatch.setattr(kernels, "build", lambda: done.append("kernels"))
    with pytest.raises(SystemExit) as ended:
        command.main(["--until", stage])
    assert (done, pictures, ended.value.code) == (steps, [stage != "pages"], False)


def test_a_page_that_is_wrong_fails_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    build = Stub()
    build.complaints["page arena"] = "wrong"
    monkeypatch.setattr(command, "Build", lambda pictures, say: build)
    with pytest.raises(SystemExit) as ended:
        command.main(["--until", "pages"])
    assert ended.value.code is True


def test_a_disk_that_cannot_be_written_is_reported_with_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path / "file"))
    with pytest.raises(SystemExit):
        command.main(["--until", "pages"])
    said = capsys.readouterr().out.splitlines()[-1]
    assert said.startswith(f"failed {tmp_path / 'file'} cannot be written: ")
    assert "SKIP_CACHE" in said


@pytest.mark.exhaustive
def test_a_real_build_starts_with_home_and_goes_on_with_a_request(tmp_path: Path) -> None:
    environment = {**os.environ, "SKIP_CACHE": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-m", "app.prerender", "--until", "pictures", "--requests"],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        lines = [process.stdout.readline().strip() for _ in range(2)]
        assert lines[1] == "page home"
        process.stdin.write("page glossary\n")
        process.stdin.flush()
        assert "page glossary\n" in iter(process.stdout.readline, "")
        process.stdin.close()
        assert process.wait(120) == 0
    (folder,) = (tmp_path / "pages").iterdir()
    assert lines[0] == f"version {folder.name}"
    assert (folder / "glossary.json").is_file()
    assert not (folder / "references.json").is_file()
