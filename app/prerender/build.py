"""The process that makes pictures for the server: `python -m app.prerender.build` is asked for them by lines.

Each line on standard input is JSON, a key and a place; the answer is a line of JSON, when the picture is on the shelf:
nothing, or the picture where the shelf cannot be written. It ends when its input does. A training of which no run was
kept has a picture without numbers: nothing is trained here.
"""

import json
import signal
import sys
import traceback
from collections.abc import Mapping
from typing import Any

from app.pages.document.figure_placement import FigurePlacement
from app.prerender import picture, store
from sims.kept import results


def put(key: str, place: FigurePlacement) -> Mapping[str, Any] | None:
    """Make the picture of a place, with its first state where there is one, unless that is on the shelf.

    Returns the picture where it could not be written.
    """
    if not store.file(key, store.ATLAS).is_file():
        store.write(key, store.ATLAS, {"states": {}})
    stored = store.read(key, store.PICTURE)
    if stored and stored["first"]:
        return None
    simulation = place.simulation()
    frame, first = results.at_once(simulation), None
    if stored and frame is None:
        return None
    if frame is not None:
        first = picture.state(place, simulation, frame)
        store.write(key, f"{store.NUMBERS}{store.FIRST}", picture.numbers(simulation, frame))
    content = {**picture.drawn(place), "first": first}
    return None if store.write(key, store.PICTURE, content) else content


def main() -> None:
    """Answer requests."""
    # Ctrl-C in a terminal reaches every process of it; this one ends with its input, when the server has ended.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for line in sys.stdin:
        request, left = json.loads(line), None
        try:
            left = put(request["key"], FigurePlacement(**request["place"]))
        except Exception:
            # The next picture may well be sound: a mistake of ours must not end the process that makes it.
            traceback.print_exc(file=sys.stderr)
        print(json.dumps(left, allow_nan=False), flush=True)


if __name__ == "__main__":
    main()
