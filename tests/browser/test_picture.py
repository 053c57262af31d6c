"""One picture of a whole figure: every plot where the page has it, in the reader's colors, and nothing cut off."""

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page

from tests.browser.conftest import watch
from tests.tiers import first
from tools.figure_on_page import OnPage
from tools.local_server import Server

SHARP, MARGIN = 2, 24
"""As in app/static/figure/picture.js"""

PLOTS = """id => {
    const {stage, surfaces, document} = window.simulations.get(id), home = stage.getBoundingClientRect()
    const figures = [...document._all_models.values()].filter(model => model.type === 'Figure')
    return [
        ...figures.map(figure => [Bokeh.index.find_one(figure).el, figure.title?.visible ? figure.title.text : '']),
        ...surfaces.map(surface => [surface.controls.view, surface.title]),
    ].map(([element, title]) => [element.getBoundingClientRect(), title])
        .filter(([{width}]) => width).map(([{left, width, height}, title]) => [left - home.left, width, height, title])
}"""
"""Left edge, width, height and title of every plot that is seen"""

DARK = 90
"""A level of gray below which a background counts as dark"""


@pytest.fixture
def opened(browser: Browser, server: Server) -> Iterator[Callable[..., OnPage]]:
    """Open a figure of a page with the reader's colors."""
    contexts, faults = [], []

    def open_page(slug: str, name: str, ready: bool = True, **options: Any) -> OnPage:
        context = browser.new_context(base_url=server.url, viewport={"width": 1280, "height": 900}, **options)
        contexts.append(context)
        page = context.new_page()
        faults.append(watch(page, server.url))
        page.goto(slug)
        on_page = OnPage(page, name)
        return on_page.ready() if ready else on_page.arrived()

    yield open_page
    for context in contexts:
        context.close()
    assert [left for fault in faults for left in fault.left()] == []


def saved(on_page: OnPage, kind: str, folder: Path) -> Path:
    """The file of that kind from the figure's menu."""
    with on_page.page.expect_download() as download:
        on_page.more(kind).click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


def plots(page: Page, name: str) -> list[tuple[float, float, float, str]]:
    boxes: list[tuple[float, float, float, str]] = page.evaluate(PLOTS, name)
    return boxes


def looked(file: Path) -> np.ndarray:
    """The picture in gray: (rows, columns)."""
    return np.asarray(Image.open(file).convert("L"), int)


CASES = {"degradation": "degradation", "shortcut": "dataflow", "landscape": "landscape"}


@pytest.mark.parametrize(("slug", "name"), first(1, CASES.items()))
@pytest.mark.parametrize("scheme", first(1, ["dark", "light"]))
def test_it_is_complete_sharp_and_in_the_readers_colors_and_says_no_answer_before_the_prediction(
    slug: str, name: str, scheme: str, opened: Callable[..., OnPage], tmp_path: Path
) -> None:
    on_page = opened(slug, name, ready=False, color_scheme=scheme)
    if on_page.is_unanswered:
        text = saved(on_page, "SVG", tmp_path).read_text(encoding="utf-8")
        assert ">Before the prediction<" in text
        assert "training error is" not in text
    assert on_page.is_unanswered == (name == "degradation")
    on_page.ready()
    assert_sharp(on_page, scheme, tmp_path)
    assert_complete(on_page, f"/{slug}#{name}", tmp_path)


def assert_sharp(on_page: OnPage, scheme: str, folder: Path) -> None:
    """The PNG has every plot, with twice as many pixels and in the reader's colors."""
    gray = looked(saved(on_page, "PNG", folder))
    stage = on_page.figure.locator(".stage").bounding_box()
    assert stage
    boxes = plots(on_page.page, on_page.name)
    assert gray.shape[1] == SHARP * (round(stage["width"]) + 2 * MARGIN)
    assert gray.shape[0] > SHARP * max(height for _left, _width, height, _title in boxes)
    background = gray[0, 0]
    assert (background < DARK) == (scheme == "dark")
    ink = gray != background
    for left, width, _height, _title in boxes:
        columns = slice(SHARP * round(MARGIN + left), SHARP * round(MARGIN + left + width))
        assert ink[:, columns].any(axis=0).mean() > 0.8
    edge = SHARP * MARGIN // 2
    assert not any(side.any() for side in (ink[:edge], ink[-edge:], ink[:, :edge], ink[:, -edge:]))


def assert_complete(on_page: OnPage, source: str, folder: Path) -> None:
    """The SVG has every title, the sentence, and where it is from."""
    root = ET.parse(saved(on_page, "SVG", folder)).getroot()
    words = " ".join("".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text"))
    for title in (
        *(title for *_box, title in plots(on_page.page, on_page.name)),
        on_page.figure.locator(".title").inner_text(),
    ):
        assert title in words
    sentence = on_page.figure.locator(".live").inner_text()
    assert " ".join(sentence.split()) in " ".join(words.split())
    assert source in words.replace(" ", "")


@pytest.mark.exhaustive
def test_measures_are_in_it_when_their_fold_is_open(opened: Callable[..., OnPage], tmp_path: Path) -> None:
    on_page = opened("degradation", "degradation")
    without = looked(saved(on_page, "PNG", tmp_path))
    staged = len(plots(on_page.page, "degradation"))
    on_page.button("Measure it").click()
    on_page.page.wait_for_function(f"() => ({PLOTS})('degradation').length > {staged}")
    measured = looked(saved(on_page, "PNG", tmp_path))
    assert measured.shape[1] == without.shape[1]
    assert measured.shape[0] > without.shape[0] + SHARP * 100
