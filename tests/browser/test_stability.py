"""The maps fill together, and a press on a cell shows its run without another one."""

import pytest
from playwright.sync_api import Page, expect

from tools.figure_on_page import OnPage


@pytest.mark.exhaustive
def test_a_press_on_the_map_shows_the_runs_of_its_cell(page: Page) -> None:
    page.goto("/norm-placement?stability.network=perceptron&stability.training_steps=40&stability.seeds=1&v=2")
    simulation = OnPage(page, "stability").ready()
    simulation.button("Train").click()
    simulation.wait_for_status("finished")
    expect(simulation.figure.locator(".live")).to_contain_text("Of 36 cells of each map")
    chart = simulation.figure.get_by_role("img", name="Which cells train?").first
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 0.9 * box["width"], box["y"] + 0.4 * box["height"])
    expect(simulation.figure.locator(".live")).to_contain_text("learning rate 1,")
    simulation.wait_for_status("finished")
