"""Every test computes with the instructions with which the kept numbers and runs were made."""

import os

from sims.kept.environment import reproducible

# Here, because NumPy and PyTorch read these variables when a test imports them.
os.environ.update(reproducible())
