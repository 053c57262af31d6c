"""Slices in the browser: they are computed before the reader's eyes, and what only shows them computes nothing."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.reader import unseen
from tools.figure_on_page import OnPage

QUICK = "landscape?landscape.depth=6&landscape.training_steps=100&landscape.finest=11&landscape.data=spirals"


@pytest.mark.exhaustive
def test_a_slice_is_trained_refined_and_described(page: Page) -> None:
    page.goto(unseen(QUICK, "landscape"))
    slice_ = OnPage(page, "landscape").ready()
    live = slice_.figure.locator(".live")
    expect(live).to_contain_text("Seen on 6 × 6 points")
    slice_.button("Train").click()
    slice_.wait_for_status("finished")
    expect(live).to_contain_text("Seen on 11 × 11 points around the trained weights")
    expect(live).to_contain_text("largest eigenvalue of the Hessian")
    last = slice_.step
    slice_.button("Logarithmic").click()
    page.wait_for_function("() => window.simulations.get('landscape').panel.live.values.scale === 'log'")
    assert slice_.step == last
    expect(live).to_contain_text("Seen on 11 × 11 points")


def test_pointing_at_the_surface_moves_the_cuts(page: Page) -> None:
    page.goto(f"{QUICK}&landscape.point=initial")
    slice_ = OnPage(page, "landscape").ready()
    surface = slice_.figure.get_by_role("group", name="Loss over the slice")
    picture = surface.get_by_role("img").first
    picture.scroll_into_view_if_needed()
    expect(picture).to_have_attribute("aria-label", re.compile("Seen on 6 × 6 points"))
    picture.focus()
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_function("() => Number(window.simulations.get('landscape').panel.live.values.cut_a) > 0")
    assert float(slice_.setting("cut_a")) > 0
    assert slice_.step == 0


@pytest.mark.exhaustive
def test_the_ball_rolls_and_the_function_survives_its_rescaling(page: Page) -> None:
    page.goto("landscape?ball.depth=6&ball.training_steps=100&ball.finest=11&rescale_trap.factor=10")
    trap = OnPage(page, "rescale_trap").ready()
    expect(trap.figure.locator(".live")).to_contain_text("With c = 10, no output")
    ball = OnPage(page, "ball").ready()
    ball.button("Train").click()
    ball.wait_for_status("finished")
    expect(ball.figure.locator(".live")).to_contain_text("The balls have come down to")
