"""A server that tools start leaves a log only if something went wrong."""

import subprocess
import sys
from pathlib import Path

import pytest

from tools.local_server import Server

READY = "import signal, sys; signal.signal(signal.SIGTERM, lambda *_: sys.exit({status})); print('ready', flush=True); "


@pytest.mark.parametrize(
    ("status", "written", "kept"), [(0, "all is well", False), (0, "Traceback: …", True), (1, "all is well", True)]
)
def test_a_log_is_kept_after_a_fault(
    status: int, written: str, kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))
    log = tmp_path / "server-9.log"
    log.write_text(written, encoding="utf-8")
    program = READY.format(status=status) + "signal.pause()"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
        server = Server(9, {}, process)
        assert server.stop() == status
    assert log.exists() == kept
    assert server.log() == (written if kept else "")
