"""The concept inventory in a room: what a member may send, and the counts that are all that the room keeps of it."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from app.server.classroom.room_answers import whole

ITEM = re.compile(r'<section class="exercise item" data-item="([AB])-([\w-]+)".*?</fieldset>', re.DOTALL)
OPTION = re.compile(r'value="[1-9]"(?: data-believes="([\w-]+)")?')
FORMS = ("A", "B")
ENOUGH = 10
"""Members by whom a table exceeds the one before, and the first one exceeds none: no table and no difference between
two tables is about fewer."""

Items = Mapping[tuple[str, str], Sequence[str]]
"""Form and concept of an item → the misconception of each of its options, empty for the right one"""
Round = Mapping[str, str | None]
"""Concept → the misconception chosen: empty if the answer was right, None for "I do not know" """


@lru_cache(maxsize=4)
def items(html: str) -> Items:
    """The items on the page of the inventory."""
    return {(match[1], match[2]): OPTION.findall(match[0]) for match in ITEM.finditer(html)}


def rounds(known: Items, first: Any, answers: Any) -> tuple[Round, Round]:
    """The rounds before and after reading, in a member's message: the form that came first, and item → number of the
    option, 0 for "I do not know". Raises ValueError unless it answers exactly the items of the page."""
    if first not in FORMS:
        raise ValueError("expected the form that came first")
    names = {f"{form}-{concept}" for form, concept in known}
    if not names or not isinstance(answers, dict) or answers.keys() != names:
        raise ValueError("expected an answer to every item")
    in_round: dict[str, dict[str, str | None]] = {form: {} for form in FORMS}
    for (form, concept), options in known.items():
        option = whole(answers[f"{form}-{concept}"], 0, len(options))
        in_round[form][concept] = options[option - 1] if option else None
    return in_round[first], in_round["B" if first == "A" else "A"]


class InventoryCounts:
    """The counts of a room. They change with each member that sends, and the teacher sees them as they were when the
    table was shown last."""

    def __init__(self) -> None:
        self.people = 0
        self._concepts: Counter[tuple[str, bool, bool]] = Counter()
        """Concept, whether it was right before, and whether it was right after → members"""
        self._misconceptions: Counter[tuple[str, int]] = Counter()
        """Misconception and round (0 or 1) → members who chose at least one of its options"""
        self.table: dict[str, Any] | None = None

    def add(self, before: Round, after: Round) -> None:
        """Count one more member."""
        self.people += 1
        self._concepts.update((concept, before[concept] == "", after[concept] == "") for concept in before)
        for number, in_round in enumerate((before, after)):
            self._misconceptions.update((chosen, number) for chosen in {*in_round.values()} if chosen)

    def show(self) -> bool:
        """Make the table from the counts; False, and no change, if too few have sent since the last one."""
        if self.people - (self.table["people"] if self.table else 0) < ENOUGH:
            return False
        self.table = {
            "people": self.people,
            "concepts": {
                concept: [
                    [self._concepts[concept, before, after] for after in (True, False)] for before in (True, False)
                ]
                for concept in dict.fromkeys(concept for concept, _before, _after in self._concepts)
            },
            "misconceptions": {
                chosen: [self._misconceptions[chosen, number] for number in (0, 1)]
                for chosen in dict.fromkeys(chosen for chosen, _number in self._misconceptions)
            },
        }
        return True
