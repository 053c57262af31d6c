"""Chapter 1: the circuit can be held by the hand, and the stacks learn."""

import pytest
from playwright.sync_api import Page, expect

from tools.figure_on_page import OnPage

POINT = """([id, title, x, y]) => {
  const model = [...window.simulations.get(id).document._all_models.values()]
    .find(model => model.type === 'Figure' && model.title?.text === title)
  const figure = Bokeh.index.find_one_by_id(model.id)
  const box = figure.canvas_view.el.getBoundingClientRect()
  return [box.left + figure.frame.x_scale.compute(x), box.top + figure.frame.y_scale.compute(y)]
}"""


@pytest.fixture
def block(page: Page) -> OnPage:
    page.goto("shortcut")
    return OnPage(page, "dataflow").ready()


def point(on: OnPage, x: float, y: float) -> tuple[float, float]:
    """Where on the screen a point of the circuit is."""
    left, top = on.page.evaluate(POINT, [on.name, "Numbers on their way through the block", x, y])
    return left, top


def test_a_click_on_the_plus_sign_takes_it_out_and_a_number_of_the_circuit_is_dragged(block: OnPage) -> None:
    block.page.mouse.click(*point(block, 7.5, 1.6))
    expect(block.figure.locator(".live")).to_contain_text("The plain block turns [0.5, −0.3] into [0.11, 0.12]")
    block.menu()
    expect(block.button("Plain")).to_have_attribute("aria-pressed", "true")
    block.figure.locator(".stage canvas").first.scroll_into_view_if_needed()
    x, y = point(block, 0.7, 4.9)
    block.page.clock.install()
    block.page.mouse.move(x, y)
    block.page.mouse.down()
    block.page.clock.run_for(500)  # a reader who thinks first drags, too
    block.page.mouse.move(x, y - 60, steps=6)
    block.page.wait_for_function("() => +window.simulations.get('dataflow').panel.live.values.x1 > 1")
    block.page.mouse.up()
    expect(block.figure.locator(".live")).not_to_contain_text("of [0.5, −0.3]")


@pytest.mark.exhaustive
def test_a_stack_learns_to_copy_in_the_page(page: Page) -> None:
    page.goto("shortcut?identity.initialization=small&identity.layers=5&identity.training_steps=200&v=2")
    copying = OnPage(page, "identity").ready()
    copying.button("Train").click()
    copying.wait_for_status("finished")
    expect(copying.figure.locator(".live")).to_contain_text("After 200 of 200 steps, the stacks (5 layers)")
