"""Kernels for browsers are built once for each version of the code, and served as long as somebody uses them."""

import fcntl
import gzip
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sims.engines.wasm.building import examples
from sims.kept import browser_kernels


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))


@pytest.fixture
def none_shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser_kernels, "SHIPPED", tmp_path / "shipped")


def test_those_stored_with_the_code_are_of_todays_code() -> None:
    assert browser_kernels.shipped() is not None, "the code of the kernels has changed: run `make kernels`"


@pytest.mark.exhaustive
def test_those_stored_with_the_code_are_what_the_compiler_makes() -> None:
    assert browser_kernels.shipped() == browser_kernels.compiled()


def test_those_stored_with_the_code_are_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser_kernels, "compiled", None)  # fails if it is called
    monkeypatch.setattr(browser_kernels.processes, "done", lambda work, names: [("", {"proof.json": b"{}"})])
    version = browser_kernels.build()
    modules, engines = browser_kernels.shipped() or ({}, {})
    assert set(engines) == set(browser_kernels.ENGINES)
    for name, module in modules.items():
        assert gzip.decompress(browser_kernels.read(version, name) or b"") == module
    description = json.loads(gzip.decompress(browser_kernels.read(version, browser_kernels.DESCRIPTION) or b""))
    assert description == {"version": version, "engines": engines}


@pytest.mark.usefixtures("none_shipped")
def test_they_are_compiled_again_for_other_code(monkeypatch: pytest.MonkeyPatch) -> None:
    made = {"language-plain.wasm": b"\0asm"}, {name: {"data": 1} for name in browser_kernels.ENGINES}
    monkeypatch.setattr(browser_kernels, "compiled", lambda: made)
    monkeypatch.setattr(browser_kernels, "modules_key", lambda: "before")
    browser_kernels.ship()
    assert browser_kernels.shipped() == made
    monkeypatch.setattr(browser_kernels, "modules_key", lambda: "after")
    assert browser_kernels.shipped() is None


@pytest.mark.usefixtures("none_shipped")
def test_they_are_built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[Any] = []

    def done(work: Callable[[str], Any], names: Iterable[str]) -> Iterator[tuple[str, Any]]:
        built.append(work)
        for name in names:
            if name in browser_kernels.ENGINES:
                yield name, ({f"{name}.wasm": b"\0asm"}, {"data": len(name)})
            else:
                yield name, {"proof.json": b"{}", "proof.bin": b"1"} if len(built) == 3 else {"data.json": b"[]"}

    monkeypatch.setattr(browser_kernels.processes, "done", done)
    version = browser_kernels.build()
    assert version == browser_kernels.key()
    assert browser_kernels.complete(version)
    assert gzip.decompress(browser_kernels.read(version, "language.wasm") or b"") == b"\0asm"
    description = json.loads(gzip.decompress(browser_kernels.read(version, "description.json") or b""))
    assert description == {
        "version": version,
        "engines": {name: {"data": len(name)} for name in browser_kernels.ENGINES},
    }
    assert browser_kernels.read(version, "b.wasm") is None
    assert browser_kernels.build() == version
    assert len(built) == 3


def test_every_engine_is_built() -> None:
    assert set(examples()) == set(browser_kernels.ENGINES)


@pytest.mark.usefixtures("none_shipped")
def test_a_second_process_waits_and_finds_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def done(work: Callable[[str], Any], names: Iterable[str]) -> Iterator[tuple[str, Any]]:
        del work
        with (tmp_path / "wasm.lock").open() as other, pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for name in names:
            yield name, ({}, {}) if name in browser_kernels.ENGINES else {"proof.json": b"{}"}

    monkeypatch.setattr(browser_kernels.processes, "done", done)
    version = browser_kernels.build()
    answers = iter([False, True])
    monkeypatch.setattr(browser_kernels, "complete", lambda _name: next(answers))
    monkeypatch.setattr(browser_kernels.processes, "done", None)  # fails if it is called
    assert browser_kernels.build() == version


@pytest.mark.usefixtures("none_shipped")
def test_what_runs_the_kernels_waits_for_the_process_that_compiles_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    held = []

    def done(work: Callable[[str], Any], names: Iterable[str]) -> Iterator[tuple[str, Any]]:
        del work
        with (tmp_path / "engine.lock").open("a") as other:
            try:
                fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
                held.append(False)
            except BlockingIOError:
                held.append(True)
        for name in names:
            yield name, ({}, {}) if name in browser_kernels.ENGINES else {"proof.json": b"{}"}

    monkeypatch.setattr(browser_kernels.processes, "done", done)
    browser_kernels.build()
    assert held == [False, True, True]


def test_other_versions_go_after_a_week(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(browser_kernels, "complete", lambda name: True)
    folders = {name: tmp_path / "wasm" / name for name in ("recent", "old", browser_kernels.key())}
    for folder in folders.values():
        folder.mkdir(parents=True)
    os.utime(folders["old"], (time.time() - 8 * 24 * 3600,) * 2)
    browser_kernels.build()
    assert {folder.name for folder in (tmp_path / "wasm").iterdir()} == {"recent", browser_kernels.key()}
