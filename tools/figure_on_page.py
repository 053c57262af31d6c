"""Drives one figure of an open page as a reader does, for tests and screenshots."""

import re

from playwright.sync_api import Locator, Page, expect

from tools.local_server import PATIENCE

MENU = ("Step", "Restart", "New seed", "Skip to the end", "Measure it")
"""Buttons that are in the menu of the controls"""


def unfolded(page: Page, selector: str) -> Locator:
    """Return the locator for a selector, after opening a closed fold around it by a click on its title."""
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
        """Scroll to the figure and wait until it is drawn and described; skip its prediction if it has one."""
        self.arrived()
        if self.is_unanswered:
            self.figure.locator(".truth > summary").click()
        expect(self.figure.locator(".live")).not_to_be_empty()
        expect(self.figure.locator(".stage canvas:visible").first).to_be_visible()
        return self

    def arrived(self) -> "OnPage":
        """Scroll to the figure and wait until its picture is there, with or without its results."""
        unfolded(self.page, f"figure#{self.name}")
        self.figure.scroll_into_view_if_needed()
        expect(self.figure.locator(".stage")).to_have_attribute("data-state", "ready")
        return self

    @property
    def is_unanswered(self) -> bool:
        """Whether the results wait for the reader's prediction."""
        return self.figure.get_attribute("data-hidden") is not None

    def button(self, name: str) -> Locator:
        """Return the button with this label; Train may also say how long it takes: “Train this (about 9 s)”.

        Opens the menu if the button is there.
        """
        if name in MENU:
            self.menu()
        return self.figure.get_by_role("button", name=re.compile(rf"^{re.escape(name)}( this\b.*)?$"))

    def menu(self) -> None:
        """Open the menu of the controls."""
        opener = self.figure.get_by_role("button", name="More", exact=True)
        if opener.count() and opener.get_attribute("aria-expanded") != "true":
            opener.click()

    def more(self, name: str) -> Locator:
        """Return a button or fold of the menu for sharing and saving; opens it."""
        menu = self.figure.locator(".quiet > details.more")
        if menu.get_attribute("open") is None:
            menu.locator("summary").first.click()
        return menu.get_by_text(name, exact=True)

    def live(self) -> "OnPage":
        """Hover over the figure and wait until a live session drives it."""
        self.figure.hover()
        expect(self.figure).to_have_attribute("data-session", "live")
        return self

    def connected(self) -> "OnPage":
        """Connect a live session by script, without any action of the reader."""
        self.page.evaluate("id => void window.simulations.get(id).session.connect()", self.name)
        expect(self.figure).to_have_attribute("data-session", "live")
        return self

    def speed(self, name: str) -> None:
        """Choose the training speed. With "A tenth", even the shortest run takes about 30 s."""
        self.menu()
        self.figure.get_by_label("Speed").select_option(name)

    def slider(self, label: str) -> Locator:
        return self.figure.get_by_role("slider", name=label)

    @property
    def step(self) -> int:
        """The current step according to the page."""
        counter = re.search(r"step (\d+) of", self.figure.locator(".count").inner_text())
        assert counter, "the page counts no steps"
        return int(counter[1])

    def wait_for_step(self, least: int) -> None:
        """Wait until the page shows at least that step."""
        self.page.wait_for_function(
            "([id, least]) => simulations.get(id).bar.count.textContent.match(/step (\\d+)/)?.[1] >= least",
            arg=[self.name, least],
        )

    def wait_for_status(self, status: str) -> None:
        """Wait for one of the scheduler's states."""
        self.page.wait_for_function(
            "([id, status]) => document.getElementById(id).dataset.status === status", arg=[self.name, status]
        )

    def setting(self, name: str) -> str:
        """Return the text of a parameter's value on the server."""
        return str(
            self.page.evaluate("([id, name]) => window.simulations.get(id).panel.live.values[name]", [self.name, name])
        )
