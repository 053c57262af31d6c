"""Predictions, worked examples and quizzes as readers use them: by keyboard alone, by hand, on a phone, and offline."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from app.pages.blocks.number_tables import tables
from app.pages.output import site_builder
from app.pages.text.numerals import typeset
from sims.numbers.worked_examples import worked
from tests.browser.conftest import watch
from tests.browser.reader import shown_results, violations
from tests.tiers import first
from tools.figure_on_page import OnPage, unfolded
from tools.local_server import Server

HERE = "degradation"


def stored(page: Page, slug: str = HERE) -> dict[str, object]:
    return json.loads(page.evaluate("localStorage.answers ?? '{}'")).get(slug, {})


def exported(page: Page) -> dict[str, object]:
    """What the button at the foot of the page saves, pressed by keyboard, but for what came out and when."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Export them").press("Enter")
    exported_data: dict[str, dict[str, object]] = json.loads(Path(download.value.path()).read_text())
    for key in ("outcomes", "met"):
        exported_data["answers"].pop(key, None)
    return dict(exported_data)


def commit(prediction: Locator) -> None:
    """Press the button of a prediction by keyboard, once it can be pressed."""
    button = prediction.locator(".commit button")
    expect(button).to_be_enabled()
    button.press("Enter")
    expect(prediction.locator(".yours")).not_to_be_empty()
    expect(prediction.locator(".yours")).to_be_focused()
    expect(prediction.locator(".truth > .because")).to_be_visible()


PLACES = "buttons => buttons.map(button => button.dataset.place)"


def test_a_choice_by_keyboard_is_compared_and_remembered(page: Page) -> None:
    page.goto(HERE)
    prediction = page.locator("#p-insert")
    truth = prediction.locator(".truth > .because")
    expect(truth).not_to_be_visible()
    prediction.get_by_role("radio").first.focus()
    page.keyboard.press("ArrowDown")
    commit(prediction)
    expect(prediction.locator(".yours")).to_contain_text("You said: By rounding errors")
    expect(prediction.locator("[data-mark='✓']")).to_contain_text("to the last bit")
    assert exported(page)["answers"] == {HERE: {"p-insert": 2}}
    page.reload()
    expect(prediction.locator(".yours")).to_contain_text("You said: By rounding errors")
    expect(truth).to_be_visible()
    figure = OnPage(page, "insert_identity").arrived().figure
    expect(figure).not_to_have_attribute("data-hidden", "")
    assert shown_results(figure)


def test_an_order_by_keyboard(page: Page) -> None:
    page.goto("connectivity")
    prediction = page.locator("#p-bill")
    named = {place: prediction.get_by_role("button", name=place) for place in ("not in order", "1 of 3", "3 of 3")}
    expect(named["not in order"]).to_have_count(3)
    expect(prediction.get_by_role("button", name="This is my prediction")).to_be_disabled()
    prediction.get_by_role("button", name="the one that concatenates: not in order yet").press("Enter")
    expect(prediction.locator(".spoken")).to_have_text("the one that concatenates: number 1 of 3.")
    expect(named["1 of 3"]).to_be_focused()
    prediction.get_by_role("button", name="the one that adds").press("Enter")
    expect(named["3 of 3"]).to_have_accessible_name("the one that gates: number 3 of 3")
    prediction.get_by_role("button", name="the one that concatenates").press("Enter")
    expect(prediction.locator(".spoken")).to_have_text("the one that concatenates: number 3 of 3. All are placed.")
    commit(prediction)
    expect(prediction.locator(".yours")).to_contain_text("Your order has 1 of 3 pairs the other way around")
    assert exported(page)["answers"] == {"connectivity": {"p-bill": [1, 3, 2]}}
    page.reload()
    expect(prediction.locator(".true-place")).to_have_text(["true: 2", "✓", "true: 1"])
    expect(prediction.locator(".kind")).to_contain_text("Your prediction")
    assert prediction.locator("[data-place]").evaluate_all(PLACES) == ["1", "3", "2"]


