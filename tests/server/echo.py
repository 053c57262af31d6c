"""Says every line again."""

import sys

for line in sys.stdin:
    print(line, end="", flush=True)
