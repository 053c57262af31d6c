"""All settings that the site reads from the environment. `docs/operations.md` explains each.

Only this module reads `SKIP_…` variables, besides `SKIP_CACHE`, which `sims/paths.py` reads. Each function reads its
variable when it is called. "At import" means that one module keeps the value: a change needs a new process, and a test
replaces that module's value.
"""

import math
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath


def _text(name: str) -> str:
    return os.environ.get(name, "").strip()


def address() -> str:
    """`SKIP_ADDRESS`: where the site is published; empty by default. Read at each use, checked at the start."""
    return _text("SKIP_ADDRESS")


def ahead() -> bool:
    """`SKIP_AHEAD`: whether a server computes missing numbers and states; `no` says no. At import."""
    return os.environ.get("SKIP_AHEAD", "yes") != "no"


def dask_scheduler() -> str:
    """`SKIP_DASK_SCHEDULER`: the address of a Dask scheduler; empty for worker processes here. Read at the start."""
    return _text("SKIP_DASK_SCHEDULER")


def framed_by() -> list[str]:
    """`SKIP_FRAMED_BY`: sites that may show a figure in a frame; empty for any. Read at each use, checked at the
    start."""
    return _text("SKIP_FRAMED_BY").replace(",", " ").split()


def issues() -> str:
    """`SKIP_ISSUES`: the address at which the repository takes a new issue, such as
    https://example.org/owner/name/issues/new; empty by default. Read at each use, checked at the start."""
    return _text("SKIP_ISSUES")


def live_address() -> str:
    """`SKIP_LIVE`: where a live copy of a static site is; empty by default. Read and checked by `make
    site`."""
    return _text("SKIP_LIVE")


def mail() -> str:
    """`SKIP_MAIL`: where mail about the pages goes, for a site without `SKIP_ISSUES`; empty by default. Read at each
    use, checked at the start."""
    return _text("SKIP_MAIL")


def offline() -> bool:
    """`SKIP_OFFLINE`: `yes` for a static copy that readers can keep in their browsers. Read by `make site`."""
    return _text("SKIP_OFFLINE") == "yes"


def openings() -> float:
    """`SKIP_OPENINGS`: sessions that one address may open a second; 5 by default. At import."""
    return float(_text("SKIP_OPENINGS") or 5)


def origins() -> list[str]:
    """`SKIP_ORIGINS`: hosts whose pages may open a websocket; empty for our own. Read at each connection."""
    return [host.strip() for host in _text("SKIP_ORIGINS").split(",") if host.strip()]


def plain_bokeh() -> bool:
    """`SKIP_PLAIN_BOKEH`: `1` to run with Bokeh as it was published, to find out whether a bug is Bokeh's or ours.
    Set before the process starts: the patches of Bokeh's methods are applied at import."""
    return _text("SKIP_PLAIN_BOKEH") == "1"


def proxies() -> str:
    """`SKIP_PROXIES`: addresses and networks of the proxies to trust, by comma; none by default. At import."""
    return _text("SKIP_PROXIES")


def rooms() -> int:
    """`SKIP_ROOMS`: classrooms at most; 50 by default, 0 for no class mode. At import."""
    return int(_text("SKIP_ROOMS") or 50)


def runs_folder() -> Path | None:
    """`SKIP_RUNS`: the folder for unfinished runs; by default one in the cache. Read at each use."""
    return Path(text) if (text := _text("SKIP_RUNS")) else None


def sessions() -> int:
    """`SKIP_SESSIONS`: live figures at most; 200 by default. At import."""
    return int(_text("SKIP_SESSIONS") or 200)


def training() -> str:
    """`SKIP_TRAIN`: who trains the figures that a browser can train: `server`, `browser`, or, by default, `auto`, the
    server as long as it has a free worker. Read at each use, checked at the start.

    Raises ValueError for anything else.
    """
    text = _text("SKIP_TRAIN") or "auto"
    if text not in ("auto", "browser", "server"):
        raise ValueError(f"SKIP_TRAIN is {text!r}, and must be auto, browser or server")
    return text


def workers() -> int:
    """`SKIP_WORKERS`: worker processes; one for each core that this process may use by default.

    Raises ValueError where it is not a positive whole number.
    """
    text = _text("SKIP_WORKERS") or str(usable_cores())
    if not text.isdecimal() or int(text) < 1:
        raise ValueError(f"SKIP_WORKERS is {text!r}, and not a positive whole number")
    return int(text)


def writing() -> bool:
    """`SKIP_WRITE`: whether pages notify their author of changes; `make write` sets it. At import."""
    return bool(os.environ.get("SKIP_WRITE"))


def usable_cores(membership: Path = Path("/proc/self/cgroup"), mounted: Path = Path("/sys/fs/cgroup")) -> int:
    """How many cores this process may use: those of its affinity, or fewer if its cgroup has a quota, rounded up.

    `membership` names the cgroups of the process, and they are folders below `mounted`.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return math.ceil(min([cores, *map(_quota, _cgroups(membership, mounted))]))


def _cgroups(membership: Path, mounted: Path) -> Iterator[Path]:
    """The cgroups of a process that may have a quota, with all around them. Inside a container, only the outermost
    folder may exist, and is the container's own."""
    try:
        lines = membership.read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if not controllers or "cpu" in controllers.split(","):
            own = PurePosixPath(path.lstrip("/"))
            for group in (own, *own.parents):
                yield mounted / ("cpu" if controllers else "") / group


def _quota(cgroup: Path) -> float:
    """The cores whose time a cgroup may use, of version 2 or 1; infinite without a limit."""
    for names in (["cpu.max"], ["cpu.cfs_quota_us", "cpu.cfs_period_us"]):
        with suppress(OSError, ValueError):  # there is no such file, or it says `max`
            quota, period = (int(text) for name in names for text in (cgroup / name).read_text("utf-8").split())
            if quota > 0:
                return quota / period
    return math.inf
