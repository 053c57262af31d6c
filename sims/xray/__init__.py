"""An X-ray of a reader's own network: which of its sums are residual, and what the stream and each branch do there."""

from typing import TYPE_CHECKING, Any

from sims.xray.additions import Addition, Finding
from sims.xray.report import Report, compare

if TYPE_CHECKING:
    from sims.xray.watching import xray

__all__ = ["Addition", "Finding", "Report", "compare", "xray"]


def __getattr__(name: str) -> Any:
    # Reading and drawing a report needs no torch, whose import takes seconds.
    if name != "xray":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from sims.xray.watching import xray

    return xray
