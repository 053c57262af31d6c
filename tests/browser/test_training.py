"""A reader trains: the networks of chapter 0 really learn, and every button does what it says."""

import os
import signal
import subprocess

import pytest
from playwright.sync_api import Page, expect

from tests.browser.reader import unseen
from tools.figure_on_page import OnPage
from tools.local_server import Server

QUICK = "degradation?degradation.depth=8&degradation.training_steps=200&degradation.seeds=2&degradation.width=16"
ALONE = f"embed/{QUICK.replace('degradation.', '')}"
"""The figure without its chapter, which takes twice the processor time to open"""


@pytest.fixture
def training(page: Page) -> OnPage:
    page.goto(unseen(ALONE, "degradation"))
    return OnPage(page, "degradation").ready()


def workers(server: Server) -> list[int]:
    """The processes that compute: the leaves of the server's process tree."""
    table = subprocess.check_output(["ps", "-eo", "pid=,ppid=,args=", "-ww"], text=True)
    children: dict[int, list[int]] = {}
    commands: dict[int, str] = {}
    for pid, parent, command in (line.split(maxsplit=2) for line in table.splitlines()):
        children.setdefault(int(parent), []).append(int(pid))
        commands[int(pid)] = command
    assert server.process is not None
    ahead, leaves = [server.process.pid], []
    while ahead:
        pid = ahead.pop()
        ahead += children.get(pid, [])
        if pid not in children and "forkserver" in commands[pid]:
            leaves.append(pid)
    return leaves


def test_training_runs_to_its_end_and_is_described(training: OnPage) -> None:
    assert training.step == 0
    training.button("Train").click()
    training.wait_for_status("finished")
    assert training.step == 200
    expect(training.figure.locator(".live")).to_contain_text("After 200 of 200 steps at depth 8")


def test_it_is_paused_stepped_and_resumed_and_the_focus_stays_at_the_button(training: OnPage) -> None:
    """Two presses come before the page hears of the first one, so that both say Train, and train."""
    training.speed("A tenth")
    training.button("Train").evaluate("button => { button.click(); button.click() }")
    training.wait_for_step(3)
    training.button("Pause").click()
    training.wait_for_status("paused")
    step = training.step
    assert step < 200
    training.button("Step").click()
    training.wait_for_step(step + 1)
    training.wait_for_status("paused")
    assert training.step == step + 1
    training.button("Train").focus()
    training.page.keyboard.press("Enter")
    expect(training.button("Pause")).to_be_focused()
    training.wait_for_step(step + 2)
    training.page.keyboard.press("Enter")
    training.wait_for_status("paused")
    expect(training.button("Train")).to_be_focused()


# Also what the server says after this, such as its own estimate, comes with these seconds.
RELABEL = """id => {
    const {controls, live} = simulations.get(id), {offer} = controls
    controls.offer = live => offer.call(controls, {...live, seconds: 3_900})
    controls.offer(live)
}"""


@pytest.mark.parametrize("key", ["", " "])
def test_a_press_counts_while_the_button_gets_another_label(training: OnPage, key: str) -> None:
    """How long a run takes is known a moment after its picture, when a reader may be pressing."""
    train, page = training.button("Train"), training.page
    train.hover()
    train.focus()
    page.keyboard.down(key) if key else page.mouse.down()
    page.evaluate(RELABEL, training.name)
    page.keyboard.up(key) if key else page.mouse.up()
    training.wait_for_step(1)


def test_a_button_that_is_let_go_gets_its_label_and_one_that_is_drawn_anew_keeps_the_focus(training: OnPage) -> None:
    page, train = training.page, training.button("Train")
    train.hover()
    page.mouse.down()
    page.evaluate(RELABEL, training.name)
    expect(train).not_to_contain_text("about 65 min")
    page.mouse.move(0, 0)
    page.mouse.up()
    expect(train).to_have_text("Train this (about 65 min)")
    assert training.step == 0
    train.focus()
    before = train.element_handle()
    page.evaluate(
        "id => simulations.get(id).controls.buttons.play.setv({label: 'Train it'}, {sync: false})", training.name
    )
    page.wait_for_function("button => !button.isConnected", arg=before)
    expect(training.button("Train it")).to_be_focused()


@pytest.mark.exhaustive
def test_restart_gives_the_same_numbers_and_a_new_seed_gives_others(training: OnPage) -> None:
    def run_to_end() -> str:
        training.button("Train").click()
        training.wait_for_status("finished")
        return training.figure.locator(".live").inner_text()

    seed = int(training.setting("seed"))
    first = run_to_end()
    training.button("Restart").click()
    training.wait_for_status("ready")
    assert run_to_end() == first
    training.button("New seed").click()
    training.wait_for_status("ready")
    assert int(training.setting("seed")) == seed + 1
    assert run_to_end() != first


@pytest.mark.exhaustive
def test_a_killed_worker_costs_nothing(training: OnPage, server: Server) -> None:
    training.button("Train").click()
    training.wait_for_status("finished")
    undisturbed = training.figure.locator(".live").inner_text()
    training.button("Restart").click()
    training.wait_for_status("ready")
    training.speed("A tenth")
    training.button("Train").click()
    training.wait_for_step(5)
    killed = workers(server)
    assert killed
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    assert training.step < 200
    training.speed("Full speed")
    training.wait_for_status("finished")
    assert training.figure.locator(".live").inner_text() == undisturbed
    assert not set(killed) & set(workers(server))


@pytest.mark.exhaustive
def test_a_run_out_of_view_pauses_and_goes_on_when_seen(page: Page) -> None:
    page.goto(unseen(QUICK, "degradation"))
    training = OnPage(page, "degradation").ready()
    training.speed("A tenth")
    training.button("Train").click()
    training.wait_for_step(3)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    training.wait_for_status("paused")
    step = training.step
    assert step < 200
    training.figure.scroll_into_view_if_needed()
    training.wait_for_step(step + 1)


def test_a_figure_that_opens_at_the_start_stays_there_and_goes_on_from_it(page: Page) -> None:
    page.goto("matrices")
    figure = OnPage(page, "two_gradients").ready()
    assert figure.step == 0
    page.evaluate(
        """() => {
          window.steps = new Set()
          setInterval(() => window.steps.add(window.simulations.get('two_gradients').live.step ?? 0), 10)
        }"""
    )
    figure.button("Step").click()
    figure.wait_for_step(1)
    page.wait_for_function("() => [...window.steps].at(-1) > 0")
    assert page.evaluate("[...window.steps]") == [0, 1]
