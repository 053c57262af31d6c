"""The one table of renamed pages, simulations and parameters, and of defaults that old links relied on.

The server redirects pages and embeds; for figures the page's scripts read the same table, which is embedded in the
page. Entries are never removed, since old links stay in use.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Texts = Mapping[str, str]


@dataclass(frozen=True)
class Renames:
    """`pages`: former slug → slug. `simulations`: former name → name, in the addresses of embeds. `parameters`: name of
    a simulation → former name of a parameter → name. `unsaid`: version of a link → id of a figure → initial values at
    that version that differ from today's, which a link of that version that sets anything leaves out.
    """

    pages: Texts = field(default_factory=dict)
    simulations: Texts = field(default_factory=dict)
    parameters: Mapping[str, Texts] = field(default_factory=dict)
    unsaid: Mapping[str, Mapping[str, Texts]] = field(default_factory=dict)

    def of_figure(self, name: str, anchor: str) -> dict[str, Any]:
        """The part that concerns one figure, for its page; empty where there is none."""
        unsaid = {version: figures[anchor] for version, figures in self.unsaid.items() if anchor in figures}
        parts = {"renamed": self.parameters.get(name, {}), "unsaid": unsaid}
        return {part: value for part, value in parts.items() if value}

    def renewed(self, name: str, anchor: str, texts: Texts, version: str) -> dict[str, str]:
        """What a link of that version sets, in current names; a current name wins over a former one."""
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
