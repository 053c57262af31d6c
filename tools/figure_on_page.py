"""One figure of an open page, as a reader uses it."""

import re

from playwright.sync_api import Locator, Page, expect

from tools.local_server import PATIENCE


def unfolded(page: Page, selector: str) -> Locator:
    """What is there, in its opened fold: closed ones are opened as a reader opens them, by their title."""
    locator = page.locator(selector)
    fold = page.locator("details.fold:not([open])", has=locator)
    if fold.count():
        fold.locator("> summary").click()
    expect(locator).to_be_visible()
    return locator


class OnPage:
    """One simulation of an open page."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.name = name
        self.figure = page.locator(f"figure#{name}")
        page.set_default_timeout(PATIENCE)

    def ready(self) -> "OnPage":
        """Go there and wait until its first picture is there and described; one that is covered is asked for."""
        unfolded(self.page, f"figure#{self.name}")
        self.figure.scroll_into_view_if_needed()
        expect(self.figure.locator(".stage")).to_have_attribute("data-state", "ready")
        if self.figure.get_attribute("data-hidden") is not None:
            self.button("Show it now").click()
        expect(self.figure.locator(".live")).not_to_be_empty()
        expect(self.figure.locator(".stage canvas").first).to_be_visible()
        return self

    def button(self, name: str) -> Locator:
        return self.figure.get_by_role("button", name=name, exact=True)

    def more(self, name: str) -> Locator:
        """A button or fold of the menu, which is opened for it."""
        menu = self.figure.locator(".quiet > details.more")
        if menu.get_attribute("open") is None:
            menu.locator("summary").first.click()
        return menu.get_by_text(name, exact=True)

    def live(self) -> "OnPage":
        """Wait until a session drives the picture."""
        self.figure.hover()
        expect(self.figure).to_have_attribute("data-session", "live")
        return self

    def connected(self) -> "OnPage":
        """Have a session drive the picture, whatever the reader does."""
        self.page.evaluate("id => void window.simulations.get(id).session.connect()", self.name)
        expect(self.figure).to_have_attribute("data-session", "live")
        return self

    def speed(self, name: str) -> None:
        """Choose how fast it trains. "A tenth" makes the shortest run last some 30 s, however fast its steps are."""
        self.figure.get_by_label("Speed").select_option(name)

    def slider(self, label: str) -> Locator:
        return self.figure.get_by_role("slider", name=label)

    @property
    def step(self) -> int:
        """The step its page says it is at."""
        counter = re.search(r"step (\d+) of", self.figure.locator(".count").inner_text())
        assert counter, "the page counts no steps"
        return int(counter[1])

    def wait_for_step(self, least: int) -> None:
        """Wait until it has trained that far."""
        self.page.wait_for_function(
            "([id, least]) => document.querySelector(`#${id} .count`).textContent.match(/step (\\d+)/)?.[1] >= least",
            arg=[self.name, least],
        )

    def wait_for_status(self, status: str) -> None:
        """Wait for one of the states that the scheduler tells."""
        self.page.wait_for_function(
            "([id, status]) => document.getElementById(id).dataset.status === status", arg=[self.name, status]
        )

    def setting(self, name: str) -> str:
        """The text of a parameter as the server holds it."""
        return str(
            self.page.evaluate("([id, name]) => window.simulations.get(id).panel.live.values[name]", [self.name, name])
        )
