"""The site as files, from nothing but a file server: pages are read, pictures are there, downloads work."""

import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Route, expect

from app.pages.document.figure_placement import FigurePlacement
from app.pages.output import cached_page
from app.pages.output.build import Builder
from app.pages.text.numerals import typeset
from app.prerender import picture, states
from app.prerender.build import put
from sims.simulations.depth.degradation import Degradation
from sims.simulations.loss_surfaces import perturbation
from tests.browser.conftest import watch
from tests.engines.wasm.modules import modules
from tools.figure_on_page import OnPage, unfolded
from tools.static_site import keepable, write

# To write the site takes 20 seconds of two cores; its files are also read by tests/tools/test_static_site.py.
pytestmark = pytest.mark.exhaustive

PAGES = {"gradient-paths": "gradient_floor", "shortcut": "dataflow", "landscape": "scripted_surface"}
TRAINS = "degradation"
"""The page of a figure that browsers train"""

COMPUTES = "theories"
"""The page of a figure that only a server computes for other settings"""

LACKING = "throw new Error('this thread cannot do anything')"
"""A worker that fails at once"""

FAILS_LATER = """
let pieces = 0
addEventListener('message', ({data}) => {
  if (data.kind === 'advance' && ++pieces === 3) throw new Error('out of memory')
})
"""
"""Code of a worker that fails during a run"""

SLOW = "const now = performance.now.bind(performance); performance.now = () => 1000 * now()"
"""Code of a worker that takes itself for slow"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("site")
    builder = Builder()
    codes = [f"code-{name}" for name in PAGES.values()]
    slugs = ("home", *PAGES, "embed/gradient_floor", *codes, TRAINS, COMPUTES)
    pages = [cached_page.load(builder.version, slug) or builder.page(slug) for slug in slugs]
    for page in pages:
        for key, data in page.places.items():
            put(key, FigurePlacement(**data))
            if data["name"] == "gradient_floor":
                scrubbed(key, FigurePlacement(**data))
            if data["name"] == TRAINS:
                first_states(key, FigurePlacement(**data))
    states.tables({example["table"]: example for example in pages[len(PAGES)].examples.values()})
    modules()
    write(folder, pages, "https://live.example/")
    return folder


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with served(site) as address:
        yield address


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A file server without a log; a browser may leave while it is still sent something."""

    def handle(self) -> None:
        with suppress(ConnectionError):
            super().handle()

    def log_message(self, format: str, *arguments: object) -> None:
        del format, arguments


class WithoutEndings(Quiet):
    """A file server that redirects from the files of pages to addresses without `.html`, as many hosts do."""

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path.endswith(".html"):
            self.send_response(301)
            self.send_header("Location", path.removesuffix(".html").removesuffix("index"))
            self.end_headers()
            return
        if Path(self.translate_path(f"{path}.html")).is_file():
            self.path = f"{path}.html"
        super().do_GET()


@contextmanager
def served(folder: Path, handler: type[Quiet] = Quiet) -> Iterator[str]:
    """Serve a folder as files; gives its address."""
    handling = functools.partial(handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handling) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def scrubbed(key: str, placement: FigurePlacement) -> None:
    """Put the states on the shelf in which only one control is away from what the page shows."""
    own = placement.simulation().settings()
    for name, simulation in picture.states(placement):
        changed = [control for control in ("gain", "blocks") if getattr(simulation, control) != own[control]]
        if len(changed) == 1:
            states.stand(key, placement, name, simulation)
    states.bind({key: placement})


def first_states(key: str, placement: FigurePlacement) -> None:
    """Put the state on the shelf that is nearest to what the page shows."""
    for name, simulation in islice(picture.states(placement), 1):
        states.stand(key, placement, name, simulation)
    states.bind({key: placement})


def shows(figure: OnPage, control: str, text: str) -> None:
    """Wait until a control of a figure has this value."""
    figure.page.wait_for_function(
        "([name, control, text]) => window.simulations.get(name).live.values[control] === text",
        arg=[figure.name, control, text],
    )


@pytest.mark.parametrize(("slug", "name"), PAGES.items())
def test_a_chapter_is_read_without_a_server(browser: Browser, address: str, slug: str, name: str) -> None:
    page = browser.new_page()
    faults = watch(page, address)
    page.goto(f"{address}{slug}.html")
    on_page = OnPage(page, name).ready()
    with page.expect_download() as text:
        on_page.more("CSV").click()
    assert text.value.path().read_text().startswith("#")
    with page.expect_download() as archive:
        on_page.more("NPZ").click()
    with np.load(archive.value.path()) as arrays:
        assert "about" in arrays
    on_page.more("The code").click()
    expect(on_page.figure.locator("details.source pre")).to_contain_text("class ")
    page.locator("a.brand").click()
    expect(page).to_have_url(f"{address}index.html")
    page.close()
    assert faults.left() == []


