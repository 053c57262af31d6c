"""`python -m app.prerender`: build everything that the server sends: pages, pictures, and states that can be scrubbed.

What is there is not made again, so a build that was interrupted goes on where it was. It fails where a page is wrong or
lacks a number. `--until` leaves out what comes later: `pages`; `pictures` as pages show them first; `tables`, which are
the numbers of worked examples, and the runs that first pictures need and that did not come with the code; `states` of
the atlas. The server starts it with `--requests`: each line on standard input is an item to make next, and the build
ends with its input. With `--watch` it goes on, and makes what has changed when a file is saved.
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
from sims.paths import CONTENT, ROOT, cache

STAGES = ("pages", "pictures", "tables", "states")
WATCHED = (CONTENT, changelog.FILE, ROOT / "app", ROOT / "sims")

Events = SimpleQueue[Callable[[], object]]
"""What has to be done before the next item is made"""


def read_requests(build: Build, events: Events) -> None:
    """Have what is asked for on standard input made next, and end the build with its input."""
    for line in sys.stdin:
        events.put(partial(build.first, line.strip()))
    events.put(sys.exit)


def watch_files(build: Build, events: Events) -> None:
    """Have the build begin again whenever a file is saved."""
    from watchfiles import watch

    for changes in watch(*WATCHED):
        events.put(partial(renew, build, {Path(path) for _change, path in changes}))


def renew(build: Build, saved: set[Path]) -> None:
    """Begin again with what is on the disk now; where it is other code, as another process with the same input."""
    code = build.builder.sources.code()
    with suppress(FileNotFoundError):  # an editor is just putting another file in its place, which is the next change
        build.renew(saved)
        if build.builder.sources.code() != code:
            os.execv(sys.executable, [sys.executable, "-m", "app.prerender", *sys.argv[1:]])


def make(build: Build, requests: bool, watch: bool) -> None:
    """Make every item; with `watch`, until the input ends. Raises OSError where something cannot be written."""
    events = Events()
    for listen, wanted in ((read_requests, requests), (watch_files, watch)):
        if wanted:
            Thread(target=listen, args=(build, events), daemon=True).start()
    while build.todo or watch:
        while not build.todo or not events.empty():
            events.get()()
        build.step()


def main(arguments: Sequence[str] | None = None) -> None:
    """Build what the arguments say; fails where something is wrong with it."""
    parser = argparse.ArgumentParser(
        prog="python -m app.prerender", description="Build everything that the server sends."
    )
    parser.add_argument("--until", choices=STAGES, default=STAGES[-1], help="the last stage; all of them by default")
    parser.add_argument("--requests", action="store_true", help="make next what is asked for on standard input")
    parser.add_argument("--watch", action="store_true", help="go on, and make what has changed when a file is saved")
    options = parser.parse_args(arguments)
    say = partial(print, flush=True)
    last = STAGES.index(options.until)
    if options.requests:  # Ctrl-C in a terminal reaches every process of it; this one ends with its input
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        build = Build(pictures=last > 0, say=say)
        make(build, options.requests, options.watch)
        if last > 1:
            from app.prerender import states  # with Panel, as in `put`

            with store.filling():
                states.train(build.places)
                states.tables(build.examples)
                if last > 2:
                    states.atlas(build.places)
                states.bind(build.places)
    except OSError as error:
        say(f"{FAILED} {cache()} cannot be written: {error}. Make room there, or name another folder in SKIP_CACHE.")
        sys.exit(1)
    sys.exit(bool(build.complaints))


if __name__ == "__main__":
    main()
