"""`python -m benchmarks [NAME ...]`: every benchmark, or the named ones. They assert nothing.

At the end stands one table of goals and figures. It is kept as JSON, and what has moved beyond the noise since the last
run of other code on the same machine is printed. `python -m benchmarks --compare BEFORE.json NOW.json` prints that for
two runs of one's choice.
"""

import importlib
import json
import pkgutil
import sys
from pathlib import Path

import benchmarks
from benchmarks import _figures


def run(names: list[str]) -> None:
    for name in names or [m.name for m in pkgutil.iter_modules(benchmarks.__path__) if not m.name.startswith("_")]:
        print(f"\n== {name}\n", flush=True)
        importlib.import_module(f"benchmarks.{name}").main()
    report = _figures.report()
    before = _figures.latest_of_another_commit(report)
    print(
        f"\n== commit {report['commit']}{' and changes' * report['changed']}, {report['machine']}, "
        f"load {report['load']}\n"
    )
    print(_figures.HEAD)
    for figure in _figures.FOUND:
        print(figure.row())
    print(f"\nkept in {_figures.keep(report)}")
    if before:
        compare(before, report)


def compare(before: dict[str, object], now: dict[str, object]) -> None:
    lines = _figures.moved(before, now)
    print(f"\nbeyond the noise since {before['commit']} at {before['time']}:" + (" nothing" if not lines else ""))
    print("\n".join(lines))


if sys.argv[1:2] == ["--compare"]:
    compare(*(json.loads(Path(path).read_text(encoding="utf-8")) for path in sys.argv[2:4]))
else:
    run(sys.argv[1:])
