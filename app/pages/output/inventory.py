"""The page of the concept inventory: both forms, of which the page's script shows one at a time."""

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from app.pages.data.concepts import FORMS, Inventory, Item
from app.pages.document.writer import PageContext


def page(writer: PageContext, inventory: Inventory, titles: Mapping[str, str]) -> dict[str, Any]:
    """What the template needs."""
    with writer.reading(inventory.file):
        return {
            "forms": {form: [_item(writer, item) for item in inventory.form(form)] for form in FORMS},
            "concepts": [
                {
                    "id": concept.id,
                    "name": writer.inline(concept.name),
                    "learned": writer.inline(concept.learned),
                    "read": _link(writer, concept.read, titles),
                }
                for concept in inventory.concepts.values()
            ],
            "misconceptions": {name: writer.inline(mistake.says) for name, mistake in inventory.misconceptions.items()},
        }


def _item(writer: PageContext, item: Item) -> dict[str, Any]:
    return {
        "id": item.id,
        "concept": item.concept,
        "transfer": bool(item.transfer),
        "question": writer.inline(item.question),
        "options": [{"text": writer.inline(option.text), "believes": option.believes} for option in item.options],
        "because": writer.inline(item.because),
    }


def _link(writer: PageContext, address: str, titles: Mapping[str, str]) -> Markup:
    slug = address.partition("#")[0]
    return writer.complete(writer.inline(f"[{titles.get(slug, slug)}]({address})"))