@pytest.mark.exhaustive
def test_a_reader_who_skips_sees_the_true_order(page: Page) -> None:
    page.goto("connectivity")
    prediction = page.locator("#p-bill")
    prediction.get_by_text("Skip and show").click()
    assert prediction.locator("[data-place]").evaluate_all(PLACES) == ["2", "3", "1"]
    # Nobody has answered: no number is filled, and nothing is said to be right.
    expect(prediction.locator(".true-place")).to_have_text([""] * 3)
    expect(prediction.locator(".kind")).to_contain_text("Skipped")
    filled = "options => options.map(option => getComputedStyle(option, '::before').backgroundColor)"
    panel = prediction.evaluate("section => getComputedStyle(section).backgroundColor")
    assert set(prediction.locator("[data-place]").evaluate_all(filled)) == {panel}


def test_an_order_of_the_rows_of_the_figure(page: Page) -> None:
    page.goto("arena")
    figure = OnPage(page, "arena").arrived().figure
    rows, options = figure.locator(".stage [data-place]"), figure.locator(".order [data-place]")
    labels = figure.locator(".order .words")
    expect(labels).to_have_text(["the transformer with Pre-LN", "the plain network", "the dense network"])
    tops = [box["y"] for box in (row.bounding_box() for row in rows.all()) if box]
    assert tops[1] < tops[2] < tops[0]  # the tracks: plain, residual, dense, highway, transformers
    rows.nth(2).click()
    assert options.evaluate_all(PLACES) == ["", "", "1"]
    options.nth(0).click()
    assert rows.evaluate_all(PLACES) == ["2", "3", "1"]
    prediction = figure.locator(".predict > fieldset")
    prediction.evaluate("fieldset => (fieldset.inert = true)")  # as in a class whose answers wait
    rows.nth(2).click()
    assert rows.evaluate_all(PLACES) == ["2", "3", "1"]
    prediction.evaluate("fieldset => (fieldset.inert = false)")
    commit(figure)
    expect(figure.locator(".yours")).to_have_text("You predicted this order.")
    expect(rows.first).to_be_hidden()


CHOSEN = """() => Bokeh.documents.flatMap(document => [...document._all_models.values()])
    .flatMap(model => model.tags.map(tag => tag?.chosen).filter(Boolean)).map(source => [...source.data.text])"""
"""The words at the outlines of rows that were chosen in the figures of a page"""


