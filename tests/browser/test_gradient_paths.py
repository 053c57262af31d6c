"""Chapter 2 under a reader's finger: gains and the floor are dragged in the pictures themselves."""

from playwright.sync_api import Page, expect

from tools.figure_on_page import OnPage


def drag(page: Page, simulation: OnPage, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Press in the first figure and move to another place; both as shares of its width and height."""
    box = simulation.figure.locator(".stage canvas").first.bounding_box()
    assert box is not None
    ends = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in (start, end)]
    page.mouse.move(*ends[0])
    page.mouse.down()
    page.mouse.move(*ends[1], steps=8)
    page.mouse.up()


def test_a_gain_is_dragged_in_the_picture_and_the_floor_breaks_under_the_finger(page: Page) -> None:
    page.goto("gradient-paths")
    paths = OnPage(page, "paths").ready().live()
    before = paths.figure.locator(".live").inner_text()
    drag(page, paths, (0.3, 0.35), (0.3, 0.6))
    expect(paths.figure.locator(".live")).not_to_have_text(before)
    assert paths.setting("alike") == "no"
    moved = [name for name in ("gain_1", "gain_2", "gain_3") if paths.setting(name) != "0.3"]
    assert len(moved) == 1
    assert float(paths.setting(moved[0])) < 0
    floor = OnPage(page, "gradient_floor").ready().live()
    expect(floor.figure.locator(".live")).to_contain_text("not below 1")
    drag(page, floor, (0.75, 0.5), (0.58, 0.5))
    expect(floor.figure.locator(".live")).to_contain_text("below the promised floor")
    assert -2 < float(floor.setting("gain")) < 0


def test_a_link_to_a_figure_that_moved_leads_to_it_in_its_state(page: Page) -> None:
    page.goto("gradient-paths?jacobian_walk.sigma=0.8&v=2#jacobian_walk")
    page.wait_for_url("**/matrices?jacobian_walk.sigma=0.8&v=2#jacobian_walk")
    assert OnPage(page, "jacobian_walk").ready().setting("sigma") == "0.8"
    page.goto("gradient-paths#add-the-skip")
    page.wait_for_url("**/gradient-paths#all-paths-added-up")
    page.goto("theories?rank.layer=4")
    page.wait_for_url("**/language?rank.layer=4#rank")
