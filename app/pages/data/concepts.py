"""The concept inventory: concepts, misconceptions, and two parallel forms of items that tell them apart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.pages.text import located_yaml
from app.pages.text.errors import BuildError
from app.pages.text.located_yaml import LocatedStr

FORMS = ("A", "B")


@dataclass(frozen=True)
class Concept:
    """One thing to know. `learned` says it in a sentence, `read` is the address of the section about it."""

    id: str
    name: LocatedStr
    learned: LocatedStr
    read: LocatedStr


@dataclass(frozen=True)
class Misconception:
    """A mistake that people make: the claim about it, or else the address of a place that treats it."""

    id: str
    says: LocatedStr
    card: str
    page: str


@dataclass(frozen=True)
class Choice:
    """An option of an item: the right one has no misconception."""

    text: LocatedStr
    believes: str

    @property
    def right(self) -> bool:
        """Whether it is the right option."""
        return not self.believes


@dataclass(frozen=True)
class Item:
    """One question. `words` are the words of the page `at` that answer it; `transfer` is the architecture it is about
    if no page shows that one, else empty."""

    concept: str
    form: str
    question: LocatedStr
    options: Sequence[Choice]
    because: LocatedStr
    at: str
    words: str
    transfer: str

    @property
    def id(self) -> str:
        """Its name in a reader's browser."""
        return f"{self.form}-{self.concept}"


@dataclass(frozen=True)
class Inventory:
    """All of it, each part by its id and in the order of the file."""

    file: Path
    concepts: Mapping[str, Concept]
    misconceptions: Mapping[str, Misconception]
    items: Mapping[str, Item]

    def form(self, letter: str) -> list[Item]:
        """The items of one form, in the order of the concepts."""
        return [self.items[f"{letter}-{concept}"] for concept in self.concepts]


def read(path: Path) -> Inventory:
    """Parse the file. Raises BuildError for a part that is incomplete or names another one that does not exist."""
    data = located_yaml.fields(
        located_yaml.load(path.read_text(encoding="utf-8")), ("concepts", "misconceptions", "items")
    )
    concepts: dict[str, Concept] = {}
    misconceptions: dict[str, Misconception] = {}
    items: dict[str, Item] = {}
    for entry in data["concepts"]:
        concept = Concept(**located_yaml.fields(entry, ("id", "name", "learned", "read")))
        concepts[concept.id] = concept
    for entry in data["misconceptions"]:
        values = located_yaml.fields(entry, ("id", "says"), ("card", "page"))
        misconceptions[values["id"]] = Misconception(**{"card": "", "page": "", **values})
    for entry in data["items"]:
        try:
            item = _item(entry, concepts, misconceptions)
            if item.id in items:
                raise ValueError(f"form {item.form} has two items about {item.concept}")
        except ValueError as error:
            raise BuildError(str(error), path, getattr(entry.get("question"), "line", 1)) from None
        items[item.id] = item
    missing = [f"{form}-{concept}" for form in FORMS for concept in concepts if f"{form}-{concept}" not in items]
    if missing:
        raise BuildError(f"there is no item {', '.join(missing)}", path, 1)
    return Inventory(path, concepts, misconceptions, items)


def _item(entry: Any, concepts: Mapping[str, Concept], misconceptions: Mapping[str, Misconception]) -> Item:
    required = ("concept", "form", "question", "options", "because", "at", "words")
    data = located_yaml.fields(entry, required, ("transfer",))
    if data["concept"] not in concepts or data["form"] not in FORMS:
        raise ValueError(f"an item has one of the concepts and a form, {' or '.join(FORMS)}")
    options = [_choice(option, misconceptions) for option in data["options"]]
    if sum(option.right for option in options) != 1:
        raise ValueError("an item has exactly one option that is right: true")
    return Item(**{"transfer": "", **data, "options": options})


def _choice(entry: Any, misconceptions: Mapping[str, Misconception]) -> Choice:
    data = located_yaml.fields(entry, ("text",), ("right", "believes"))
    believes = data.get("believes", "")
    if (data.get("right") is True) == bool(believes):
        raise ValueError("an option is either right: true, or says what its reader believes")
    if believes and believes not in misconceptions:
        raise ValueError(f"believes: there is no misconception {believes!r}")
    return Choice(data["text"], believes)
