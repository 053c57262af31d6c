"""`python -m app.prerender`: build everything that the server sends: pages, pictures, and states that can be scrubbed.

What exists is not made again, so an interrupted build continues where it stopped. The exit status is 1 if a page
contains a mistake or lacks a number. `--until` names the last stage: `pages`; `pictures` as pages show them first, and
the engines' kernels for browsers; `tables` of numbers for worked examples, with the runs that first pictures need and
that are not in `content/runs`; `states` of the atlas. The server uses `--requests`: each line on standard input is an
item to make next, and the build ends when its input does. With `--watch` the build keeps running, and rebuilds what has
changed when a file is saved.
"""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

from app.pages.data import changelog
from app.prerender import store
from app.prerender.build import FAILED, Build
from sims.kept import browser_kernels as kernels
from sims.kept.processes import collect_rarely
from sims.paths import CONTENT, ROOT, cache

STAGES = ("pages", "pictures", "tables", "states")
WATCHED = (CONTENT, changelog.FILE, ROOT / "app", ROOT / "sims")

Events = SimpleQueue[Callable[[], object]]
"""Calls from other threads, to be run before the next item is made"""


def read_requests(build: Build, events: Events) -> None:
    """Queue each item requested on standard input to be made next; exit when the input ends."""
    for line in sys.stdin:
        events.put(partial(build.first, line.strip()))
    events.put(sys.exit)


def watch_files(build: Build, events: Events) -> None:
    """Restart the build whenever a file is saved."""
    from watchfiles import watch

    for changes in watch(*WATCHED):
        events.put(partial(renew, build, {Path(path) for _change, path in changes}))


def renew(build: Build, saved: set[Path]) -> None:
    """Restart the build with the files now on disk; if code has changed, replace this process, with the same input."""
    code = build.builder.sources.code()
    with suppress(FileNotFoundError):  # an editor is replacing the file, which causes another event
        build.renew(saved)
        if build.builder.sources.code() != code:
            os.execv(sys.executable, [sys.executable, "-m", "app.prerender", *sys.argv[1:]])


def make(build: Build, requests: bool, watch: bool) -> None:
    """Make every item; with `watch`, keep on until the input ends. Raises OSError if something cannot be written."""
    events = Events()
    for listen, enabled in ((read_requests, requests), (watch_files, watch)):
        if enabled:
            Thread(target=listen, args=(build, events), daemon=True).start()
    while build.todo or watch:
        while not build.todo or not events.empty():
            events.get()()
        build.step()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the build, and exit with status 1 if anything is wrong with the result."""
    parser = argparse.ArgumentParser(
        prog="python -m app.prerender", description="Build everything that the server sends."
    )
    parser.add_argument("--until", choices=STAGES, default=STAGES[-1], help="the last stage; all of them by default")
    parser.add_argument("--requests", action="store_true", help="make next what is asked for on standard input")
    parser.add_argument("--watch", action="store_true", help="go on, and make what has changed when a file is saved")
    options = parser.parse_args(arguments)
    say = partial(print, flush=True)
    collect_rarely()
    last = STAGES.index(options.until)
    if options.requests:  # Ctrl-C reaches every process of the terminal; this one ends when its input does
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        build = Build(pictures=last > 0, say=say)
        make(build, options.requests, options.watch)
        if last > 1:
            from app.prerender import states  # imports Panel, which takes seconds

            with store.filling():
                states.train(build.places)
                states.tables(build.examples)
                if last > 2:
                    states.atlas(build.places)
                states.bind(build.places)
        if last > 0:
            kernels.build()
    except OSError as error:
        say(f"{FAILED} {cache()} cannot be written: {error}. Make room there, or name another folder in SKIP_CACHE.")
        sys.exit(1)
    sys.exit(bool(build.complaints))


if __name__ == "__main__":
    main()
