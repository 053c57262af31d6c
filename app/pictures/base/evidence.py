"""The signs for how well something is known, the same in pictures and in text."""

from sims.data.history import DISPUTED, MEMORY, SECOND_HAND, VERIFIED
from sims.data.publications import CURVE_ONLY, NOT_IN_THE_PAPER, PUBLISHED

SIGNS = {
    VERIFIED: "●",
    PUBLISHED: "●",
    SECOND_HAND: "○",
    CURVE_ONLY: "◌",
    MEMORY: "□",
    DISPUTED: "◆",
    NOT_IN_THE_PAPER: "▲",
}
"""Evidence, as the timeline, the references and the tables of published numbers call it → its sign"""
