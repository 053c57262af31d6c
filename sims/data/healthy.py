"""Reports of healthy networks of three depths, beside which readers see the report of their own."""

import json
from functools import cache
from typing import Any

from sims.paths import ROOT

FILE = ROOT / "sims" / "data" / "files" / "healthy.json"
"""Made by `python -m sims.instruments.networks.healthy_network`"""


@cache
def healthy_reports() -> list[dict[str, Any]]:
    """For each network the number of `additions`, the `words` that name it, and the columns of measures at its
    additions (`sims.xray.Addition`), after training."""
    reports: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    return reports
