"""The circuit of a block plays by itself in the page, stays where a reader stops it, and stands still for who asks."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tools.figure_on_page import OnPage
from tools.local_server import Server

PLAYERS = "() => { window.players = window.simulations.get('dataflow').players }"

MOMENT = "() => window.players[0].moment"

HAS_COME = """([moment, seen]) => {
  const [{moment: now, arriving}] = window.players
  return now === moment && [...arriving[0].get_column('alpha')].filter(alpha => alpha === 1).length >= seen
}"""
"""Whether the play has come to a moment at which so many of the eight numbers are seen"""


def opened(page: Page) -> OnPage:
    page.goto("shortcut")
    block = OnPage(page, "dataflow").ready()
    block.figure.locator(".stage canvas").first.scroll_into_view_if_needed()
    page.evaluate(PLAYERS)
    return block


SAID = """() => {
  const row = window.players[0].timed.at(-1), alpha = row.get_column('alpha')
  return [...row.get_column('first')].filter((_, at) => alpha[at] === 1)
}"""
"""The moments whose words are seen"""


def come(block: OnPage, moment: int | None, since: int = 0) -> None:
    block.page.wait_for_function(HAS_COME, arg=[moment, since])


@pytest.fixture
def block(page: Page) -> OnPage:
    """The play has just begun, however long the page took to come."""
    block = opened(page)
    page.evaluate("() => window.players[0].start()")
    return block


@pytest.mark.exhaustive
def test_it_plays_by_itself_once_and_then_shows_the_moment_of_its_control(page: Page) -> None:
    block = opened(page)
    come(block, 7, since=8)
    come(block, None)
    assert block.setting("moment") == "3"


AGREE = """() => {
  window.apart = []
  const simulation = window.simulations.get('dataflow'), [player] = window.players, {figure} = simulation
  const look = () => {
    if (player.moment === null) return
    const control = simulation.controls.all.find(control => control.name === 'moment')
    const said = figure.querySelector('.live').textContent.startsWith(`Moment ${player.moment} of 7`)
    if (control.text !== String(player.moment) || !said)
      window.apart.push([player.moment, control.text, said])
    requestAnimationFrame(look)
  }
  requestAnimationFrame(() => requestAnimationFrame(look))
}"""
"""Remember where picture, control and sentence disagree from now on"""

SAID_ALOUD = "document.querySelector('#dataflow .live + .spoken').textContent"


@pytest.mark.exhaustive
def test_control_and_sentence_follow_the_picture_and_the_address_does_not(block: OnPage) -> None:
    before, aloud = block.page.url, block.page.evaluate(SAID_ALOUD)
    # On a fresh clone the prepared states come late: the sentences of the moments have come with the picture.
    block.page.evaluate("() => { window.simulations.get('dataflow').shelf.states = {} }")
    come(block, 4)
    block.page.evaluate(AGREE)
    come(block, 7, since=8)
    assert (block.page.url, block.page.evaluate(SAID_ALOUD)) == (before, aloud)
    come(block, None)
    assert block.page.evaluate("window.apart") == []
    assert block.setting("moment") == "3"
    expect(block.figure.locator(".live")).to_contain_text("Moment 3 of 7")


@pytest.mark.exhaustive
def test_a_reader_who_pauses_stays_at_that_moment(block: OnPage) -> None:
    come(block, 4)
    block.button("Pause here").click()
    come(block, None)
    (moment,) = block.page.evaluate(SAID)
    assert moment >= 4
    expect(block.figure.locator(".live")).to_contain_text(f"Moment {moment} of 7")


def test_a_changed_control_ends_the_play(block: OnPage) -> None:
    come(block, 1)
    block.menu()
    block.button("Plain").click()
    come(block, None)
    expect(block.figure.locator(".live")).to_contain_text("The plain block turns")


def test_with_reduced_motion_it_does_not_start_by_itself(browser: Browser, server: Server) -> None:
    context = browser.new_context(reduced_motion="reduce", base_url=server.url, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    block = opened(page)
    expect(block.button("Play: forward, and the gradient back")).to_be_visible()
    assert page.evaluate(MOMENT) is None
    block.button("Play: forward, and the gradient back").focus()
    page.keyboard.press("Tab")
    expect(block.figure.locator(".noUi-handle").first).to_be_focused()  # it is to the right of the button
    block.button("Play: forward, and the gradient back").click()
    come(block, 1)
    context.close()
