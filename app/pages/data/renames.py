"""What addresses of before mean now: the one table of what was renamed, and of what an old link left unsaid.

The server redirects pages and embeds; for a figure the page's scripts read the same table, which the page carries. What
was renamed once stays here for good, since links stay where they are.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Texts = Mapping[str, str]


@dataclass(frozen=True)
class Renames:
    """`pages`: former slug → slug. `simulations`: former name → name, in the addresses of embeds. `parameters`: name of
    a simulation → former name of a parameter → name. `unsaid`: version of a link → id of a figure → what it began with
    then and does not now, which a link of then that sets anything leaves unsaid.
    """

    pages: Texts = field(default_factory=dict)
    simulations: Texts = field(default_factory=dict)
    parameters: Mapping[str, Texts] = field(default_factory=dict)
    unsaid: Mapping[str, Mapping[str, Texts]] = field(default_factory=dict)

    def of_figure(self, name: str, anchor: str) -> dict[str, Any]:
        """The part that is about one figure, for its page; empty where there is none."""
        unsaid = {version: figures[anchor] for version, figures in self.unsaid.items() if anchor in figures}
        parts = {"renamed": self.parameters.get(name, {}), "unsaid": unsaid}
        return {part: value for part, value in parts.items() if value}

    def renewed(self, name: str, anchor: str, texts: Texts, version: str) -> dict[str, str]:
        """What a link of that version sets, in today's names; a name of today wins over a former one."""
        names = self.parameters.get(name, {})
        renamed = {names[key]: text for key, text in texts.items() if key in names}
        renamed |= {key: text for key, text in texts.items() if key not in names}
        unsaid = self.unsaid.get(version, {}).get(anchor, {}) if texts else {}
        return {**unsaid, **renamed}


RENAMES = Renames(
    unsaid={
        "1": {
            "degradation": {"norm": "batch", "optimizer": "momentum", "learning_rate": "0.05"},
            "last_op": {"ending": "relu"},
        },
    },
)
"""The table of this site"""
