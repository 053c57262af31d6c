"""What a reader does with a simulation, in the words of a test."""

import random
import re
from itertools import count
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import JSHandle, Locator, Page

from sims.contract.parameters import read
from sims.kept import results
from sims.registry import find

_seeds = count(random.SystemRandom().randrange(9_000))


def unseen(link: str, name: str) -> str:
    """The link with a seed that nobody has trained: what a reader has finished is shown to the next one at once."""
    kind = find(name)
    values = dict(re.findall(rf"(?:{name}\.)?(\w+)=([^&#]*)", link))
    for seed in _seeds:
        settings, _ = read(kind, {**values, "seed": str(seed)})
        if not results.is_kept(kind(**settings)):
            return f"{link}&seed={seed}" if "embed/" in link else f"{link}&{name}.seed={seed}"
    raise AssertionError("every seed was trained")


class Witness:
    """Everything that an element was from now on, however shortly; a look now and then misses what does not stay.

    `look` is what to remember of `element`, in JavaScript.
    """

    def __init__(self, element: Locator, look: str) -> None:
        self._page = element.page
        self._seen: JSHandle = element.evaluate_handle(
            f"""element => {{
                const seen = [{look}]
                const watched = {{attributes: true, childList: true, characterData: true, subtree: true}}
                new MutationObserver(() => seen.push({look})).observe(element, watched)
                return seen
            }}"""
        )

    def wait_for(self, *expected: str) -> None:
        """Wait until it has been all of these, one after the other."""
        self._page.wait_for_function(
            "([seen, wanted]) => seen.reduce((met, text) => met + (text === wanted[met]), 0) === wanted.length",
            arg=[self._seen, list(expected)],
        )


RESULTS = """anchor => window.simulations.get(anchor).kept.models.filter(model => model.type === 'GlyphRenderer'
    && model.visible && !model.tags.includes('known') && !model.tags.includes('unanswered')).length"""


def shown_results(figure: Locator) -> int:
    """Return how many results the figure shows."""
    return int(figure.page.evaluate(RESULTS, figure.get_attribute("id")))


def violations(page: Page) -> list[tuple[str, str, str]]:
    """What axe-core has against a page, shadow roots included: the rule, the element, and its HTML."""
    # Naming the ten thousand nodes that pass takes longer than checking them.
    rules = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        (rule["id"], str(node["target"]), node["html"][:200])
        for rule in rules
        for node in rule["nodes"]
        if rule["id"] != "empty-table-header" or not _is_formula(page, node["target"])
    ]


def _is_formula(page: Page, target: list[Any]) -> bool:
    """Whether an element of the page is a formula: to axe-core, which does not count MathML as text, it is empty."""
    find = "selector => document.querySelector(selector)?.querySelector('math')?.textContent"
    return len(target) == 1 and isinstance(target[0], str) and bool(page.evaluate(find, target[0]))
