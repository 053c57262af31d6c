"""What a server does in the background: it shows numbers when they are computed, and loads what readers need."""

import asyncio
import gc
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tornado.web import Application

from app.pages.files.sources import Sources
from app.server import serving
from app.server.builders.process_group import ProcessGroup
from sims import registry
from sims.kept import processes, provenance, results
from tests.server.builders.test_build_process import end
from tests.server.builders.test_site import BUILD, site_of


@pytest.mark.parametrize(("stopped", "starts"), [(False, 1), (True, 0)])
def test_pages_are_built_again_when_their_numbers_are_computed(
    stopped: bool, starts: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[int] = []
    monkeypatch.setattr(serving.SITE, "start", lambda: started.append(1))
    monkeypatch.setattr(serving, "scheduler", None if stopped else object())
    asyncio.run(serving.show_numbers(ProcessGroup([sys.executable, "-c", ""], tmp_path)))
    assert len(started) == starts


def test_numbers_that_come_while_a_build_compiles_kernels_reach_the_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))
    monkeypatch.setattr(Sources, "names", lambda self: ["home"])
    monkeypatch.setattr(Sources, "slugs", lambda self: ["home"])
    monkeypatch.setattr(Sources, "version", lambda self: "v1")
    monkeypatch.setattr(serving, "scheduler", object())
    site = site_of(BUILD)
    monkeypatch.setattr(serving, "SITE", site)

    async def story() -> None:
        # With one thread, `show_numbers` goes on before this story does when the process has ended.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        site.start()
        assert (await site.page("home")).html == "home of v1"
        monkeypatch.setattr(Sources, "version", lambda self: "v2")
        group = ProcessGroup([sys.executable, "-c", ""], tmp_path)
        shown = asyncio.create_task(serving.show_numbers(group))
        await asyncio.sleep(0)
        await asyncio.to_thread(group.wait)
        await end(site.build)
        await shown
        assert site.build.running
        await site.build.wait("version v2")
        await site.build.wait("page home")
        assert (await site.page("home")).html == "home of v2"
        await end(site.build)

    asyncio.run(story())


def test_no_reader_waits_until_the_code_of_a_figure_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "load_instant", lambda: None)
    serving.load()
    before = provenance.here().version.cache_info()
    for kind in map(registry.find, registry.names()):
        results.code_of(kind)
    after = provenance.here().version.cache_info()
    assert after.misses == before.misses
    assert after.hits == before.hits + len(registry.names())


@pytest.mark.parametrize(("sessions", "freezes"), [(0, 1), (serving.FEW, 1), (serving.FEW + 1, 0)])
def test_what_is_loaded_is_not_looked_through_when_sessions_end(
    sessions: int, freezes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    monkeypatch.setattr(gc, "collect", lambda: calls.append("collect"))
    monkeypatch.setattr(gc, "freeze", lambda: calls.append("freeze"))
    monkeypatch.setattr(serving, "LIVE", dict.fromkeys(map(str, range(sessions)), object()))
    before = gc.get_threshold()
    try:
        serving.settle()
        assert gc.get_threshold() == processes.USUAL
    finally:
        gc.set_threshold(*before)
    assert calls == ["collect", *["freeze"] * freezes]


@pytest.mark.parametrize("processes", [0, 2, None])
def test_more_processes_are_refused_with_a_reason(processes: int | None) -> None:
    with pytest.raises(SystemExit, match="--num-procs must be 1"):
        serving.listen(Application()).start(processes)


def test_an_option_without_effect_names_the_setting(caplog: pytest.LogCaptureFixture) -> None:
    application = Application()
    application.websocket_origins = {"localhost:5006"}
    serving.listen(application)
    assert not caplog.text
    application.websocket_origins = {"example.org:80"}
    serving.listen(application)
    assert "example.org:80 has no effect: set SKIP_ORIGINS" in caplog.text
