"""What an X-ray says of itself: the version of its files, what it cannot see, and where the site explains a finding."""

from collections.abc import Mapping

from sims.contract.address import query

SCHEMA = 1
"""Version of the JSON of a report. It rises when a reader of the older one would misunderstand the newer."""

SITE = ""
"""Address of the site with these pages, ending in a slash; empty where it is not known"""

COMMAND = "python -m sims.xray"

CANNOT_SEE = (
    "Before training, it cannot see that a plain network with He's initial weights fails: its gradients are level.",
    "Before training, it cannot see a learning rate too high for Post-LN. Look again after some sixty steps.",
    "A small ratio does not show that a branch is idle; only a lesion does.",
    "A lesion leaves out the branch alone: a norm after the sum and a factor on the skip stay.",
    "Additions by torch.stack, einsum or concatenation, in fused kernels and in torch.jit are not found.",
)

GRADES = ("problem", "caution", "note")

KINDS = ("identity", "scaled", "gated", "projected")


class XrayError(Exception):
    """Something that was asked of an X-ray is not possible. The message is a sentence for whoever asked."""


class NotAReport(XrayError, ValueError):
    """A text is not the JSON of a report, or it is one of a version that this code cannot read."""


def link(page: str, figure: str, settings: Mapping[str, str] | None = None) -> str:
    """The address of a figure of a page in a state, relative to the site."""
    return f"{page}{query(figure, settings or {})}#{figure}"