def test_a_figure_trains_without_a_server(browser: Browser, address: str) -> None:
    page = browser.new_page()
    faults = watch(page, address)
    page.goto(f"{address}{TRAINS}.html?degradation.depth=4&degradation.width=16&degradation.training_steps=200&v=2")
    figure = OnPage(page, TRAINS).ready()
    assert figure.step == 0
    figure.button("Train").click()
    figure.wait_for_status("finished")
    small = Degradation(depth=4, width=16, training_steps=200)
    trained = small.frame(small.advance(small.start(), 200))
    expect(figure.figure.locator(".live")).to_have_text(small.describe(trained))
    with page.expect_download() as file:
        figure.more("NPZ").click()
    with np.load(file.value.path()) as arrays:
        for name in ("plain_train_loss", "residual_gradients"):
            np.testing.assert_array_equal(arrays[name], trained[name])
    # Back to what the page began with: its kept run is shown again, in both ways.
    figure.more("Reset").click()
    expect(figure.figure.locator("[data-disclosure=computed]")).to_contain_text("came with this page")
    figure.menu()
    figure.figure.get_by_text("Test", exact=True).first.click()
    expect(figure.figure.locator(".live")).to_contain_text("the test error is")
    page.close()
    assert faults.left() == []


def test_a_browser_without_webassembly_keeps_the_picture(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.route(
        "**/training/threads/worker.js", lambda route: route.fulfill(body=LACKING, content_type="text/javascript")
    )
    page.goto(f"{address}{TRAINS}.html")
    figure = OnPage(page, TRAINS).ready()
    said = figure.figure.locator(".live").inner_text()
    figure.button("Train").click()
    failed = "A thread of this browser has failed: Uncaught Error: this thread cannot do anything."
    kept = "The picture is that of the run that came with this page."
    expect(figure.figure.locator(".progress .status")).to_have_text(f"{failed} {kept}")
    expect(figure.figure.locator(".live")).to_have_text(said)
    page.close()


def test_a_thread_that_fails_during_a_run_is_replaced(browser: Browser, address: str) -> None:
    page = browser.new_page()
    broken = []

    def failing_once(route: Route) -> None:
        answer = route.fetch()
        fails = "" if broken else FAILS_LATER
        broken.append(route.request.url)
        route.fulfill(response=answer, body=f"{SLOW}\n{fails}\n{answer.text()}")

    page.route("**/training/threads/worker.js", failing_once)
    page.goto(f"{address}{TRAINS}.html?degradation.depth=4&degradation.width=16&degradation.training_steps=200&v=2")
    figure = OnPage(page, TRAINS).ready()
    figure.button("Train").click()
    notes = figure.figure.locator(".notes")
    expect(notes).to_contain_text("has failed: Uncaught Error: out of memory. The run has begun again.")
    figure.wait_for_status("finished")
    small = Degradation(depth=4, width=16, training_steps=200)
    expect(figure.figure.locator(".live")).to_have_text(small.describe(small.frame(small.advance(small.start(), 200))))
    # The next run says how long it takes where clocks are a thousand times as fast.
    figure.button("New seed").click()
    figure.button("Train").click()
    expect(notes).to_contain_text("minutes for the whole run")
    figure.wait_for_status("finished")
    page.close()


def test_an_offline_copy_opens_and_trains_without_a_network(browser: Browser, site: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    shutil.copytree(site, folder)
    keepable(folder)
    context = browser.new_context()
    page = context.new_page()
    with served(folder) as address:
        page.goto(f"{address}landscape.html")
        page.get_by_role("button", name="Keep this site in this browser").click()
        expect(page.locator("footer .offline")).to_have_text(
            "The site is kept in this browser: it opens without a network."
        )
    # The server is gone now.
    page.goto(f"{address}{TRAINS}.html?degradation.depth=4&degradation.width=8&degradation.training_steps=200&v=2")
    figure = OnPage(page, TRAINS).ready()
    figure.button("Train").click()
    figure.wait_for_status("finished")
    expect(page.locator("footer .offline")).to_contain_text("it opens without a network")
    context.close()


def test_a_copy_from_a_host_that_redirects_opens_without_a_network(
    browser: Browser, site: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "kept"
    shutil.copytree(site, folder)
    keepable(folder)
    context = browser.new_context()
    page = context.new_page()
    with served(folder, WithoutEndings) as address:
        page.goto(f"{address}landscape.html")
        expect(page).to_have_url(f"{address}landscape")
        page.get_by_role("button", name="Keep this site in this browser").click()
        expect(page.locator("footer .offline")).to_contain_text("it opens without a network")
    # The server is gone now.
    for name, slug in {"": "home", "landscape": "landscape", "shortcut.html": "shortcut"}.items():
        page.goto(f"{address}{name}")
        expect(page.locator("body")).to_have_attribute("data-page", slug)
    context.close()


def test_what_needs_a_server_says_where_there_is_one(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}{COMPUTES}.html")
    piles = OnPage(page, "sum_formula").ready()
    piles.slider("Gain of every branch").press("ArrowRight")
    link = piles.figure.locator(".no-server").get_by_role("link", name="Where there is one")
    expect(link).to_have_attribute("href", "https://live.example/theories#sum_formula")
    expect(piles.figure.locator(".stage-message")).to_be_empty()
    shows(piles, "gain", "0.5")
    expect(piles.slider("Gain of every branch")).to_have_attribute("aria-valuenow", "0.5")
    page.goto(f"{address}landscape.html")
    landscape = OnPage(page, "landscape").ready()
    expect(landscape.button("Train")).to_be_disabled()
    expect(landscape.figure.locator(".no-server")).to_be_visible()
    page.close()


def test_a_control_moves_through_the_precomputed_states(browser: Browser, address: str) -> None:
    page = browser.new_page()
    faults = watch(page, address)
    page.goto(f"{address}gradient-paths.html")
    floor = OnPage(page, "gradient_floor").ready()
    gain = floor.slider("Gain of every branch")
    gain.press("ArrowRight")
    shows(floor, "gain", "0.4")
    expect(gain).to_have_attribute("aria-valuenow", "0.4")
    expect(floor.figure.locator(".stage-message")).to_be_empty()
    floor.more("Reset").click()
    shows(floor, "gain", "0.3")
    floor.slider("Blocks").press("ArrowRight")
    shows(floor, "blocks", "50")
    page.close()
    assert faults.left() == []


def test_a_link_of_an_earlier_version_shows_its_state(browser: Browser, address: str) -> None:
    page = browser.new_page()
    faults = watch(page, address)
    page.goto(f"{address}gradient-paths.html?gradient_floor.gain=0.4&v=1")
    shows(OnPage(page, "gradient_floor").ready(), "gain", "0.4")
    page.close()
    assert faults.left() == []


def test_a_figure_alone_is_a_file_that_can_be_scrubbed(browser: Browser, address: str) -> None:
    page = browser.new_page()
    faults = watch(page, address)
    page.goto(f"{address}embed/gradient_floor.html?gain=0.4&v=2")
    floor = OnPage(page, "gradient_floor").ready()
    shows(floor, "gain", "0.4")
    floor.slider("Gain of every branch").press("ArrowLeft")
    shows(floor, "gain", "0.3")
    page.goto(f"{address}embed/gradient_floor.html")
    floor.ready().slider("Gain of every branch").press("ArrowRight")
    shows(floor, "gain", "0.4")
    link = page.locator("footer a")
    expect(link).to_have_attribute("href", f"{address}gradient-paths.html?gradient_floor.gain=0.4&v=2#gradient_floor")
    page.goto(f"{address}gradient-paths.html")
    floor = OnPage(page, "gradient_floor").ready()
    floor.more("Embed it").click()
    expect(floor.figure.locator(".embedding code").first).to_contain_text(f'src="{address}embed/gradient_floor.html"')
    page.close()
    assert faults.left() == []


def test_the_numbers_of_a_worked_example_are_edited_without_a_server(browser: Browser, address: str) -> None:
    page = browser.new_page()
    faults = watch(page, address)
    page.goto(f"{address}landscape.html")
    example = unfolded(page, "#w-rescale")
    example.locator("summary").nth(1).click()
    step = example.get_by_role("slider", name="absolute step in the second weight").first
    step.press("ArrowLeft")
    expected = perturbation.pushed(first=2, second=3, step=0.4)
    expect(example.locator("[data-calc]").first).to_have_text(typeset(expected, ".4g"))
    step.press("Enter")
    field = example.get_by_role("spinbutton", name="absolute step in the second weight")
    field.fill("0.73")
    field.press("Enter")
    expect(example.locator(".remark")).to_have_text(
        "absolute step in the second weight: 0.73 is not one of the steps; 0.7 is used."
    )
    expect(step).to_have_text("0.7")
    expected = perturbation.pushed(first=2, second=3, step=0.7)
    expect(example.locator("[data-calc]").first).to_have_text(typeset(expected, ".4g"))
    page.close()
    assert faults.left() == []


def test_the_pages_are_searched_without_a_server(browser: Browser, address: str) -> None:
    page = browser.new_page()
    faults = watch(page, address)
    page.goto(f"{address}index.html")
    page.keyboard.press("/")
    dialog = page.get_by_role("dialog", name="Search")
    dialog.get_by_role("combobox").fill("the length of a step")
    dialog.get_by_role("option").first.click()
    page.wait_for_url(f"{address}landscape.html#the-length-of-a-step")
    assert faults.left() == []
    page.close()