def test_a_row_of_the_figure_is_chosen(page: Page) -> None:
    page.goto("landscape")
    figure = OnPage(page, "perturbation").arrived().figure
    rows, options = figure.locator(".pressable"), figure.get_by_role("radio")
    page.emulate_media(media="print")
    expect(rows.first).to_be_hidden()
    page.emulate_media(media="screen")
    expect(rows.locator("visible=true")).to_have_count(2)  # the third option is no row
    rows.nth(0).click()
    expect(options.nth(0)).to_be_checked()
    expect(options.nth(0)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_be_checked()
    expect(figure.locator("[data-chosen]")).to_have_count(1)
    expect(rows.nth(1)).to_have_attribute("data-chosen", "")
    expect(rows.nth(1)).to_have_attribute("data-lit", "")
    prediction = figure.locator(".predict > fieldset")
    prediction.evaluate("fieldset => (fieldset.inert = true)")  # as in a class whose answers wait
    rows.nth(0).click()
    expect(options.nth(1)).to_be_checked()
    prediction.evaluate("fieldset => (fieldset.inert = false)")
    assert page.evaluate(CHOSEN) == [[]]
    commit(figure)
    expect(rows.first).to_be_hidden()
    assert page.evaluate(CHOSEN) == [["you"]]
    page.reload()
    OnPage(page, "perturbation").arrived()
    page.wait_for_function(f"String(({CHOSEN})()) === 'you'")


@pytest.mark.parametrize(("slug", "question"), [("language", "p-which"), ("field", "p-swap")])
def test_a_row_of_the_table_is_chosen(page: Page, slug: str, question: str) -> None:
    page.goto(slug)
    card, table = page.locator(f"#{question}"), page.locator(f".covered[data-covered={question}] table")
    option = card.locator("[data-row]").nth(1)
    row = table.locator("tr.pressable:visible").filter(has_text=str(option.get_attribute("data-row"))).first
    option.hover()
    expect(row).to_have_attribute("data-lit", "")
    row.click()
    expect(option.get_by_role("radio")).to_be_checked()
    commit(card)
    chosen = table.locator("tr[data-chosen]:visible")
    expect(chosen).to_have_count(1)
    assert chosen.locator("th").evaluate("head => getComputedStyle(head, '::after').content") == '" you"'
    others = table.locator("tr.pressable:visible:not([data-chosen])")
    others.first.click()
    expect(option.get_by_role("radio")).to_be_checked()


@pytest.mark.exhaustive
def test_a_confidence_by_keyboard_and_how_well_it_was_placed(page: Page) -> None:
    page.goto("experiment")
    prediction = page.locator("#p-1202")
    prediction.get_by_role("radio", name="Yes").press(" ")
    prediction.get_by_role("slider").press("ArrowRight")
    expect(prediction.locator("output")).to_have_text("80%")
    commit(prediction)
    answer = {"said": "yes", "sure": 80, "right": False}
    assert stored(page, "experiment") == {"p-1202": answer}
    page.goto("predictions")
    expect(page.locator(".calibration")).to_be_empty()
    others = {"a": {**answer, "right": True}, "b": {**answer, "sure": 70, "right": True}, "c": {**answer, "sure": 95}}
    page.evaluate(
        "others => localStorage.setItem('answers', JSON.stringify(others))",
        {"shortcut": others, "history": {"p-1202": answer}},
    )
    page.reload()
    expect(page.locator(".calibration")).to_have_text(
        "How sure you were, and how often you were right: 70 to 85% sure: 2 of 3 right; 90 to 100% sure: 0 of 1 right."
    )
    assert exported(page)["calibration"] == [
        {"from": 70, "to": 85, "answers": 3, "right": 2},
        {"from": 90, "to": 100, "answers": 1, "right": 0},
    ]


def heights(prediction: Locator) -> list[str]:
    sliders = prediction.locator(".drawing-board").get_by_role("slider")
    return [str(slider.get_attribute("aria-valuetext")) for slider in sliders.all()]


IN_FIGURE = """() => {
  const {kept} = window.simulations.get('degradation')
  const {line, name} = kept.tagged('drawn')[0].tag.drawn
  return [[...line.get_column('x')], [...line.get_column('y')], [...name.get_column('text')]]
}"""


def test_a_curve_by_keyboard(page: Page) -> None:
    page.goto(HERE)
    OnPage(page, "degradation").arrived()
    prediction = page.locator("#p-curve")
    sliders = prediction.locator(".drawing-board").get_by_role("slider")
    expect(prediction.locator(".commit button")).to_be_disabled()
    sliders.first.focus()
    for key in ("Home", "ArrowUp", "PageUp", "End", "ArrowDown"):
        assert heights(prediction)[-1] == "not drawn yet"
        page.keyboard.press(key)
        page.keyboard.press("Tab")
    assert heights(prediction) == ["0.0%", "2.0%", "12%", "100%", "98%"]
    commit(prediction)
    expect(prediction.locator(".yours")).to_contain_text(
        re.compile(r"On average you were off by \d.* percentage points")
    )
    assert page.evaluate(IN_FIGURE) == [[2, 8, 20, 32, 56], [0, 0.02, 0.12, 1, 0.98], ["you"]]
    described = str(prediction.locator(".drawing-board svg").get_attribute("aria-label"))
    assert "You drew 0.0% at depth 2, 2.0% at depth 8" in described
    assert re.search(r"Actual curve: .*% at depth 56", described)
    assert exported(page)["answers"] == {HERE: {"p-curve": [0, 0.02, 0.12, 1, 0.98]}}
    page.reload()
    OnPage(page, "degradation").arrived()
    expect(prediction.locator("svg.revealed")).to_be_hidden()
    assert page.evaluate(IN_FIGURE)[1] == [0, 0.02, 0.12, 1, 0.98]
    prediction.get_by_role("button", name="more", exact=True).click()
    prediction.get_by_text("The curves in numbers").press("Enter")
    expect(prediction.get_by_role("columnheader", name="you drew")).to_be_visible()
    expect(prediction.locator(".curves tbody tr").nth(2)).to_contain_text("12%")


def stroke(page: Page, board: Locator, *shares: tuple[float, float]) -> None:
    """Draw through points, given as shares of the plot's box."""
    board.scroll_into_view_if_needed()
    box = board.bounding_box()
    assert box is not None
    for index, (x, y) in enumerate(shares):
        page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"], steps=3)
        if not index:
            page.mouse.down()
    page.mouse.up()


@pytest.mark.exhaustive
def test_a_curve_by_pointer_in_one_fast_stroke(page: Page) -> None:
    page.goto("recipes")
    prediction = unfolded(page, "#p-stream")
    board = prediction.locator(".drawing-board svg")
    stroke(page, board, (0.03, 0.8), (0.99, 0.2))
    values = [float(text) for text in heights(prediction)]
    assert values == sorted(values)
    assert values[0] < 2 < 8 < values[-1]
    prediction.get_by_role("button", name="Show the truth").click()
    expect(prediction.locator(".truth-line")).to_have_attribute("d", re.compile("^M.*L"))
    before = prediction.locator(".yours-line").get_attribute("d")
    stroke(page, board, (0.1, 0.2), (0.9, 0.2))
    assert prediction.locator(".yours-line").get_attribute("d") == before


def test_a_curve_by_pointer_on_the_axes_of_the_figure(page: Page) -> None:
    page.goto(HERE)
    figure = OnPage(page, "degradation").arrived().figure
    prediction = page.locator("#p-curve")
    board = prediction.locator(".drawing-board svg")
    stage = figure.locator(".stage")
    stroke(page, board, (0.1, 0.6), (0.9, 0.3))
    values = [int(re.sub(r"\D.*", "", text)) for text in heights(prediction)]
    assert values == sorted(values)
    assert values[0] < values[-1] < 100
    top = stage.evaluate("stage => stage.getBoundingClientRect().top + scrollY")
    prediction.get_by_role("button", name="Show the truth").click()
    expect(figure.locator(".live")).to_be_visible()
    assert [round(100 * y) for y in page.evaluate(IN_FIGURE)[1]] == values
    assert stage.evaluate("stage => stage.getBoundingClientRect().top + scrollY") == pytest.approx(top, abs=1)


@pytest.mark.exhaustive
def test_a_reader_who_skips_sees_the_measured_curve_at_once(page: Page) -> None:
    page.goto("recipes")
    prediction = unfolded(page, "#p-stream")
    prediction.get_by_text("Skip and show").click()
    expect(prediction.locator(".truth-line")).to_have_attribute("d", re.compile("^M.*L"))
    expect(prediction.locator(".truth > .because")).to_be_visible()
    assert stored(page) == {}


@pytest.mark.exhaustive
def test_answers_to_another_version_are_left_alone_and_erasing_removes_all(page: Page) -> None:
    page.goto(HERE)
    stale = {"p-curve": [0.1, 0.2], "p-cure": [1, 2, 9], "p-insert": 17, "p-1202": "yes", "q1": '"]', "A-03": None}
    page.evaluate("stale => localStorage.setItem('answers', JSON.stringify({degradation: stale}))", stale)
    page.reload()
    OnPage(page, "degradation").arrived()
    expect(page.locator("#p-curve .drawing-board").get_by_role("slider").first).to_be_visible()
    expect(page.locator(".predict[data-done]")).to_have_count(0)
    expect(page.locator("figure#degradation")).to_have_attribute("data-hidden", "")
    page.on("dialog", lambda dialog: dialog.accept())
    with page.expect_navigation():
        page.get_by_role("button", name="Erase them").press("Enter")
    assert page.evaluate("localStorage.answers === undefined")


@pytest.mark.parametrize(
    ("slug", "anchor", "question"),
    first(
        1,
        [
            ("matrices", "jacobian_walk", "p-spectral"),
            ("connectivity", "pollute", "p-factor"),
            ("after-2024", "lanes", "p-lanes"),
            ("field", "trained_lanes", "p-alike"),
        ],
    ),
)
def test_a_choice_from_before_it_was_a_curve_is_no_answer(page: Page, slug: str, anchor: str, question: str) -> None:
    page.goto(slug)
    before = {slug: {question: 2}, "outcomes": {f"{slug}.{question}": True}}
    page.evaluate("before => localStorage.setItem('answers', JSON.stringify(before))", before)
    page.reload()
    figure = OnPage(page, anchor).arrived().figure
    expect(figure).to_have_attribute("data-hidden", "")
    sliders = figure.locator(".drawing-board").get_by_role("slider")
    expect(sliders.first).to_have_attribute("aria-valuetext", "not drawn yet")
    points = sliders.all()
    for point in points:
        point.press("PageUp")
    figure.get_by_role("button", name="Show the truth").click()
    expect(figure.locator(".yours")).to_have_text(re.compile("you were off"))
    assert len(stored(page, slug)[question]) == len(points)  # type: ignore[arg-type]


def test_a_quiz_gives_the_reason_of_every_option_chosen(page: Page) -> None:
    page.goto(HERE)
    quiz = page.locator(".quiz#q1")
    quiz.get_by_role("radio").first.focus()
    page.keyboard.press(" ")
    expect(quiz.locator(".wrong .because:visible")).to_have_count(1)
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    expect(quiz.get_by_role("radio").first).to_be_checked()  # arrow keys look, and the space bar chooses
    page.keyboard.press(" ")
    expect(quiz.locator(".because:visible")).to_have_count(1)
    expect(quiz.locator(".right .because")).to_be_visible()
    expect(quiz.locator(".told")).to_contain_text("Right.")


# -- worked examples -------------------------------------------------------------------------------------------------


def numbers(example: Locator) -> list[str]:
    return [text.strip() for text in example.locator("[data-calc]").all_text_contents()]


def test_a_worked_example_is_recomputed_and_reset_by_keyboard(page: Page) -> None:
    page.goto(HERE)
    example = unfolded(page, "#w-copy")
    before = numbers(example)
    second = example.get_by_role("slider", name="second number")
    expect(second).to_have_attribute("aria-valuetext", "−0.3")
    second.focus()
    page.keyboard.press("PageDown")
    expect(example.locator("[data-calc]").nth(1)).to_have_text("[0, 0.7]")
    expect(example.locator(".spoken")).to_contain_text("Updated for first number 0.5, second number −0.7, shift 1.")
    second.press("Enter")
    field = example.get_by_role("spinbutton", name="second number")
    expect(field).to_be_focused()
    field.fill("-7")
    page.keyboard.press("Enter")
    expect(example.locator(".remark")).to_have_text("second number: −7 is outside −2 to 2; −2 is used.")
    expect(second).to_have_text("−2")
    expect(second).to_be_focused()
    expect(example.locator("[data-calc]").nth(1)).to_have_text("[0, 2]")
    example.get_by_role("button", name="Back to the original numbers").press("Enter")
    assert numbers(example) == before
    expect(second).to_have_text("−0.3")
    expect(example.locator(".remark")).to_be_empty()


def route_tables(page: Page, content: object) -> None:
    """Let the precomputed numbers be these, whatever the server has."""
    body = json.dumps(content)
    page.route("**/tables.json", lambda route: route.fulfill(body=body, content_type="application/json"))


@pytest.mark.exhaustive
def test_precomputed_numbers_need_no_server(page: Page) -> None:
    route_tables(page, tables(site_builder.current().page("degradation").examples["w-copy"]))
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(HERE)
    example = unfolded(page, "#w-copy")
    second = example.get_by_role("slider", name="second number")
    second.hover()
    expect(example).to_have_attribute("data-ahead", "")
    before = numbers(example)
    box = second.bounding_box()
    assert box
    page.mouse.down()
    page.mouse.move(box["x"] - 60, box["y"], steps=12)
    page.mouse.up()
    dragged = second.get_attribute("data-value")
    assert dragged not in (None, "-0.3")
    expected = worked.copied(first=0.5, second=float(str(dragged)))
    expect(example.locator("[data-calc]").first).to_have_text(str(typeset(expected)))
    example.get_by_role("button", name="Back to the original numbers").press("Enter")
    assert numbers(example) == before
    assert not any("calculate" in url for url in requests)
    second.press("Enter")
    example.get_by_role("spinbutton", name="second number").fill("0.123")
    with page.expect_response("**/calculate?*"):
        page.keyboard.press("Enter")
    expect(example.locator("[data-calc]").first).to_have_text("[0.5, 0.123]")


@pytest.mark.exhaustive
def test_an_answer_of_the_server_that_comes_late_is_dropped(page: Page) -> None:
    route_tables(page, tables(site_builder.current().page("degradation").examples["w-copy"]))
    routes: list[Route] = []
    page.route("**/calculate?*", lambda route: routes.append(route))
    page.goto(HERE)
    example = unfolded(page, "#w-copy")
    second = example.get_by_role("slider", name="second number")
    second.press("Enter")
    with page.expect_request("**/calculate?*"):
        example.get_by_role("spinbutton", name="second number").fill("0.123")
        page.keyboard.press("Enter")
    second.press("Home")
    expect(example.locator("[data-calc]").nth(1)).to_have_text("[0, 2]")
    with page.expect_response("**/calculate?*"):
        routes[0].continue_()
    page.evaluate("() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    expect(example.locator("[data-calc]").nth(1)).to_have_text("[0, 2]")


@pytest.mark.exhaustive
def test_a_dragged_number_sends_one_request_at_a_time_and_ends_on_the_latest(page: Page) -> None:
    route_tables(page, None)
    page.goto(HERE)
    example = unfolded(page, "#w-default")
    example.locator("summary").nth(3).click()
    routes: list[Route] = []

    def hold_the_first(route: Route) -> None:
        routes.append(route)
        if len(routes) > 1:
            route.continue_()

    page.route("**/calculate?*", hold_the_first)
    layers = example.get_by_role("slider", name="layers")
    with page.expect_request("**/calculate?*"):
        layers.press("ArrowRight")
    for _ in range(5):
        layers.press("ArrowRight")
    assert len(routes) == 1
    routes[0].continue_()
    expected = typeset(worked.default_layer_gain(layers=60), ".1e")
    page.wait_for_function(
        "known => document.querySelector('#w-default [data-calc]').innerHTML === known", arg=str(expected)
    )
    assert len(routes) == 2


@pytest.mark.exhaustive
def test_without_an_answer_the_last_numbers_stay_and_the_page_says_so(page: Page) -> None:
    page.faults.expected = ("ERR_FAILED",)  # type: ignore[attr-defined]
    route_tables(page, None)
    page.goto(HERE)
    example = unfolded(page, "#w-copy")
    before = numbers(example)
    page.route("**/calculate?*", lambda route: route.abort())
    example.get_by_role("slider", name="second number").press("ArrowUp")
    expect(example.locator(".remark")).to_have_text(
        "The server is not responding. The bold numbers still belong to first number 0.5, second number −0.3, shift 1."
    )
    assert numbers(example) == before
    page.unroute("**/calculate?*")
    example.get_by_role("button", name="Try again").press("Enter")
    expect(example.locator("[data-calc]").nth(1)).to_have_text("[0, 0.2]")
    expect(example.locator(".remark")).to_be_empty()


@pytest.mark.exhaustive
def test_a_page_older_than_the_server_asks_to_be_reloaded(page: Page) -> None:
    route_tables(page, None)
    page.goto(HERE)
    example = unfolded(page, "#w-copy")
    page.route("**/calculate?*", lambda route: route.fulfill(json={"values": {}, "notes": [], "numbers": ["1"]}))
    example.get_by_role("slider", name="second number").press("ArrowUp")
    expect(example.locator(".remark")).to_contain_text("Reload it to go on")


# -- knobs, words, and other ways to look at a page --------------------------------------------------------------------


def test_a_knob_sets_what_a_simulation_will_begin_with(page: Page) -> None:
    page.route("**/app?*", lambda route: route.abort())
    page.faults.expected = ("ERR_FAILED",)  # type: ignore[attr-defined]
    page.goto(HERE)
    knob = page.get_by_role("slider", name="Depth", exact=True).first
    expect(knob).to_have_text("56")
    knob.press("Home")
    page.wait_for_url("**/degradation?degradation.depth=2&v=2")
    page.unroute("**/app?*")
    simulation = OnPage(page, "degradation").ready()
    assert simulation.setting("depth") == "2"
    expect(knob).to_have_text("2")


@pytest.mark.exhaustive
def test_experts_are_explained_the_rarer_words_only(page: Page) -> None:
    page.goto(HERE)
    everyday = page.locator("a.term", has_text="Overfitting").first
    rare = page.locator("a.term[data-card=term-shattered-gradients]").first
    rare.focus()
    expect(page.locator("#term-shattered-gradients .beginner")).to_be_visible()
    page.get_by_role("button", name="Words explained for: new to this").press("Enter")
    expect(everyday).not_to_have_attribute("href", re.compile("."))
    rare.focus()
    expect(page.locator("#term-shattered-gradients .expert")).to_be_visible()
    expect(page.locator("#term-overfitting")).not_to_be_visible()
    page.reload()
    expect(everyday).not_to_have_attribute("href", re.compile("."))
    page.get_by_role("button", name="Words explained for: expert").press("Enter")
    expect(everyday).to_have_attribute("href", "glossary#overfitting")


def test_on_paper_answers_and_steps_are_open_without_controls(page: Page) -> None:
    page.goto(HERE)
    page.emulate_media(media="print")
    for selector in (
        "#p-insert .truth > .because",
        "#w-copy li:last-child .step",
        "#p-curve .curves table",
        ".quiz .because",
    ):
        expect(page.locator(selector).first).to_be_visible()
    for selector in (
        ".commit",
        ".moves",
        ".how",
        ".drawing-board svg",
        ".again",
        ".predict input",
        "#p-insert summary",
    ):
        expect(page.locator(selector).first).not_to_be_visible()
    expect(page.locator("figure.simulation > .caption").first).to_have_css("break-before", "avoid")
    # Answers that the reader has not seen are at the end with their pictures, and their figures stay as they are.
    waiting = page.locator("figure[data-hidden]").count()
    assert waiting
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    for question in ("#p-insert", "#q1", "#E-03"):  # a prediction, a quiz and a claim
        expect(page.locator(question).locator(".because, .check").locator("visible=true")).to_have_count(0)
        expect(page.locator(question).locator(".at-the-end")).to_be_visible()
    expect(page.locator("article > .paper-answers:last-child .because").first).to_be_visible()
    expect(page.locator(".paper-answers").get_by_text("It overfits. No.")).to_be_visible()
    expect(page.locator(".paper-answers").get_by_text("Does not hold")).to_be_visible()
    expect(page.locator(".paper-answers .still.answer")).to_have_count(waiting)
    expect(page.locator("#insert_identity .still.answer.light")).not_to_be_visible()
    expect(page.locator("#insert_identity .still.unanswered.light")).to_have_css("display", "block")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".paper-answers, .at-the-end")).to_have_count(0)
    assert page.locator("figure[data-hidden]").count() == waiting
    page.emulate_media(media="screen")
    expect(page.locator("#p-insert .truth > .because")).to_have_count(1)
    expect(page.locator("#p-curve .truth > .because")).not_to_be_visible()
    expect(page.locator("#p-curve svg.revealed")).to_have_count(0)


