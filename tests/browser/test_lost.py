"""What gets lost comes back: sockets, sessions, servers, tabs."""

import re

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.browser.conftest import PATIENCE, Server, watch
from tests.browser.reader import OnPage, Witness

LINK = "degradation?degradation.depth=8&degradation.width=16&degradation.seeds=1&degradation.norm=layer"


def test_a_server_that_restarts_gives_the_same_simulation_back(browser: Browser, own_server: Server) -> None:
    own_server.start()
    context = browser.new_context(base_url=own_server.url)
    page = context.new_page()
    page.goto(LINK)
    simulation = OnPage(page, "degradation").ready()
    text = page.locator("main p").first.inner_text()
    own_server.stop()
    expect(simulation.figure.locator(".stage")).to_have_attribute("data-state", "lost")
    assert page.locator("main p").first.inner_text() == text
    own_server.start()
    simulation.ready()
    assert simulation.setting("norm") == "layer"
    simulation.button("Step").click()
    simulation.wait_for_step(1)
    context.close()


def test_a_cut_connection_is_mounted_again_into_the_same_state(page: Page) -> None:
    sockets: list[WebSocketRoute] = []

    def between(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    page.route_web_socket(re.compile("/app/ws"), between)
    page.goto(LINK)
    simulation = OnPage(page, "degradation").ready()
    simulation.slider("Depth").press("ArrowRight")
    expect(page).to_have_url(re.compile(r"degradation\.depth=10"))
    page.faults.expected = ("not connected",)
    stage = Witness(simulation.figure.locator(".stage"), "element.dataset.state")
    sockets[-1].close()
    stage.wait_for("lost", "ready")
    simulation.ready()
    assert len(sockets) == 2
    assert simulation.setting("depth") == "10"
    assert simulation.setting("norm") == "layer"


def test_two_tabs_of_one_reader_do_not_disturb_each_other(page: Page) -> None:
    page.goto(LINK)
    one = OnPage(page, "degradation").ready()
    second = page.context.new_page()
    second.goto(LINK.replace("depth=8", "depth=12"))
    other = OnPage(second, "degradation").ready()
    page.bring_to_front()
    one.button("Step").click()
    one.wait_for_step(1)
    assert (one.setting("depth"), other.setting("depth")) == ("8", "12")
    assert other.step == 0


def test_a_closed_tab_stops_its_run(browser: Browser, server: Server, page: Page) -> None:
    context = browser.new_context(base_url=server.url)
    leaving = context.new_page()
    watch(leaving, server.url)
    leaving.goto("degradation?degradation.training_steps=2400")
    training = OnPage(leaving, "degradation").ready()
    training.speed("A tenth")
    training.button("Train").click()
    training.wait_for_step(1)
    page.goto("")
    running = "async () => (await (await fetch('health')).json()).training"
    assert page.evaluate(running) > 0
    context.close()
    page.wait_for_function(f"async () => await ({running})() === 0", polling=200, timeout=PATIENCE)


@pytest.mark.parametrize("count", [20])
def test_many_sessions_leave_nothing_behind(server: Server, count: int, page: Page) -> None:
    from tests.browser.raw_client import RawClient

    clients = [RawClient(server.url, "published") for _ in range(count)]
    assert all(client.manifest["token"] for client in clients)
    page.goto("")
    page.wait_for_function(
        "async () => (await (await fetch('health')).json()).sessions === 0", polling=500, timeout=PATIENCE
    )
