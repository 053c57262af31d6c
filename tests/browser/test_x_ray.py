"""The X-ray's page: a game is played to its end, and a dropped file is drawn or refused with a sentence."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from sims.xray.additions import Addition, Contents
from sims.xray.report import Report
from tools.figure_on_page import OnPage


@pytest.fixture
def opened(page: Page) -> Page:
    page.goto("x-ray")
    expect(page.locator("html")).to_have_attribute("data-alive", "")
    return page


def report(additions: int = 6, model: str = "Net") -> str:
    rows = tuple(
        Addition(
            *(number, f"h.{number}", 0, 0, "", "identity", (), (), 0, (8, 4), 1.0, True, "linear", False, ("sum",)),
            stream=1.0 + number,
            branch=0.5,
            identity_share=0.8,
            gradient=0.0 if number == 2 else 1e-3,
        )
        for number in range(additions)
    )
    return Report(Contents(rows, model=model)).to_json()


def drop(page: Page, text: str) -> None:
    """Drop a file with this text, as a reader would with the mouse."""
    transfer = page.evaluate_handle(
        """text => {
          const transfer = new DataTransfer()
          transfer.items.add(new File([text], 'report.json'))
          return transfer
        }""",
        text,
    )
    page.dispatch_event(".report", "drop", {"dataTransfer": transfer})


def test_a_report_is_drawn_beside_a_healthy_network(opened: Page) -> None:
    drop(opened, report())
    expect(opened.locator(".report .said")).to_contain_text("Net: 6 residual additions")
    expect(opened.locator(".report .said")).to_contain_text("Pre-LN, 6 blocks")
    assert opened.locator(".report svg").count() == 3
    assert opened.locator(".report circle.zero").count() == 1


def test_names_in_a_report_are_only_text(opened: Page) -> None:
    drop(opened, report(model="<img src=x onerror=alert(1)>"))
    expect(opened.locator(".report .said")).to_contain_text("<img src=x")
    assert opened.locator(".report img").count() == 0


def test_wrong_and_huge_files_have_a_sentence(opened: Page, tmp_path: Path) -> None:
    said = opened.locator(".report .said")
    drop(opened, "no report")
    expect(said).to_contain_text("not JSON")
    drop(opened, json.dumps({**json.loads(report()), "schema": 99}))
    expect(said).to_contain_text("version “99”")
    huge = tmp_path / "huge.json"
    huge.write_text(" " * 2_100_000)
    opened.set_input_files(".report input", huge)
    expect(said).to_contain_text("too large")
    assert opened.locator(".report svg").count() == 0
    drop(opened, report())
    expect(said).to_contain_text("6 residual additions")


def test_nothing_of_a_report_is_sent(opened: Page) -> None:
    sent: list[str] = []
    opened.on("request", lambda request: sent.append(request.post_data or ""))
    drop(opened, report(model="Secret"))
    expect(opened.locator(".report .said")).to_contain_text("Secret")
    assert not any("Secret" in body for body in sent)


@pytest.mark.exhaustive
def test_a_game_is_played_to_its_end(page: Page) -> None:
    page.goto("x-ray?find_illness.seed=4&v=2")
    game = OnPage(page, "find_illness").ready()
    game.button("Train").click()
    game.wait_for_status("finished")
    live = game.figure.locator(".live")
    expect(live).to_contain_text("Choose your diagnosis")
    game.figure.get_by_label("Your diagnosis").select_option(label="Branches end in a ReLU")
    expect(live).to_contain_text("Right: branches end in a ReLU")
    expect(live).to_contain_text("The X-ray said")
    game.button("New seed").click()
    expect(live).not_to_contain_text("The X-ray said")
    expect(game.figure.get_by_label("Your diagnosis").locator("option:checked")).to_have_text("Not answered yet")


def test_the_xray_file_can_be_downloaded(page: Page) -> None:
    response = page.request.get("xray.py")
    assert response.ok
    assert "def xray(" in response.text()
