"""The bar of a training: back to earlier pictures of its run, with picture, bar and sentence together."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.reader import unseen
from tests.browser.test_training import QUICK
from tools.figure_on_page import OnPage

FRAMES = "simulations.get('degradation').film.frames"
SOURCES = """() => JSON.stringify(
  simulations.get('degradation').kept.models.filter(model => model.type === 'ColumnDataSource')
    .map(source => Object.entries(source.data).map(([name, column]) => [name, [...column]])),
)"""
"""All that is drawn, as text"""


@pytest.fixture
def training(page: Page) -> OnPage:
    page.goto(unseen(QUICK, "degradation"))
    return OnPage(page, "degradation").ready()


def bar(training: OnPage) -> Locator:
    return training.slider(re.compile("^Step of"))


def trained(training: OnPage) -> str:
    """Train to the end; return what the page then says."""
    training.button("Train").click()
    training.wait_for_status("finished")
    return said(training)


def said(training: OnPage) -> str:
    return training.figure.locator("p.live").inner_text()


def expect_at(training: OnPage, step: int) -> None:
    expect(bar(training)).to_have_js_property("value", str(step))
    expect(bar(training)).to_have_attribute("aria-valuetext", f"step {step} of 200")
    expect(training.figure.locator(".count")).to_have_text(f"step {step} of 200")
    sentence = training.page.evaluate(f"{FRAMES}.find(frame => frame.step === {step}).said.description")
    expect(training.figure.locator("p.live")).to_have_text(sentence)


@pytest.mark.exhaustive
def test_a_single_picture_is_no_film(training: OnPage) -> None:
    expect(bar(training)).to_be_disabled()


@pytest.mark.exhaustive
def test_keys_go_back_picture_by_picture_and_forth_again(training: OnPage) -> None:
    end = trained(training)
    steps = training.page.evaluate(f"{FRAMES}.map(frame => frame.step)")
    assert steps[-1] == 200
    drawn = training.page.evaluate(SOURCES)
    bar(training).press("ArrowLeft")
    expect_at(training, steps[-2])
    assert training.page.evaluate(SOURCES) != drawn
    bar(training).press("ArrowRight")
    expect_at(training, 200)
    assert said(training) == end
    assert training.page.evaluate(SOURCES) == drawn
    bar(training).press("Home")
    expect(training.figure.locator(".count")).to_have_text("step 0 of 200")


@pytest.mark.exhaustive
def test_a_pointer_goes_to_the_nearest_picture(training: OnPage) -> None:
    trained(training)
    box = bar(training).bounding_box()
    assert box is not None
    bar(training).click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    nearest = training.page.evaluate(
        f"{FRAMES}.map(frame => frame.step).reduce((a, b) => Math.abs(b - 100) < Math.abs(a - 100) ? b : a)"
    )
    expect_at(training, nearest)


@pytest.mark.exhaustive
def test_going_back_pauses_and_train_goes_on_from_the_newest(training: OnPage) -> None:
    training.speed("A tenth")
    training.button("Train").click()
    training.page.wait_for_function(f"() => {FRAMES}.length > 3")
    bar(training).press("Home")
    training.wait_for_status("paused")
    expect(training.figure.locator(".count")).to_have_text("step 0 of 200")
    newest = training.page.evaluate(f"{FRAMES}.at(-1).step")
    assert newest > 0
    training.button("Train").click()
    training.wait_for_step(newest + 1)


@pytest.mark.exhaustive
def test_other_settings_begin_another_film(training: OnPage) -> None:
    trained(training)
    training.button("New seed").click()
    training.wait_for_status("ready")
    expect(bar(training)).to_be_disabled()
    assert training.page.evaluate(f"{FRAMES}.length") == 1
