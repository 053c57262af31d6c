"""What a teacher and the members of a room do in their browsers, in the words of a test."""

from playwright.sync_api import Locator, Page, expect


def code(teacher: Page) -> str:
    return teacher.locator(".room-bar .code").inner_text()


def joined(page: Page, teacher: Page) -> Page:
    """The page after its reader has come by the link that is on the projector."""
    page.goto(f"room/{code(teacher).lower()}")
    expect(page.locator(".room-bar .code")).to_have_text(code(teacher))
    expect(page.locator(".desk .said")).to_contain_text(f"You are in room {code(teacher)}.")
    return page


def prediction(page: Page, name: str) -> Locator:
    return page.locator(f".predict#{name}")


def commit(page: Page, name: str) -> None:
    prediction(page, name).get_by_role("button", name="This is my prediction").click()


def press(page: Page, name: str, words: str) -> None:
    prediction(page, name).get_by_role("button", name=words).click()


def take(page: Page, right: bool) -> None:
    """Take the next round of the inventory."""
    page.locator("button[data-inventory=start]").click()
    for item in page.locator("form.inventory-form .item").all():
        item.locator("input[data-right]" if right else "input[data-believes]").first.check()
    page.get_by_role("button", name="Show what I know").click()


def close_room(teacher: Page) -> None:
    """Close the room, after the question whether that is meant."""
    teacher.get_by_role("button", name="Close the room …").click()
    asks = teacher.get_by_role("dialog", name="Close the room for everybody?")
    expect(asks.get_by_role("button", name="Cancel")).to_be_focused()
    asks.get_by_role("button", name="Close the room").click()
    expect(asks).to_be_hidden()
