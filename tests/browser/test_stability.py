"""The map fills behind the run, and a click on it loads a cell."""

from playwright.sync_api import Page, expect

from tests.browser.reader import OnPage, Witness


def test_a_click_on_the_map_loads_the_cell_and_trains_it(page: Page) -> None:
    page.goto("/norm-placement?stability.network=perceptron&stability.training_steps=80&stability.seeds=1&v=1")
    simulation = OnPage(page, "stability").ready()
    simulation.button("Train").click()
    simulation.wait_for_status("finished")
    expect(simulation.figure.locator(".live")).to_contain_text("Of 36 cells of the map")
    chart = simulation.figure.get_by_role("img", name="Which cells train?").first
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    assert box is not None
    told = Witness(simulation.figure, "element.dataset.status")
    page.mouse.click(box["x"] + 0.9 * box["width"], box["y"] + 0.4 * box["height"])
    expect(simulation.figure.locator(".live")).to_contain_text("learning rate 1,")
    told.wait_for("finished", "running", "finished")
    expect(simulation.figure.locator(".live")).to_contain_text("Of 36 cells of the map")
