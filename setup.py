"""The version of the package is the newest of CHANGELOG.md; everything else is in pyproject.toml."""

import re
from pathlib import Path

from setuptools import setup

CHANGES = Path(__file__).parent / "CHANGELOG.md"

setup(version=re.findall(r"^## (\d+\.\d+\.\d+) ", CHANGES.read_text(encoding="utf-8"), re.MULTILINE)[0])