@pytest.mark.exhaustive
def test_everything_answered_fits_a_phone_and_passes_axe(browser: Browser, server: Server) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844},
        color_scheme="dark",
        base_url=server.url,
        has_touch=True,
        reduced_motion="reduce",
    )
    page = context.new_page()
    faults = watch(page, server.url)
    page.goto(HERE)
    answers = {
        "p-curve": [0, 0.1, 0.2, 0.9, 1],
        "p-cure": 1,
        "p-insert": 2,
        "p-he": 1,
    }
    page.evaluate("answers => localStorage.setItem('answers', JSON.stringify({degradation: answers}))", answers)
    page.reload()
    expect(page.locator(".predict[data-done]")).to_have_count(len(answers))
    page.evaluate("for (const fold of document.querySelectorAll('main details')) fold.open = true")
    page.locator("#w-copy").get_by_role("slider").first.press("ArrowUp")
    expect(page.locator("#w-copy").get_by_role("button", name="Back to")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(page) == []
    assert faults.left() == []
    context.close()


def test_a_finger_draws_and_does_not_scroll(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, base_url=server.url, has_touch=True)
    page = context.new_page()
    page.goto(HERE)
    OnPage(page, "degradation").arrived()
    board = page.locator("#p-curve .drawing-board svg")
    board.scroll_into_view_if_needed()
    box = board.bounding_box()
    assert box is not None
    scrolled = page.evaluate("scrollY")
    finger = context.new_cdp_session(page)
    for kind, share in (("touchStart", 0.1), ("touchMove", 0.5), ("touchMove", 0.97)):
        spot = {"x": box["x"] + share * box["width"], "y": box["y"] + (0.8 - 0.6 * share) * box["height"]}
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [spot]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator("#p-curve .commit button")).to_be_enabled()
    assert page.evaluate("scrollY") == scrolled
    context.close()
