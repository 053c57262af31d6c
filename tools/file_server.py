"""Serves files of the repository, and of other folders, to a page that needs no app."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from sims.paths import ROOT


class _Files(SimpleHTTPRequestHandler):
    def __init__(self, folders: tuple[Path, ...], *arguments: Any) -> None:
        self._folders = folders
        super().__init__(*arguments, directory=str(ROOT))

    def translate_path(self, path: str) -> str:
        if path.startswith("/files/"):
            name = path.removeprefix("/files/")
            for folder in self._folders:
                if (folder / name).is_file():
                    return str(folder / name)
        return super().translate_path(path)

    def log_message(self, *_arguments: Any) -> None:
        """Say nothing."""


@contextmanager
def serving_files(*folders: Path) -> Iterator[str]:
    """Serve the repository at `/`, and the files of the folders at `/files/`; yield the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, folders))
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
