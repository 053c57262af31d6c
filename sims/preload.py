"""Imported once before workers are made, so that each of them starts with everything in memory."""

import sys
import traceback

from sims import registry

try:
    registry.simulations()
except Exception:
    # A simulation that cannot be imported must not keep the others from their workers; its own runs will say why.
    traceback.print_exc(file=sys.stderr)
