"""What gets lost comes back: sockets, sessions, servers, tabs."""

import json
import re
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.browser.conftest import watch
from tests.browser.reader import unseen
from tools.figure_on_page import OnPage
from tools.local_server import PATIENCE, Server

LONG = "degradation?degradation.training_steps=2400"
LINK = "degradation?degradation.depth=8&degradation.width=16&degradation.seeds=1&degradation.norm=layer"


@pytest.mark.exhaustive
def test_a_server_that_restarts_gives_the_same_simulation_back(browser: Browser, own_server: Server) -> None:
    own_server.start()
    context = browser.new_context(base_url=own_server.url)
    page = context.new_page()
    page.goto(LINK)
    simulation = OnPage(page, "degradation").ready()
    expect(simulation.figure).to_have_attribute("data-session", "live")
    words = simulation.figure.locator(".live").inner_text()
    own_server.stop()
    expect(simulation.figure).to_have_attribute("data-session", "none")
    assert simulation.figure.locator(".live").inner_text() == words
    own_server.start()
    simulation.button("Step").click()
    simulation.wait_for_step(1)
    assert simulation.setting("norm") == "layer"
    context.close()


@pytest.mark.exhaustive
def test_a_cut_connection_leaves_the_picture_and_comes_back_when_it_is_needed(page: Page) -> None:
    sockets: list[WebSocketRoute] = []

    def between(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    page.route_web_socket(re.compile("/app/ws"), between)
    page.goto(LINK)
    simulation = OnPage(page, "degradation").ready()
    simulation.slider("Depth").press("ArrowRight")
    expect(page).to_have_url(re.compile(r"degradation\.depth=10"))
    expect(simulation.figure).to_have_attribute("data-session", "live")
    page.faults.expected = ("not connected",)
    sockets[-1].close()
    expect(simulation.figure).to_have_attribute("data-session", "none")
    expect(simulation.figure.locator(".stage")).to_have_attribute("data-state", "ready")
    simulation.slider("Depth").press("ArrowRight")
    expect(page).to_have_url(re.compile(r"degradation\.depth=12"))
    assert len(sockets) == 2
    assert simulation.setting("norm") == "layer"


@pytest.mark.exhaustive
def test_a_run_that_is_cut_off_goes_on(page: Page) -> None:
    sockets: list[WebSocketRoute] = []

    def between(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    page.route_web_socket(re.compile("/app/ws"), between)
    page.goto(unseen(LINK, "degradation"))
    simulation = OnPage(page, "degradation").ready()
    simulation.speed("A tenth")
    simulation.button("Train").click()
    simulation.wait_for_step(2)
    page.faults.expected = ("not connected",)
    simulation.speed("Full speed")
    sockets[-1].close()
    simulation.wait_for_status("finished")
    assert len(sockets) == 2


def test_a_run_is_at_its_step_after_a_reload(page: Page) -> None:
    simulation = training(page)
    simulation.button("Pause").click()
    simulation.wait_for_status("paused")
    reached = simulation.step
    page.reload()
    expect(simulation.figure.locator(".notes")).to_contain_text(f"Your run was kept, up to step {reached}")
    simulation.wait_for_status("paused")
    assert simulation.step == reached


def training(page: Page) -> OnPage:
    """A run that takes a while, and has begun."""
    page.set_default_timeout(PATIENCE)
    page.goto(unseen(LONG, "degradation"))
    page.evaluate("window.still = true")
    simulation = OnPage(page, "degradation").ready()
    simulation.speed("A tenth")
    simulation.button("Train").click()
    simulation.wait_for_step(3)
    return simulation


@pytest.mark.exhaustive
def test_a_run_goes_on_by_itself_when_its_server_is_replaced(
    browser: Browser, own_server: Server, tmp_path: Path
) -> None:
    own_server.settings["SKIP_RUNS"] = str(tmp_path)
    own_server.start()
    context = browser.new_context(base_url=own_server.url)
    page = context.new_page()
    simulation = training(page)
    assert own_server.stop() == 0
    assert "Traceback" not in own_server.log()
    expect(simulation.figure.locator(".stage-message")).to_contain_text("the run waits at step")
    reached = simulation.step
    own_server.start()
    expect(simulation.figure.locator(".notes")).to_contain_text("Your run was kept, up to step")
    words = simulation.figure.locator(".notes").inner_text()
    assert int(words.rpartition("step ")[2].strip(".")) >= reached
    simulation.wait_for_step(reached + 1)
    expect(simulation.button("Pause")).to_be_visible()
    expect(simulation.figure.locator(".stage-message")).to_have_text("")
    assert page.evaluate("window.still")
    context.close()


@pytest.mark.exhaustive
def test_a_run_restarts_by_itself_when_its_server_was_killed(browser: Browser, own_server: Server) -> None:
    own_server.start()
    context = browser.new_context(base_url=own_server.url)
    page = context.new_page()
    simulation = training(page)
    assert own_server.process
    own_server.process.kill()
    own_server.process.wait()
    own_server.start()
    expect(simulation.figure.locator(".notes")).to_contain_text("it has begun anew")
    simulation.wait_for_step(2)
    assert page.evaluate("window.still")
    context.close()


@pytest.mark.exhaustive
def test_a_hidden_run_that_gave_up_its_session_goes_on_when_it_is_seen(
    browser: Browser, own_server: Server, tmp_path: Path
) -> None:
    own_server.settings |= {"SKIP_RUNS": str(tmp_path), "SKIP_SESSIONS": "1"}
    own_server.start()
    context = browser.new_context(base_url=own_server.url)
    page = context.new_page()
    simulation = training(page)
    page.mouse.move(0, 0)
    # Its reader leaves and looks back, and is gone before the server has answered.
    page.evaluate("for (const seen of [false, true, false]) window.simulations.get('degradation').session.watch(seen)")
    page.locator("footer").scroll_into_view_if_needed()
    simulation.wait_for_status("paused")
    reached = simulation.step
    with urllib.request.urlopen(f"{own_server.url}/open?simulation=published&place=raw", timeout=60) as answer:
        assert json.load(answer)["token"]
    expect(simulation.figure).to_have_attribute("data-session", "none")
    # Nobody joins the other session, so that its place is free soon.
    page.wait_for_function("async () => (await (await fetch('health')).json()).sessions === 0", polling=500)
    simulation.figure.scroll_into_view_if_needed()
    expect(simulation.figure.locator(".notes")).to_contain_text(f"Your run was kept, up to step {reached}")
    simulation.wait_for_step(reached + 1)
    context.close()


@pytest.mark.exhaustive
def test_two_tabs_of_one_reader_do_not_disturb_each_other(page: Page) -> None:
    link = unseen(LINK, "degradation")
    page.goto(link)
    one = OnPage(page, "degradation").ready()
    second = page.context.new_page()
    second.goto(link.replace("depth=8", "depth=12"))
    other = OnPage(second, "degradation").ready()
    page.bring_to_front()
    one.button("Step").click()
    one.wait_for_step(1)
    assert (one.setting("depth"), other.setting("depth")) == ("8", "12")
    assert other.step == 0


@pytest.mark.exhaustive
def test_a_duplicated_tab_leaves_the_first_one_its_run(page: Page) -> None:
    sockets: list[WebSocketRoute] = []

    def between(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    page.route_web_socket(re.compile("/app/ws"), between)
    simulation = training(page)
    simulation.button("Pause").click()
    simulation.wait_for_status("paused")
    reached = simulation.step
    with page.context.expect_page() as opened:
        page.evaluate("void window.open(location.href)")
    copy = OnPage(opened.value, "degradation").ready()
    expect(copy.figure).to_have_attribute("data-session", "live")
    page.bring_to_front()
    simulation.button("Step").click()
    simulation.wait_for_step(reached + 1)
    page.faults.expected = ("not connected",)
    sockets[0].close()
    expect(simulation.figure).to_have_attribute("data-session", "none")
    simulation.button("Step").click()
    expect(simulation.figure.locator(".notes")).to_contain_text(f"Your run was kept, up to step {reached + 1}")
    simulation.wait_for_step(reached + 2)


@pytest.mark.exhaustive
def test_a_closed_tab_stops_its_run(browser: Browser, server: Server, page: Page) -> None:
    context = browser.new_context(base_url=server.url)
    leaving = context.new_page()
    watch(leaving, server.url)
    leaving.goto(unseen("degradation?degradation.training_steps=2400", "degradation"))
    training = OnPage(leaving, "degradation").ready()
    training.speed("A tenth")
    training.button("Train").click()
    training.wait_for_step(1)
    page.goto("")
    running = "async () => (await (await fetch('health')).json()).training"
    assert page.evaluate(running) > 0
    context.close()
    page.wait_for_function(f"async () => await ({running})() === 0", polling=200, timeout=PATIENCE)


@pytest.mark.exhaustive
@pytest.mark.parametrize("count", [20])
def test_many_sessions_leave_nothing_behind(server: Server, count: int, page: Page) -> None:
    from tests.browser.raw_client import RawClient

    clients = [RawClient(server.url, "published") for _ in range(count)]
    assert all(client.manifest["token"] for client in clients)
    page.goto("")
    page.wait_for_function(
        "async () => (await (await fetch('health')).json()).sessions === 0", polling=500, timeout=PATIENCE
    )
