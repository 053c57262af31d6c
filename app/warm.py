"""`python -m app.warm`: compile the training engine and compute the numbers of the prose, ahead of the first reader."""

import importlib
import time

from app import pages
from sims import results


def main() -> None:
    """Compile, compute, and build every page once."""
    began = time.perf_counter()
    importlib.import_module("sims.preload")
    print(f"training engine ready after {time.perf_counter() - began:.0f} s")
    for calculation, arguments in (missing for page in pages.warm() for missing in page.pending):
        if results.lookup(calculation, arguments) is None:
            value = results.compute(calculation, arguments)
            print(f"{calculation.name}({', '.join(f'{key}={each!r}' for key, each in arguments.items())}) = {value}")
    print(f"all numbers ready after {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
