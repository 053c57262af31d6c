"""The page of the concept inventory: both forms, of which the page's script shows one at a time."""

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from app.pages.data.concepts import FORMS, Inventory, Item
from app.pages.document.page_context import PageContext


def page(context: PageContext, inventory: Inventory, titles: Mapping[str, str]) -> dict[str, Any]:
    """What the template needs."""
    with context.reading(inventory.file):
        return {
            "forms": {form: [_item(context, item) for item in inventory.form(form)] for form in FORMS},
            "concepts": [
                {
                    "id": concept.id,
                    "name": context.inline(concept.name),
                    "learned": context.inline(concept.learned),
                    "read": _link(context, concept.read, titles),
                }
                for concept in inventory.concepts.values()
            ],
            "misconceptions": {
                name: context.inline(mistake.says) for name, mistake in inventory.misconceptions.items()
            },
        }


def _item(context: PageContext, item: Item) -> dict[str, Any]:
    return {
        "id": item.id,
        "concept": item.concept,
        "transfer": bool(item.transfer),
        "question": context.inline(item.question),
        "options": [{"text": context.inline(option.text), "believes": option.believes} for option in item.options],
        "because": context.inline(item.because),
    }


def _link(context: PageContext, address: str, titles: Mapping[str, str]) -> Markup:
    slug = address.partition("#")[0]
    return context.complete(context.inline(f"[{titles.get(slug, slug)}]({address})"))
