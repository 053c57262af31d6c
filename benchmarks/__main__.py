"""`python -m benchmarks [NAME ...]`: every benchmark, or the named ones. They print ratios and assert nothing."""

import importlib
import pkgutil
import sys

import benchmarks

names = sys.argv[1:] or [m.name for m in pkgutil.iter_modules(benchmarks.__path__) if not m.name.startswith("_")]
for name in names:
    print(f"\n== {name}\n", flush=True)
    importlib.import_module(f"benchmarks.{name}").main()
