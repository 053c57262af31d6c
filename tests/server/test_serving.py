"""Numbers that were computed in the background are shown, unless the server stops meanwhile."""

import asyncio
import sys
from pathlib import Path

import pytest

from app.server import serving
from app.server.builders.process_group import ProcessGroup


@pytest.mark.parametrize(("stopped", "starts"), [(False, 1), (True, 0)])
def test_pages_are_built_again_when_their_numbers_are_computed(
    stopped: bool, starts: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[int] = []
    monkeypatch.setattr(serving.SITE, "start", lambda: started.append(1))
    monkeypatch.setattr(serving, "scheduler", None if stopped else object())
    asyncio.run(serving.show_numbers(ProcessGroup([sys.executable, "-c", ""], tmp_path)))
    assert len(started) == starts
